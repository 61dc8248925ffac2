/* SPDX-License-Identifier: Apache-2.0 */
/* Workloads that are looked at one at a time (reduce/apart.c). */
#ifndef FATHOM_CLUSTER_INTENT_FOCUS_H
#define FATHOM_CLUSTER_INTENT_FOCUS_H

#include <stdbool.h>
#include <stdint.h>

struct population_state;

/* Does another workload act here alone? Then what this one does is seen in states of its
 * own. */
bool is_out_of_focus(const struct population_state *state, uint32_t workload);

#endif
