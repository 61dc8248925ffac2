/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Garbage: pods whose owner or whose node is gone.
 *
 *   a deleted node       its pods stay as they were until the pod garbage collector
 *                        notices that their node is missing
 *   a deleted workload   is gone with its ReplicaSets; the garbage collector deletes
 *                        its pods, which terminate
 */
#include "cluster/actor_type.h"
#include "cluster/emit.h"
#include "cluster/state/actions.h"
#include "cluster/state/classes.h"
#include "cluster/state/config_facts.h"
#include "cluster/state/configs.h"
#include "cluster/state/happening.h"
#include "cluster/state/invariants.h"
#include "cluster/state/nodes.h"
#include "cluster/state/population_model.h"
#include "cluster/state/state.h"
#include "cluster/state/worker.h"
#include "cluster/state/workloads.h"
#include "decide/controller/garbage_collector.h"

static void step_garbage(struct expansion *expansion)
{
    struct worker *worker = expansion->worker;
    const struct population *population = expansion->population;
    const struct state *state = expansion->state;
    /* Does the collector delete a pod whose owner is absent? */
    const struct gc_facts orphan = {.owners_absent = 1};
    if (gc_decide(&orphan).verb != GC_DELETES)
        return;
    for (uint32_t r = 0; r < population->revisions.count; r++) {
        if (state->pending[r] == 0 ||
            state->present[population->revisions.items[r].workload] != WORKLOAD_ABSENT)
            continue;
        struct state *next = state_copy(worker, state);
        const uint32_t deleted = population->counts_waiting ? 1 : state->pending[r];
        next->pending[r] -= deleted;
        expansion_emit(expansion, next,
                       happening_with(population, ACT_COLLECT, r, UINT32_MAX, deleted));
    }
    for (struct pod_walk pods = pods_of_nodes(worker, state); pods_next(&pods);) {
        const uint32_t config = pods.config->id;
        const struct happening happening =
            happening_with(population, ACT_COLLECT, pods.info->revision, pods.entry, 1);
        if (condition_is_gone(config_condition(worker, config)))
            expansion_emit_pod(expansion, pods.class, VIEW_NONE, happening);
        else if (state->present[happening.workload] == WORKLOAD_ABSENT &&
                 pods.info->stage != STAGE_TERMINATING)
            expansion_emit_pod(expansion, pods.class,
                               class_deleted(worker, config, pods.class, END_DISOWNED), happening);
    }
}

const struct actor actor_garbage_collector = {
    .name = "garbage collector",
    .step = step_garbage,
    .writes = PART_WAITING | PART_PODS | PART_NOMINATIONS,
};
