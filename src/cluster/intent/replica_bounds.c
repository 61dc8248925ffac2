/* SPDX-License-Identifier: Apache-2.0 */
/*
 * replicasAtLeast and replicasAtMost: bounds of how many pods a workload has.
 *
 * A lower bound of a workload counts from the first state on in which it has that many
 * ready pods; from then on it is armed. The monitor of replicasAtLeast has a bit for each
 * workload that is.
 */
#include "cluster/ask/daemon_sets.h"
#include "cluster/intent_class.h"
#include "cluster/state/config_facts.h"
#include "cluster/state/population_model.h"
#include "cluster/state/state.h"
#include "cluster/state/tally.h"
#include "cluster/state/workloads.h"

#include <string.h>

static int64_t bound_of(const struct judged *judged, const struct state *state, uint32_t workload)
{
    const struct workload *of = &judged->population->workloads.items[workload];
    const struct check_intent *intent = judged->intent->source;
    switch (intent->bound) {
    case REPLICAS_DESIRED:
        return intent->value + (of->kind == OBJECT_DAEMON_SET
                                    ? (int64_t)daemon_set_wanted(judged->worker, state, workload)
                                    : state->replicas[workload]);
    case REPLICAS_MIN: return judged->population->setup->autoscaler_min[workload];
    default: return intent->value;
    }
}

/* ---- replicasAtLeast ---- */

static uint32_t armed_words(const struct population *population, const struct intent *intent)
{
    return intent->workload == UINT32_MAX ? (population->scope->workload_count + 31) / 32 : 1;
}

/* The monitor word that has the workload's bit, and that bit. */
static uint32_t *armed_word(const struct judged *judged, const struct state *state,
                            uint32_t workload, uint32_t *bit)
{
    const uint32_t number = judged->intent->workload == UINT32_MAX ? workload : 0;
    *bit = UINT32_C(1) << number % 32;
    return &state->monitors[judged->intent->monitor + number / 32];
}

/* `next` is a successor of `state`, or `state` itself. */
static void arm_one(const struct judged *judged, struct entry_range changed, uint32_t w)
{
    uint32_t bit;
    uint32_t *word = armed_word(judged, judged->next, w, &bit);
    /* The pods of a Job are meant to end, so a lower bound does not apply to them. */
    if (intent_concerns(judged->intent, w) && judged->next->present[w] != WORKLOAD_ABSENT &&
        judged->population->workloads.items[w].kind != OBJECT_JOB && !(*word & bit) &&
        (int64_t)state_workload_ready_after(judged->worker, judged->state, judged->next, changed,
                                            w) >= bound_of(judged, judged->next, w))
        *word |= bit;
}

static void arm(const struct judged *judged)
{
    const struct entry_range changed = state_changed_entries(judged->state, judged->next);
    for (uint32_t w = 0; w < judged->population->managed_count; w++)
        arm_one(judged, changed, w);
}

static bool is_armed(const struct judged *judged, uint32_t w)
{
    uint32_t bit;
    return (*armed_word(judged, judged->next, w, &bit) & bit) != 0;
}

/* Of the pods on nodes of a config. */
static void arm_on(const struct judged *judged, struct entry_range changed, uint32_t config)
{
    const struct config_facts *facts = config_facts(judged->worker, config);
    for (uint32_t p = 0; p < facts->pod_count; p++) {
        const struct revision *of = &judged->population->revisions.items[facts->pods[p].revision];
        if (facts->pods[p].ready > 0 && of->workload < judged->population->managed_count &&
            !is_armed(judged, of->workload))
            arm_one(judged, changed, of->workload);
    }
}

/* Has the entry more nodes of its config than that of this number in the state? */
static bool has_more(const struct state *state, const struct view_node *entry, uint32_t number)
{
    const struct view_node *before = &state->nodes[number];
    return number >= state->node_count || entry->config != before->config ||
           entry->count > before->count;
}

/* The same where the bound is a number of pods, and not none: a step arms a workload only if it
 * gives it ready pods or makes it present. */
static void arm_changed(const struct judged *judged)
{
    const struct state *state = judged->state;
    const struct state *next = judged->next;
    const uint32_t count = judged->population->managed_count;
    const struct entry_range changed = state_changed_entries(state, next);
    const uint32_t end = changed.end < next->node_count ? changed.end : next->node_count;
    for (uint32_t n = changed.first; n < end; n++)
        if (has_more(state, &next->nodes[n], n))
            arm_on(judged, changed, next->nodes[n].config);
    if (memcmp(next->present, state->present, count * sizeof(*next->present)) == 0)
        return;
    for (uint32_t w = 0; w < count; w++)
        if (next->present[w] != state->present[w])
            arm_one(judged, changed, w);
}

static bool mark(const struct judged *judged)
{
    if (judged->intent->source->bound == REPLICAS_NUMBER && judged->intent->source->value > 0)
        arm_changed(judged);
    else
        arm(judged);
    return false;
}

static bool has_too_few(const struct judged *judged, uint32_t workload)
{
    uint32_t bit;
    return (*armed_word(judged, judged->state, workload, &bit) & bit) &&
           (int64_t)state_workload_pods(judged->worker, judged->state, workload).ready <
               bound_of(judged, judged->state, workload);
}

/* Does a budget guard pods of the workload? */
static bool is_guarded(const struct population *population, uint32_t workload)
{
    const struct workload *of = &population->workloads.items[workload];
    for (uint32_t r = of->first_revision; r < of->first_revision + of->revision_count; r++)
        if (population->revisions.items[r].guards.count > 0)
            return true;
    return false;
}

/* The workload that lacks the fewest pods to be armed, or has the fewest to lose since it is; of
 * several one that no budget guards. */
static int64_t nearness_of_too_few(const struct judged *judged)
{
    int64_t nearest = INT64_MIN;
    for (uint32_t w = 0; w < judged->population->managed_count; w++) {
        uint32_t bit;
        if (!intent_concerns(judged->intent, w) || judged->state->present[w] == WORKLOAD_ABSENT ||
            judged->population->workloads.items[w].kind == OBJECT_JOB)
            continue;
        const int64_t spare = (int64_t)state_workload_pods(judged->worker, judged->state, w).ready -
                              bound_of(judged, judged->state, w);
        const bool armed = *armed_word(judged, judged->state, w, &bit) & bit;
        const int64_t nearness =
            2 * (armed ? REPLICAS_MOST - spare : spare) + !is_guarded(judged->population, w);
        nearest = nearness > nearest ? nearness : nearest;
    }
    return nearest;
}

/* Is a bound armed that a workload without pods would break? */
static bool any_is_armed(const struct judged *judged)
{
    uint32_t bit;
    for (uint32_t w = 0; !judged->happening && w < judged->population->managed_count; w++)
        if (intent_concerns(judged->intent, w) &&
            (*armed_word(judged, judged->state, w, &bit) & bit) &&
            bound_of(judged, judged->state, w) > 0)
            return true;
    return false;
}

const struct intent_class intent_replicas_at_least = {
    .violated_by = VIOLATED_BY_STATE,
    .mark = mark,
    .monitor_words = armed_words,
    .begin = arm,
    .displeases = has_too_few,
    .nearness = nearness_of_too_few,
    .applies = any_is_armed,
    .never_applied = "no workload ever had that many ready pods, and at least one",
    .ignores = IGNORES_CREATION_ORDER | IGNORES_OTHER_WORKLOADS | IGNORES_PLACES | IGNORES_ENDS |
               IGNORES_WAITING | IGNORES_LOSSES,
    .ignores_focus = true,
    .refuses_jobs = true,
};

/* ---- replicasAtMost ---- */

static bool has_too_many(const struct judged *judged, uint32_t workload)
{
    return (int64_t)state_workload_active(judged->worker, judged->state, workload) >
           bound_of(judged, judged->state, workload);
}

/* The workload that has the fewest pods to go. */
static int64_t nearness_of_too_many(const struct judged *judged)
{
    int64_t nearest = INT64_MIN;
    for (uint32_t w = 0; w < judged->population->managed_count; w++) {
        if (!intent_concerns(judged->intent, w))
            continue;
        const int64_t nearness = (int64_t)state_workload_active(judged->worker, judged->state, w) -
                                 bound_of(judged, judged->state, w);
        nearest = nearness > nearest ? nearness : nearest;
    }
    return nearest;
}

static bool any_has_pods(const struct judged *judged)
{
    for (uint32_t w = 0; !judged->happening && w < judged->population->managed_count; w++)
        if (intent_concerns(judged->intent, w) &&
            state_workload_active(judged->worker, judged->state, w) > 0)
            return true;
    return false;
}

const struct intent_class intent_replicas_at_most = {
    .violated_by = VIOLATED_BY_STATE,
    .displeases = has_too_many,
    .nearness = nearness_of_too_many,
    .applies = any_has_pods,
    .never_applied = "no workload ever had a pod",
    .ignores = IGNORES_STARTING | IGNORES_CREATION_ORDER | IGNORES_OTHER_WORKLOADS |
               IGNORES_PLACES | IGNORES_ENDS | IGNORES_WAITING | IGNORES_LOSSES,
    .ignores_focus = true,
    .blames = BLAMES_SIZE,
};
