/* SPDX-License-Identifier: Apache-2.0 */
/* One cycle of the descheduler, at rest: all that it may evict, in every way that the order of its
 * maps allows. */
#ifndef FATHOM_CLUSTER_ACTOR_STEP_DESCHEDULER_H
#define FATHOM_CLUSTER_ACTOR_STEP_DESCHEDULER_H

#include "cluster/forward.h"
#include "object/descheduler_policy.h"

/* The plugin by which the descheduler's step from one state to the other takes
 * pod after pod; false if there is no such eviction. */
bool descheduler_blames(struct worker *worker, const struct state *from, const struct state *to,
                        uint32_t number, enum descheduler_plugin *plugin);

#endif
