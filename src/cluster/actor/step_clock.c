/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Steps of clocked time. Once the fast steps of an instant are done, what is
 * due comes in any order; once nothing is due, time passes: to the next instant
 * at which something is due, or by a single tick while something may happen at
 * any time (an event, a pod that becomes ready, a node that returns).
 */
#include "cluster/actor/step_clock.h"
#include "cluster/actor/step_clock_jobs.h"
#include "cluster/actor/step_clock_nodes.h"
#include "cluster/ask/attachments.h"
#include "cluster/ask/lifecycle.h"
#include "cluster/ask/taint_ages.h"
#include "cluster/ask/tolerations.h"
#include "cluster/emit.h"
#include "cluster/event_type.h"
#include "cluster/intent/intents.h"
#include "cluster/state/actions.h"
#include "cluster/state/classes.h"
#include "cluster/state/clock.h"
#include "cluster/state/clock_words.h"
#include "cluster/state/config_facts.h"
#include "cluster/state/configs.h"
#include "cluster/state/events.h"
#include "cluster/state/happening.h"
#include "cluster/state/nodes.h"
#include "cluster/state/population_model.h"
#include "cluster/state/state.h"
#include "cluster/state/worker.h"
#include "cluster/state/workloads.h"
#include "decide/controller/taint_manager.h"

/* ---- pods ---- */

/* A pod of the slot becomes ready if a kubelet that works looks after it. */
static uint32_t become_ready(const struct pod_walk *pods, const void *slot)
{
    const struct class_info *info = pods->info;
    return info->slot == *(const uint32_t *)slot && info->stage == STAGE_STARTING &&
                   condition_traits[config_condition(pods->worker, pods->config->id)].works
               ? class_like(pods->worker, info, STAGE_READY, info->level)
               : VIEW_NONE;
}

/* A pod of the slot takes the next step of its pattern of usage, unless an event changed its
 * usage. */
static uint32_t move_on(const struct pod_walk *pods, const void *slot)
{
    const struct class_info *info = pods->info;
    const struct workload *workload = revision_workload(pods->worker->population, info->revision);
    return info->slot == *(const uint32_t *)slot && info->level < 2 * (workload->pattern_steps - 1)
               ? class_like(pods->worker, info, info->stage, info->level + 2)
               : VIEW_NONE;
}

/* The cohorts of a new state, to be written. */
static struct cohort *own_cohorts(struct worker *worker, struct state *state)
{
    struct clocks *clocks = &state->clocks;
    struct cohort *cohorts =
        arena_copy(&worker->scratch, clocks->cohorts, clocks->cohort_count * sizeof(*cohorts));
    clocks->cohorts = cohorts;
    return cohorts;
}

/* The cohort passes a threshold of its age: since its start, or since it came into its stage. */
static void pass_threshold(struct expansion *expansion, uint32_t number, bool of_start)
{
    const struct population *population = expansion->population;
    struct state *next = state_copy(expansion->worker, expansion->state);
    struct cohort *cohort = &own_cohorts(expansion->worker, next)[number];
    const uint32_t workload = population->revisions.items[cohort->revision].workload;
    const uint32_t slot = number + SLOT_FIRST;
    uint32_t moved = 0;
    if (of_start && age_is_at(&population->clock->patterns[workload], cohort->start))
        moved = state_change_pods(expansion->worker, next, move_on, &slot);
    cohort->start += of_start;
    cohort->since += !of_start;
    expansion_emit(expansion, next,
                   happening_with(population, moved > 0 ? ACT_USAGE : ACT_AGE, cohort->revision,
                                  UINT32_MAX, moved));
}

/* Pods of the cohort that have disks become ready one by one: a pod that becomes ready may keep
 * another one from it. */
static bool start_with_disks(struct expansion *expansion, uint32_t number)
{
    const struct population *population = expansion->population;
    const uint32_t revision = expansion->state->clocks.cohorts[number].revision;
    const uint32_t slot = number + SLOT_FIRST;
    bool started = false;
    for (struct pod_walk pods = pods_on_nodes(expansion->worker, expansion->state);
         pods_next(&pods);) {
        const uint32_t ready = become_ready(&pods, &slot);
        if (ready == VIEW_NONE)
            continue;
        const bool waits =
            disk_attached_elsewhere(expansion->worker, expansion->state, pods.entry, revision);
        if (waits)
            expansion_emit_idle(
                expansion, happening_with(population, ACT_MULTI_ATTACH, revision, pods.entry, 1));
        else
            expansion_emit_pod(expansion, pods.class, ready,
                               happening_with(population, ACT_START, revision, pods.entry, 1));
        started |= !waits;
    }
    return started;
}

/* All pods of the cohort become ready, on nodes whose kubelet works. */
static bool start_cohort(struct expansion *expansion, uint32_t number)
{
    const uint32_t revision = expansion->state->clocks.cohorts[number].revision;
    const uint32_t slot = number + SLOT_FIRST;
    if (expansion->population->revisions.items[revision].disks.count > 0)
        return start_with_disks(expansion, number);
    struct state *next = state_copy(expansion->worker, expansion->state);
    const uint32_t started = state_change_pods(expansion->worker, next, become_ready, &slot);
    if (started > 0)
        expansion_emit(
            expansion, next,
            happening_with(expansion->population, ACT_START, revision, UINT32_MAX, started));
    return started > 0;
}

/* What is due of a cohort; `may` is set if it may become ready. */
static bool step_cohort(struct expansion *expansion, uint32_t number, bool *may)
{
    const struct cohort *cohort = &expansion->state->clocks.cohorts[number];
    const struct pod_times *times = &expansion->population->clock->pods[cohort->revision];
    const bool passes_start = age_is_at(&times->start[cohort->stage], cohort->start);
    const bool passes_since = age_is_at(&times->since[cohort->stage], cohort->since);
    bool due = passes_start || passes_since;
    if (passes_start)
        pass_threshold(expansion, number, true);
    if (passes_since)
        pass_threshold(expansion, number, false);
    if (cohort->stage == STAGE_STARTING && times->ready_latest > 0 &&
        cohort->start / 2 >= times->ready_earliest && start_cohort(expansion, number)) {
        due |= cohort->start / 2 >= times->ready_latest;
        *may |= cohort->start / 2 < times->ready_latest;
    }
    return due;
}

/* ---- waves ---- */

/* The load of a workload takes the next step of its pattern. */
static void step_wave(struct expansion *expansion, uint32_t number)
{
    const struct population *population = expansion->population;
    const struct wave *wave = &population->clock->waves[number];
    const struct population_event *event = &population->events.items[wave->event];
    const uint32_t load = population->workloads.items[event->workload].load - 1;
    const uint32_t now = expansion->state->loads[load] - 1 - event->first_level;
    const uint32_t then = (now + 1) % event->event->pattern_count;
    struct state *next = state_copy(expansion->worker, expansion->state);
    next->loads[load] = event->first_level + then + 1;
    next->clocks.wave_left[number] = wave->lengths[then];
    struct happening happening = happening_to(ACT_WAVE, event->workload, then);
    expansion_emit(expansion, next, happening);
}

/* ---- time ---- */

/* May something happen at any time, so that every tick counts? */
static bool anything_may_come(const struct expansion *expansion)
{
    struct worker *worker = expansion->worker;
    const struct population *population = expansion->population;
    for (uint32_t e = 0; e < population->events.count; e++) {
        const struct check_event *event = population->events.items[e].event;
        if (population->events.items[e].type->emit &&
            (event->repeats || event->recovers ||
             expansion->state->event_used[e] < (uint32_t)event->at_most))
            return true;
    }
    for (uint32_t n = 0; n < expansion->state->node_count; n++) {
        const enum node_condition condition =
            config_condition(worker, expansion->state->nodes[n].config);
        if (condition_traits[condition].returns || condition == NODE_ORDERED)
            return true;
    }
    return clock_jobs_may_end(expansion);
}

/* Ticks until something is due; UINT32_MAX: nothing ever is. */
static uint32_t until_due(const struct expansion *expansion)
{
    const struct clock *clock = expansion->population->clock;
    const struct clocks *clocks = &expansion->state->clocks;
    uint32_t least = UINT32_MAX;
    for (uint32_t a = 0; a < expansion->population->autoscalers.count; a++)
        least = lesser(least, clocks->sync_left[a]);
    if (clock->cycle_period > 0)
        least = lesser(least, clocks->cycle_left);
    if (clocks->cooldown_left > 0)
        least = lesser(least, clocks->cooldown_left);
    for (uint32_t w = 0; w < clock->wave_count; w++)
        least = lesser(least, clocks->wave_left[w]);
    for (uint32_t i = 0; i < clocks->cohort_count; i++) {
        const struct cohort *cohort = &clocks->cohorts[i];
        const struct pod_times *times = &clock->pods[cohort->revision];
        least = lesser(least, age_until_next(&times->start[cohort->stage], cohort->start));
        least = lesser(least, age_until_next(&times->since[cohort->stage], cohort->since));
        if (cohort->stage == STAGE_STARTING && times->ready_earliest > cohort->start / 2)
            least = lesser(least, times->ready_earliest - cohort->start / 2);
    }
    least = lesser(least, intents_until_due(expansion->worker, expansion->state));
    return lesser(least, lesser(clock_nodes_until_due(expansion), clock_jobs_until_due(expansion)));
}

static void pass_time(struct expansion *expansion, uint32_t ticks)
{
    const struct clock *clock = expansion->population->clock;
    struct state *next = state_copy(expansion->worker, expansion->state);
    struct cohort *cohorts = own_cohorts(expansion->worker, next);
    for (uint32_t a = 0; a < expansion->population->autoscalers.count; a++)
        next->clocks.sync_left[a] -= ticks;
    if (clock->cycle_period > 0)
        next->clocks.cycle_left -= ticks;
    if (next->clocks.cooldown_left > 0)
        next->clocks.cooldown_left -= ticks;
    for (uint32_t w = 0; w < clock->wave_count; w++)
        next->clocks.wave_left[w] -= ticks;
    for (uint32_t i = 0; i < next->clocks.cohort_count; i++) {
        const struct pod_times *times = &clock->pods[cohorts[i].revision];
        cohorts[i].start = age_after(cohorts[i].start, &times->start[cohorts[i].stage], ticks);
        cohorts[i].since = age_after(cohorts[i].since, &times->since[cohorts[i].stage], ticks);
    }
    clock_nodes_age(expansion, next, ticks);
    clock_jobs_age(expansion, next, ticks);
    expansion_emit(expansion, next, happening_to(ACT_TIME, UINT32_MAX, ticks));
}

/* Will something happen without another step: does a pod start, is a node down
 * but not noticed, will a pod be evicted because of a taint? */
static bool under_way(const struct expansion *expansion)
{
    struct worker *worker = expansion->worker;
    const struct population *population = expansion->population;
    const struct state *state = expansion->state;
    for (uint32_t i = 0; i < state->clocks.cohort_count; i++)
        if (state->clocks.cohorts[i].stage == STAGE_STARTING &&
            population->clock->pods[state->clocks.cohorts[i].revision].ready_latest > 0)
            return true;
    if (clock_nodes_until_due(expansion) != UINT32_MAX || state->clocks.cooldown_left > 0)
        return true;
    const bool evicts = lifecycle_evicts(worker, state);
    for (struct pod_walk pods = pods_on_nodes(worker, state); pods_next(&pods);)
        if (pods.info->stage != STAGE_TERMINATING &&
            node_tolerated_seconds(&worker->scratch, pods.config->template->node,
                                   &population->revisions.items[pods.info->revision].pod->spec,
                                   evicts) != TOLERATED_FOREVER &&
            clock_node_is_tainted(worker, state, pods.entry))
            return true;
    return false;
}

bool step_clock(struct expansion *expansion, bool due)
{
    const struct clocks *clocks = &expansion->state->clocks;
    bool may_start = false;
    for (uint32_t i = 0; i < clocks->cohort_count; i++)
        due |= step_cohort(expansion, i, &may_start);
    due |= step_clock_nodes(expansion);
    due |= clock_jobs_must_end(expansion);
    for (uint32_t w = 0; w < expansion->population->clock->wave_count; w++)
        if (clocks->wave_left[w] == 0) {
            step_wave(expansion, w);
            due = true;
        }
    if (due)
        return false;
    const uint32_t ticks = until_due(expansion);
    if (ticks != UINT32_MAX)
        pass_time(expansion, may_start || anything_may_come(expansion) ? 1 : ticks);
    return !under_way(expansion);
}
