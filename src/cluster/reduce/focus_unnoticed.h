/* SPDX-License-Identifier: Apache-2.0 */
/* One way to show that workloads can be explored one at a time (focus.c): the pods of each go where
 * they would go without the others. */
#ifndef FATHOM_CLUSTER_REDUCE_FOCUS_UNNOTICED_H
#define FATHOM_CLUSTER_REDUCE_FOCUS_UNNOTICED_H

#include "cluster/forward.h"

#include <stdbool.h>
#include <stdint.h>

/* Do its pods go to the same nodes whatever the other workloads do? All workloads
 * have been followed before. */
bool is_unaffected(struct focus_proof *proof, uint32_t workload);

#endif
