/* SPDX-License-Identifier: Apache-2.0 */
/* One way to show that workloads can be explored one at a time (apart.c): the pods of each go where
 * they would go without the others. */
#ifndef FATHOM_CLUSTER_REDUCE_APART_UNNOTICED_H
#define FATHOM_CLUSTER_REDUCE_APART_UNNOTICED_H

#include "cluster/forward.h"

#include <stdbool.h>
#include <stdint.h>

/* Does nothing that the others do change where its pods go? All workloads have been followed. */
bool is_unaffected(struct parting *parting, uint32_t workload);

#endif
