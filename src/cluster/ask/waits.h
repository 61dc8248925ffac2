/* SPDX-License-Identifier: Apache-2.0 */
/* Pods that wait, where nobody sees them (reduce/waits.h): how they become pods in the pool. */
#ifndef FATHOM_CLUSTER_ASK_WAITS_H
#define FATHOM_CLUSTER_ASK_WAITS_H

#include "cluster/forward.h"

#include <stdbool.h>
#include <stdint.h>

/* Puts the pods of a successor that wait, that sets lack, or that are lost into the pool. */
void waits_forget(struct worker *worker, struct state *next);
/* May a pod of the class, which is in the pool, be one that waits? */
bool waits_in_pool(const struct worker *worker, uint32_t class);
/* The class of such pods of a revision. */
uint32_t waits_class(struct worker *worker, uint32_t revision);
/* How many of them there are. */
uint32_t waits_count(struct worker *worker, const struct state *state, uint32_t revision);

#endif
