/* SPDX-License-Identifier: Apache-2.0 */
/* One way to show that workloads can be looked at one at a time (apart.c): none of them notices the
 * others. */
#ifndef FATHOM_CLUSTER_REDUCE_APART_UNNOTICED_H
#define FATHOM_CLUSTER_REDUCE_APART_UNNOTICED_H

#include <stdbool.h>
#include <stdint.h>

struct parting;

/* Does the workload never notice what the others do? All have been followed. */
bool notices_nobody(struct parting *parting, uint32_t workload);

#endif
