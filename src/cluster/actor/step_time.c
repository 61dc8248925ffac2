/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Time passes at rest: pods move on in their pattern of usage.
 *
 * What matters is not when a pod moves on but in which order with the
 * autoscaler's decisions: pods that were there before a decision move on no
 * later than those that it brought. So a decision marks all pods that are there
 * as elders, and of the pods at one step of the pattern the elders move on
 * first. Pods at different steps wait for different things: either may come
 * first.
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
#include "cluster/state/state.h"
#include "cluster/state/worker.h"
#include "cluster/state/workloads.h"

/* Pods of a workload at a level of its pattern. */
struct pattern_pods {
    uint32_t workload;
    uint32_t level;
};

/* Pods of the workload at this level take the next step of the pattern, all at once. */
static uint32_t move_on(const struct pod_walk *pods, const void *context)
{
    const struct pattern_pods *moving = context;
    const struct population *population = pods->worker->population;
    return population->revisions.items[pods->info->revision].workload == moving->workload &&
                   pods->info->stage == STAGE_READY && pods->info->level == moving->level
               ? class_like(pods->worker, pods->info, STAGE_READY, (moving->level / 2 + 1) * 2)
               : VIEW_NONE;
}

/* True if there are such pods. */
static bool emit_move(struct expansion *expansion, struct pattern_pods moving)
{
    struct state *next = state_copy(expansion->worker, expansion->state);
    if (state_change_pods(expansion->worker, next, move_on, &moving) == 0)
        return false;
    expansion_emit(expansion, next, happening_to(ACT_TIME, moving.workload, 0));
    return true;
}

static void step_time(struct expansion *expansion)
{
    for (uint32_t w = 0; w < expansion->population->workloads.count; w++)
        for (uint32_t k = 0; k + 1 < expansion->population->workloads.items[w].pattern_steps; k++)
            if (!emit_move(expansion, (struct pattern_pods){w, 2 * k + 1}))
                emit_move(expansion, (struct pattern_pods){w, 2 * k});
}

/* A pod of the workload becomes an elder. At the last step of the pattern pods wait for nothing. */
static uint32_t become_elder(const struct pod_walk *pods, const void *workload)
{
    const struct population *population = pods->worker->population;
    const struct class_info *info = pods->info;
    const struct workload *of = revision_workload(population, info->revision);
    return of == workload && info->stage == STAGE_READY && info->level % 2 == 0 &&
                   info->level + 2 < 2 * of->pattern_steps
               ? class_like(pods->worker, info, STAGE_READY, info->level + 1)
               : VIEW_NONE;
}

void make_elders(struct worker *worker, struct state *state, const struct workload *workload)
{
    if (workload->pattern_steps > 0)
        state_change_pods(worker, state, become_elder, workload);
}

const struct actor actor_usage_pattern = {
    .name = "patterns of usage",
    .pace = PACE_SLOW,
    .step = step_time,
    .reads = PART_PODS,
    .writes = PART_PODS,
};
