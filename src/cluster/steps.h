/* SPDX-License-Identifier: Apache-2.0 */
/* All that may happen in a state, by who does it (expand.c says when); and what
 * those who tell of a step ask its controller afterwards. */
#ifndef FATHOM_CLUSTER_STEPS_H
#define FATHOM_CLUSTER_STEPS_H

#include "cluster/expansion.h"
#include "object/descheduler_policy.h"

struct kubelet_reason;

/* ---- step_workloads.c ---- */
void step_deployments(struct expansion *expansion);
void step_replica_sets(struct expansion *expansion);
void step_replica_set(struct expansion *expansion, uint32_t revision);

/* ---- step_stateful_sets.c ---- */
void step_stateful_sets(struct expansion *expansion);

/* ---- step_daemon_sets.c ---- */
void step_daemon_sets(struct expansion *expansion);

/* ---- step_jobs.c ---- */
void step_jobs(struct expansion *expansion);
void step_job_deadlines(struct expansion *expansion);
void step_job_pods(struct expansion *expansion);
void jobs_count_lost(const struct population *population, const struct population_state *state,
                     struct population_state *next, enum population_action action);

/* ---- step_scheduler.c ---- */
void step_scheduler(struct expansion *expansion);
/* What a node of the entry says to a pod of a DaemonSet that is for it alone. */
const struct verdict *scheduler_refusal(struct population *population,
                                        const struct population_state *state, uint32_t revision,
                                        uint32_t entry);

/* ---- step_kubelets.c ---- */
void step_kubelets(struct expansion *expansion);
/* Why the kubelet turns a bound pod of the revision away; NULL: it does not. */
const struct kubelet_reason *kubelet_why_rejected(struct population *population, uint32_t config,
                                                  uint32_t revision);

/* ---- step_lifecycle.c ---- */
void step_lifecycle(struct expansion *expansion);
/* Are there NoExecute taints for nodes that do not answer at all? */
bool lifecycle_evicts(struct population *population, const struct population_state *state);
/* If there are none, those that are there go. */
void lifecycle_forget_taints(struct population *population, struct population_state *state);

/* ---- step_nodes.c ---- */
void step_taints(struct expansion *expansion);
void step_drains(struct expansion *expansion);

/* ---- step_time.c ---- */
void step_time(struct expansion *expansion);

/* ---- step_descheduler.c ---- */
void step_descheduler(struct expansion *expansion);
/* The plugin by which the descheduler's step from one state to the other takes
 * pod after pod; false if there is no such eviction. */
bool descheduler_blames(struct population *population, const struct population_state *from,
                        const struct population_state *to, uint32_t number,
                        enum descheduler_plugin *plugin);

/* ---- step_autoscalers.c ---- */
void step_autoscalers(struct expansion *expansion);

/* ---- step_events.c ---- */
void step_events(struct expansion *expansion, bool settled);
/* What happens by rules: events that do not come, but say how things go. */
void step_rules(struct expansion *expansion);

/* ---- step_garbage.c ---- */
void step_garbage(struct expansion *expansion);

/* ---- step_applies.c ---- */
/* Controllers that apply their manifests whenever the objects differ. */
void step_reapplies(struct expansion *expansion, bool settled);
void step_rollbacks(struct expansion *expansion);

/* ---- step_orphans.c ---- */
void step_orphans(struct expansion *expansion);

/* ---- step_pressure.c ---- */
void step_pressure(struct expansion *expansion);

#endif
