/* SPDX-License-Identifier: Apache-2.0 */
/* All that may happen in a state, by who does it (expand.c says when); and what
 * those who tell of a step ask its controller afterwards. */
#ifndef FATHOM_CLUSTER_ACTOR_STEPS_H
#define FATHOM_CLUSTER_ACTOR_STEPS_H

#include "cluster/emit.h"
#include "object/descheduler_policy.h"

/* ---- step_workloads.c ---- */
void step_replica_set(struct expansion *expansion, uint32_t revision);

/* ---- step_scheduler.c ---- */
/* What a node of the entry says to a pod of a DaemonSet that is for it alone. */
const struct verdict *scheduler_refusal(struct population *population,
                                        const struct population_state *state, uint32_t revision,
                                        uint32_t entry);

/* ---- step_descheduler.c ---- */
/* The plugin by which the descheduler's step from one state to the other takes
 * pod after pod; false if there is no such eviction. */
bool descheduler_blames(struct population *population, const struct population_state *from,
                        const struct population_state *to, uint32_t number,
                        enum descheduler_plugin *plugin);

/* ---- step_events.c ---- */
void step_events(struct expansion *expansion, bool settled);
#endif
