/* SPDX-License-Identifier: Apache-2.0 */
/*
 * noReplicaSwing: the desired replicas do not go up and down again without an event
 * between.
 *
 * The monitor of a workload: the lowest number of desired replicas since the last
 * outside event, and the highest that came after it, half a word or a word each; both
 * plus one, 0 being 'not seen yet'.
 */
#include "cluster/intent_class.h"
#include "cluster/state/actions.h"
#include "cluster/state/happening.h"
#include "cluster/state/population_model.h"
#include "cluster/state/population_worker.h"
#include "cluster/state/state.h"

/* The lowest and the highest replicas, in one word if they fit. */
static uint32_t swing_words(const struct population *population)
{
    return population->wide ? 2 : 1;
}

static uint32_t monitor_words(const struct population *population, const struct intent *intent)
{
    return swing_words(population) *
           (intent->workload == UINT32_MAX ? population->scope->workload_count : 1);
}

static bool swings(const struct population *population, const struct intent *intent,
                   uint32_t workload, uint32_t monitor, const struct population_state *state,
                   struct population_state *next, bool event)
{
    const uint32_t *known = &state->monitors[monitor];
    const int32_t replicas = next->replicas[workload];
    uint32_t low = population->wide ? known[0] : known[0] & 0xffff;
    uint32_t high = population->wide ? known[1] : known[0] >> 16;
    const uint32_t now = (uint32_t)replicas + 1;
    bool violated = false;
    if (event || low == 0) {
        low = now;
        high = 0;
    } else {
        if (now >= low + (uint32_t)intent->source->swing && now > high)
            high = now;
        violated = high != 0 && now + (uint32_t)intent->source->swing <= high;
        if (now < low)
            low = now;
    }
    next->monitors[monitor] = population->wide ? low : low | high << 16;
    if (population->wide)
        next->monitors[monitor + 1] = high;
    return violated;
}

/* One workload's swing is none of another's: a monitor each. */
static bool any_swings(const struct population *population, const struct intent *intent,
                       const struct population_state *state, struct population_state *next,
                       bool event)
{
    bool violated = false;
    if (intent->workload != UINT32_MAX)
        return swings(population, intent, intent->workload, intent->monitor, state, next, event);
    for (uint32_t w = 0; w < population->managed_count; w++)
        violated |= swings(population, intent, w, intent->monitor + w * swing_words(population),
                           state, next, event);
    return violated;
}

static void begin(struct population_worker *worker, struct population_state *state,
                  const struct intent *intent)
{
    const struct population *population = worker->population;
    any_swings(population, intent, state, state, true);
}

static bool mark(struct population_worker *worker, const struct population_state *state,
                 struct population_state *next, const struct intent *intent,
                 const struct happening *happening)
{
    const struct population *population = worker->population;
    return any_swings(population, intent, state, next,
                      action_has(happening->action, IS_EVENT) || happening->action == ACT_WAVE);
}

const struct intent_class intent_no_replica_swing = {
    .kind = INTENT_NO_REPLICA_SWING,
    .violated_by = VIOLATED_BY_STEP,
    .mark = mark,
    .monitor_words = monitor_words,
    .begin = begin,
    .ignores = IGNORES_READINESS | IGNORES_STARTING | IGNORES_CREATION_ORDER |
               IGNORES_OTHER_WORKLOADS | IGNORES_PLACES,
};
