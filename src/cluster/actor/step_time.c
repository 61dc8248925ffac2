/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Time passes at rest: pods move on in their pattern of usage.
 *
 * What matters is not when a pod moves on but in which order with the
 * autoscaler's decisions: pods that were there before a decision move on no
 * later than those that it brought. So a decision makes all pods that are there
 * elders, and of the pods at one step of the pattern the elders move on first.
 * Pods at different steps wait for different things: either may come first.
 */
#include "cluster/actor/step_time.h"
#include "cluster/actor_type.h"
#include "cluster/emit.h"
#include "cluster/state/actions.h"
#include "cluster/state/classes.h"
#include "cluster/state/configs.h"
#include "cluster/state/happening.h"
#include "cluster/state/invariants.h"
#include "cluster/state/population_model.h"
#include "cluster/state/population_worker.h"
#include "cluster/state/state.h"
#include "cluster/state/workloads.h"

/* The pods of a workload at this level take a step, all at once. */
static struct population_state *move_on(struct expansion *expansion, uint32_t workload,
                                        uint32_t level, bool *moved)
{
    struct population_worker *worker = expansion->worker;
    const struct population *population = expansion->population;
    struct population_state *next = state_copy(worker, expansion->state);
    *moved = false;
    for (uint32_t n = 0; n < next->node_count; n++) {
        uint32_t config = next->nodes[n].config;
        const struct node_config *before = worker->catalog->configs.items[config];
        for (uint32_t p = 0; p < before->pod_entry_count; p++) {
            const struct class_info info = worker->classes.items[before->pods[p].pod];
            if (population->revisions.items[info.revision].workload != workload ||
                info.stage != STAGE_READY || info.level != level)
                continue;
            const uint32_t to =
                class_at(population, info.revision, STAGE_READY, (level / 2 + 1) * 2);
            for (uint32_t i = 0; i < before->pods[p].count; i++)
                config = config_replace(worker, config, before->pods[p].pod, to);
            *moved = true;
        }
        next->nodes[n].config = config;
    }
    return next;
}

static void step_time(struct expansion *expansion)
{
    const struct population *population = expansion->population;
    for (uint32_t w = 0; w < population->workloads.count; w++)
        for (uint32_t k = 0; k + 1 < population->workloads.items[w].pattern_steps; k++) {
            bool moved;
            struct population_state *next = move_on(expansion, w, 2 * k + 1, &moved);
            if (!moved)
                next = move_on(expansion, w, 2 * k, &moved);
            if (moved)
                expansion_emit(expansion, next,
                               &(struct happening){.action = ACT_TIME,
                                                   .workload = w,
                                                   .revision = UINT32_MAX,
                                                   .node = UINT32_MAX});
        }
}

void make_elders(struct population_worker *worker, struct population_state *state,
                 uint32_t workload)
{
    const struct population *population = worker->population;
    const uint32_t levels = 2 * population->workloads.items[workload].pattern_steps;
    for (uint32_t n = 0; n < state->node_count && levels > 0; n++) {
        uint32_t config = state->nodes[n].config;
        const struct node_config *before = worker->catalog->configs.items[config];
        for (uint32_t p = 0; p < before->pod_entry_count; p++) {
            const struct class_info info = worker->classes.items[before->pods[p].pod];
            /* At the last step of the pattern nobody is waiting for anything. */
            if (population->revisions.items[info.revision].workload != workload ||
                info.stage != STAGE_READY || info.level + 2 >= levels || info.level % 2 == 1)
                continue;
            for (uint32_t i = 0; i < before->pods[p].count; i++)
                config = config_replace(
                    worker, config, before->pods[p].pod,
                    class_at(population, info.revision, STAGE_READY, info.level + 1));
        }
        state->nodes[n].config = config;
    }
}

static bool is_present(const struct population *population)
{
    for (uint32_t w = 0; w < population->workloads.count; w++)
        if (population->workloads.items[w].pattern_steps > 0)
            return true;
    return false;
}

const struct actor actor_usage_pattern = {
    .name = "patterns of usage",
    .pace = PACE_SLOW,
    .is_present = is_present,
    .step = step_time,
    .reads = PART_PODS,
    .writes = PART_PODS,
};
