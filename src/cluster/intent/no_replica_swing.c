/* SPDX-License-Identifier: Apache-2.0 */
/*
 * noReplicaSwing: the desired replicas do not go up and down again without an event
 * between.
 *
 * The monitor of a workload: the lowest number of desired replicas since the last
 * outside event, and the highest that came after it, half a word or a word each. Both
 * are one more than the number; 0 stands for none yet.
 */
#include "cluster/intent/intents.h"
#include "cluster/intent_class.h"
#include "cluster/state/actions.h"
#include "cluster/state/happening.h"
#include "cluster/state/population_model.h"
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

static bool swings(const struct judged *judged, uint32_t workload, uint32_t monitor, bool event)
{
    const bool wide = judged->population->wide;
    const uint32_t swing = (uint32_t)judged->intent->source->swing;
    const uint32_t *known = &judged->state->monitors[monitor];
    const uint32_t now = (uint32_t)judged->next->replicas[workload] + 1;
    uint32_t low = wide ? known[0] : known[0] & 0xffff;
    uint32_t high = wide ? known[1] : known[0] >> 16;
    if (event || low == 0) {
        low = now;
        high = 0;
    } else if (now >= low + swing && now > high) {
        high = now;
    }
    low = now < low ? now : low;
    judged->next->monitors[monitor] = wide ? low : low | high << 16;
    if (wide)
        judged->next->monitors[monitor + 1] = high;
    return high != 0 && now + swing <= high;
}

/* Each workload has a monitor of its own, since it swings by itself. */
static bool any_swings(const struct judged *judged, bool event)
{
    const struct intent *intent = judged->intent;
    bool violated = false;
    if (intent->workload != UINT32_MAX)
        return swings(judged, intent->workload, intent->monitor, event);
    for (uint32_t w = 0; w < judged->population->managed_count; w++)
        violated |= swings(judged, w, intent->monitor + w * swing_words(judged->population), event);
    return violated;
}

static void begin(const struct judged *judged)
{
    any_swings(judged, true);
}

static bool mark(const struct judged *judged)
{
    const enum population_action action = judged->happening->action;
    return any_swings(judged, action_has(action, IS_EVENT) || action == ACT_WAVE);
}

const struct intent_class intent_no_replica_swing = {
    .mark = mark,
    .applies = intent_replicas_may_change,
    .never_applied = "no controller changes the desired replicas",
    .monitor_words = monitor_words,
    .begin = begin,
    .ignores = IGNORES_READINESS | IGNORES_STARTING | IGNORES_CREATION_ORDER |
               IGNORES_OTHER_WORKLOADS | IGNORES_PLACES | IGNORES_ENDS,
};
