/* SPDX-License-Identifier: Apache-2.0 */
/*
 * replicasAtLeast and replicasAtMost: bounds of how many pods a workload has.
 *
 * A lower bound counts from the first state on in which the workload has that many
 * ready pods. The monitor of replicasAtLeast has a bit for each workload that has
 * come so far; we call it armed.
 */
#include "cluster/ask/daemon_sets.h"
#include "cluster/intent_class.h"
#include "cluster/state/happening.h"
#include "cluster/state/population_model.h"
#include "cluster/state/population_worker.h"
#include "cluster/state/state.h"
#include "cluster/state/tally.h"
#include "cluster/state/workloads.h"

static int64_t bound_of(struct population_worker *worker, const struct population_state *state,
                        const struct check_intent *intent, uint32_t workload)
{
    const struct population *population = worker->population;
    switch (intent->bound) {
    case REPLICAS_DESIRED:
        return intent->value + (population->workloads.items[workload].kind == OBJECT_DAEMON_SET
                                    ? (int64_t)daemon_set_wanted(worker, state, workload)
                                    : state->replicas[workload]);
    case REPLICAS_MIN: return population->workloads.items[workload].autoscaler_min;
    default: return intent->value;
    }
}

/* ---- replicasAtLeast ---- */

static uint32_t armed_words(const struct population *population, const struct intent *intent)
{
    return intent->workload == UINT32_MAX ? (population->scope->workload_count + 31) / 32 : 1;
}

static uint32_t armed_number(const struct intent *intent, uint32_t workload)
{
    return intent->workload == UINT32_MAX ? workload : 0;
}

static uint32_t armed_bit(const struct intent *intent, uint32_t workload)
{
    return UINT32_C(1) << armed_number(intent, workload) % 32;
}

static uint32_t *armed_word(const struct population_state *state, const struct intent *intent,
                            uint32_t workload)
{
    return &state->monitors[intent->monitor + armed_number(intent, workload) / 32];
}

/* `next` comes of `state`, or is the same. */
static void arm(struct population_worker *worker, const struct population_state *state,
                struct population_state *next, const struct intent *intent)
{
    const struct population *population = worker->population;
    /* That the pods of a Job become fewer is what they are there for. */
    for (uint32_t w = 0; w < population->managed_count; w++)
        if (intent_concerns(intent, w) && next->present[w] != WORKLOAD_ABSENT &&
            population->workloads.items[w].kind != OBJECT_JOB &&
            !(*armed_word(next, intent, w) & armed_bit(intent, w)) &&
            (int64_t)state_workload_ready_after(worker, state, next, w) >=
                bound_of(worker, next, intent->source, w))
            *armed_word(next, intent, w) |= armed_bit(intent, w);
}

static void begin_at_least(struct population_worker *worker, struct population_state *state,
                           const struct intent *intent)
{
    arm(worker, state, state, intent);
}

static bool mark_at_least(struct population_worker *worker, const struct population_state *state,
                          struct population_state *next, const struct intent *intent,
                          const struct happening *happening)
{
    (void)happening;
    arm(worker, state, next, intent);
    return false;
}

static bool has_too_few(struct population_worker *worker, const struct population_state *state,
                        const struct intent *intent, uint32_t workload)
{
    return (*armed_word(state, intent, workload) & armed_bit(intent, workload)) &&
           (int64_t)state_workload_ready(worker, state, workload) <
               bound_of(worker, state, intent->source, workload);
}

static bool some_have_too_few(struct population_worker *worker,
                              const struct population_state *state, const struct intent *intent)
{
    const struct population *population = worker->population;
    for (uint32_t w = 0; w < population->managed_count; w++)
        if (intent_concerns(intent, w) && has_too_few(worker, state, intent, w))
            return true;
    return false;
}

const struct intent_class intent_replicas_at_least = {
    .kind = INTENT_REPLICAS_AT_LEAST,
    .violated_by = VIOLATED_BY_STATE,
    .atom = some_have_too_few,
    .mark = mark_at_least,
    .monitor_words = armed_words,
    .begin = begin_at_least,
    .displeases = has_too_few,
    .ignores = IGNORES_CREATION_ORDER | IGNORES_OTHER_WORKLOADS | IGNORES_PLACES,
    .ignores_focus = true,
    .refuses_jobs = true,
};

/* ---- replicasAtMost ---- */

static bool has_too_many(struct population_worker *worker, const struct population_state *state,
                         const struct intent *intent, uint32_t workload)
{
    return (int64_t)state_workload_active(worker, state, workload) >
           bound_of(worker, state, intent->source, workload);
}

static bool some_have_too_many(struct population_worker *worker,
                               const struct population_state *state, const struct intent *intent)
{
    const struct population *population = worker->population;
    for (uint32_t w = 0; w < population->managed_count; w++)
        if (intent_concerns(intent, w) && has_too_many(worker, state, intent, w))
            return true;
    return false;
}

const struct intent_class intent_replicas_at_most = {
    .kind = INTENT_REPLICAS_AT_MOST,
    .violated_by = VIOLATED_BY_STATE,
    .atom = some_have_too_many,
    .displeases = has_too_many,
    .ignores = IGNORES_STARTING | IGNORES_CREATION_ORDER | IGNORES_OTHER_WORKLOADS | IGNORES_PLACES,
    .ignores_focus = true,
    .blames = BLAMES_SIZE,
};
