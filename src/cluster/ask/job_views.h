/* SPDX-License-Identifier: Apache-2.0 */
/* A Job of a state as its controller sees it, and what the controller decides. */
#ifndef FATHOM_CLUSTER_ASK_JOB_VIEWS_H
#define FATHOM_CLUSTER_ASK_JOB_VIEWS_H

#include "cluster/forward.h"
#include "decide/controller/job_controller.h"

#include <stdbool.h>
#include <stdint.h>

/* A pod of the class on a node of the config (UINT32_MAX: waiting for a node), as a class of one.
 */
struct job_pod_class job_pod_seen(struct worker *worker, uint32_t config, uint32_t class);

/* What is not seen of pods or indexes. `late`: its deadline has passed; `job` is the spec that
 * counts now, with its parallelism and completions. There is room for one more pod behind them: the
 * one for which the policy has said FailJob. */
struct job_input job_input_of(struct worker *worker, const struct state *state, uint32_t workload,
                              bool late, struct job *job, struct job_pod_class *pods,
                              uint32_t count);

/* A Job that tracks its indexes (state/job_rules.h). */
struct indexed_sync {
    struct job_decision decision;
    uint32_t *retried;     /* by variant: pods that are created for indexes that have failed */
    uint32_t begun;        /* pods for the next indexes, ... */
    uint32_t next_variant; /* ... which are of this variant */
};

/* Everything is in the worker's scratch space. */
void indexed_job_decide(struct worker *worker, const struct state *state, uint32_t workload,
                        bool late, struct indexed_sync *sync);

#endif
