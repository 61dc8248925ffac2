/* SPDX-License-Identifier: Apache-2.0 */
/* Whether quotas admit new pods. */
#ifndef FATHOM_CLUSTER_ASK_QUOTAS_H
#define FATHOM_CLUSTER_ASK_QUOTAS_H

#include "cluster/forward.h"
#include "cluster/others.h"

#include <stdint.h>

/* So many more pods of the revision fit into all quotas; UINT32_MAX: any number.
 *
 * A pod counts from its creation until it is gone. One that terminates on a node whose kubelet does
 * not answer counts until its grace period has passed twice, which it does some time: here it does
 * not count, and that creations wait until then is one of their orders. */
uint32_t quota_room(struct worker *worker, const struct state *state, uint32_t revision);

/* What the API server answers to who creates a pod of the revision; NULL: it is admitted. */
const char *quota_refusal(struct worker *worker, const struct state *state, uint32_t revision);

/* Can others keep pods of the revision from being created, because they use up a quota? */
enum crowding quota_crowding(const struct population *population, uint32_t revision);

/* Notes what the modelled workloads are charged to quotas that they share with others, for pods
 * that need not leave. */
void note_charges(struct worker *worker, const struct state *state);

#endif
