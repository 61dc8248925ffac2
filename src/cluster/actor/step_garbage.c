/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Garbage: pods whose owner or whose node is gone.
 *
 *   a deleted node       its pods stay as they were until the garbage collector for
 *                        pods misses their node
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
#include "cluster/state/population_worker.h"
#include "cluster/state/state.h"
#include "cluster/state/workloads.h"
#include "decide/controller/garbage_collector.h"

static bool is_gone(enum node_condition condition)
{
    return condition == NODE_GONE || condition == NODE_GONE_AWHILE;
}

static void collect(struct expansion *expansion, uint32_t entry, uint32_t class, uint32_t to)
{
    struct population_worker *worker = expansion->worker;
    const struct population *population = expansion->population;
    const uint32_t revision = worker->classes.items[class].revision;
    struct population_state *next = state_copy(worker, expansion->state);
    state_move_node(worker, next, entry,
                    config_replace(worker, next->nodes[entry].config, class, to));
    expansion_emit(expansion, next,
                   &(struct happening){.action = ACT_COLLECT,
                                       .workload = population->revisions.items[revision].workload,
                                       .revision = revision,
                                       .node = entry,
                                       .amount = 1});
}

static void collect_waiting(struct expansion *expansion, uint32_t revision)
{
    struct population_worker *worker = expansion->worker;
    const struct population *population = expansion->population;
    struct population_state *next = state_copy(worker, expansion->state);
    const uint32_t amount = next->pending[revision];
    next->pending[revision] = 0;
    expansion_emit(expansion, next,
                   &(struct happening){.action = ACT_COLLECT,
                                       .workload = population->revisions.items[revision].workload,
                                       .revision = revision,
                                       .node = UINT32_MAX,
                                       .amount = amount});
}

static void step_garbage(struct expansion *expansion)
{
    struct population_worker *worker = expansion->worker;
    const struct population *population = expansion->population;
    const struct population_state *state = expansion->state;
    /* Whose owner is absent is deleted. */
    const struct gc_facts orphan = {.owners_absent = 1};
    if (gc_decide(&orphan).verb != GC_DELETES)
        return;
    for (uint32_t r = 0; r < population->revisions.count; r++)
        if (state->pending[r] > 0 &&
            state->present[population->revisions.items[r].workload] == WORKLOAD_ABSENT)
            collect_waiting(expansion, r);
    for (uint32_t n = 0; n < state->node_count; n++) {
        const struct node_config *config = worker->catalog->configs.items[state->nodes[n].config];
        const bool gone = is_gone(config_condition(worker, state->nodes[n].config));
        for (uint32_t p = 0; p < config_entry_count(config); p++) {
            const uint32_t class = config->pods[p].pod;
            const struct class_info *info = &worker->classes.items[class];
            const uint32_t workload = population->revisions.items[info->revision].workload;
            if (gone)
                collect(expansion, n, class, VIEW_NONE);
            else if (state->present[workload] == WORKLOAD_ABSENT &&
                     info->stage != STAGE_TERMINATING)
                collect(expansion, n, class, class_deleted(worker, state->nodes[n].config, class));
        }
    }
}

static bool is_present(const struct population *population)
{
    return population->deletes;
}

const struct actor actor_garbage_collector = {
    .name = "garbage collector",
    .pace = PACE_FAST,
    .is_present = is_present,
    .step = step_garbage,
    .writes = PART_WAITING | PART_PODS | PART_NOMINATIONS,
};
