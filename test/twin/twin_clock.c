/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Time, pod by pod and node by node. In an instant what is due comes in any order,
 * once all else has been done; then time passes. Ages count half ticks: even ones are
 * at an instant, odd ones just past it, and beyond the last limit that anybody asks
 * for they stand still. Pods that began in one instant are handled together, and so
 * are nodes of one zone that came into their condition in one instant.
 */
#include "decide/controller/taint_manager.h"
#include "twin/twin_internal.h"

#include <string.h>

/* ---- ages ---- */

static uint32_t cap(const struct limits *limits)
{
    return limits->count == 0 ? 0 : 2 * limits->items[limits->count - 1] + 1;
}

static bool is_at(const struct limits *limits, uint32_t age)
{
    for (uint32_t i = 0; i < limits->count; i++)
        if (age == 2 * limits->items[i])
            return true;
    return false;
}

static uint32_t until_next(const struct limits *limits, uint32_t age)
{
    for (uint32_t i = 0; i < limits->count; i++)
        if (limits->items[i] > age / 2)
            return limits->items[i] - age / 2;
    return ALL;
}

static uint16_t after(const struct limits *limits, uint32_t age, uint32_t ticks)
{
    const uint32_t then = age / 2 * 2 + 2 * ticks;
    return (uint16_t)(age >= cap(limits) || then > cap(limits) ? cap(limits) : then);
}

static const struct limits *start_limits(const struct twin *twin, const struct place_of_pod *pod)
{
    static const struct limits none;
    const struct twin_times *times = &twin->clock.times[pod->revision];
    return pod->stage == POD_IS_BOUND   ? &times->bound
           : pod->stage == POD_STARTS   ? &times->starting
           : pod->stage == POD_IS_READY ? &times->ready
                                        : &none;
}

static const struct limits *since_limits(const struct twin *twin, const struct place_of_pod *pod)
{
    static const struct limits none;
    return pod->stage == POD_IS_READY ? &twin->clock.times[pod->revision].since : &none;
}

bool twin_is_timed(const struct twin *twin, const struct place_of_pod *pod)
{
    return pod->start < cap(start_limits(twin, pod)) || pod->since < cap(since_limits(twin, pod));
}

static uint16_t at_most(uint32_t age, uint32_t most)
{
    return (uint16_t)(age < most ? age : most);
}

void twin_forget_ages(const struct twin *twin, struct twin_state *next)
{
    for (uint32_t p = 0; p < TWIN_PODS_MOST && twin->clocked; p++) {
        struct place_of_pod *pod = &next->pods[p];
        pod->start = at_most(pod->start, cap(start_limits(twin, pod)));
        pod->since = at_most(pod->since, cap(since_limits(twin, pod)));
    }
    for (uint32_t n = 0; n < twin->node_count && twin->clocked; n++)
        next->ages[n] = at_most(next->ages[n], cap(&twin->clock.nodes[next->conditions[n]]));
}

/* ---- pods ---- */

bool twin_starts_by_clock(const struct twin *twin, const struct place_of_pod *pod)
{
    return twin->clocked && twin_is_timed(twin, pod) && twin->clock.times[pod->revision].latest > 0;
}

bool twin_is_available(const struct twin *twin, const struct twin_state *state, uint32_t place)
{
    const struct place_of_pod *pod = &state->pods[place];
    const uint32_t least = twin->clock.times[pod->revision].min_ready;
    return twin_pod_ready(state, place) && (least == 0 || pod->since > 2 * least);
}

static bool are_cohort(const struct place_of_pod *a, const struct place_of_pod *b)
{
    return a->revision == b->revision && a->stage == b->stage && a->start == b->start &&
           a->since == b->since;
}

/* Is it the first of its cohort? Ordinals of a StatefulSet are kinds of their own. */
static bool leads(const struct twin *twin, const struct twin_state *state, uint32_t place)
{
    for (uint32_t p = 0; p < place; p++)
        if (are_cohort(&state->pods[p], &state->pods[place]) &&
            (kind_of(twin, &state->pods[p]) != OBJECT_STATEFUL_SET ||
             state->pods[p].member == state->pods[place].member))
            return false;
    return true;
}

static bool goes_with(const struct twin *twin, const struct twin_state *state, uint32_t place,
                      uint32_t other)
{
    return are_cohort(&state->pods[place], &state->pods[other]) &&
           (kind_of(twin, &state->pods[place]) != OBJECT_STATEFUL_SET || place == other);
}

/* It passes a limit of its age, and maybe comes to the next step of its pattern. */
static void pass_start(struct twin_run *run, uint32_t place)
{
    const struct twin *twin = run->twin;
    const struct place_of_pod *pod = &run->state->pods[place];
    const uint32_t workload = workload_of(twin, pod);
    const uint32_t steps = twin->workloads[workload].pattern_steps;
    const bool moves = is_at(&twin->clock.patterns[workload], pod->start);
    struct twin_state next = *run->state;
    bool moved = false;
    for (uint32_t p = 0; p < TWIN_PODS_MOST; p++) {
        if (!goes_with(twin, run->state, place, p))
            continue;
        next.pods[p].start++;
        if (!moves || next.pods[p].level >= 2 * (steps - 1))
            continue;
        next.pods[p].level = (uint8_t)(next.pods[p].level + 2);
        moved = true;
    }
    twin_emit(run, &next, moved ? TWIN_ACT_USAGE : TWIN_ACT_AGE, about_pod(place), workload, 0,
              FAST);
}

static void pass_since(struct twin_run *run, uint32_t place)
{
    struct twin_state next = *run->state;
    for (uint32_t p = 0; p < TWIN_PODS_MOST; p++)
        if (goes_with(run->twin, run->state, place, p))
            next.pods[p].since++;
    twin_emit(run, &next, TWIN_ACT_AGE, about_pod(place), ALL, 0, FAST);
}

/* All of the cohort whose kubelets work become ready. */
static bool become_ready(struct twin_run *run, uint32_t place)
{
    const struct twin *twin = run->twin;
    struct twin_state next = *run->state;
    bool any = false;
    for (uint32_t p = 0; p < TWIN_PODS_MOST; p++)
        if (goes_with(twin, run->state, place, p) &&
            condition_works((enum twin_condition)next.conditions[next.pods[p].node])) {
            next.pods[p].stage = POD_IS_READY;
            next.pods[p].since = 0;
            any = true;
        }
    if (any)
        twin_emit(run, &next, TWIN_ACT_START, about_pod(place),
                  workload_of(twin, &run->state->pods[place]), 0, FAST);
    return any;
}

/* What is due of a pod's cohort; `may` is set if it may become ready. */
static bool step_pod(struct twin_run *run, uint32_t place, bool *may)
{
    const struct twin *twin = run->twin;
    const struct place_of_pod *pod = &run->state->pods[place];
    const struct twin_times *times = &twin->clock.times[pod->revision];
    bool due = false;
    if (!pod_is_there(pod) || !twin_is_timed(twin, pod) || !leads(twin, run->state, place))
        return false;
    if (is_at(start_limits(twin, pod), pod->start)) {
        pass_start(run, place);
        due = true;
    }
    if (is_at(since_limits(twin, pod), pod->since)) {
        pass_since(run, place);
        due = true;
    }
    if (pod->stage == POD_STARTS && times->latest > 0 && pod->start / 2 >= times->earliest &&
        become_ready(run, place)) {
        due |= pod->start / 2 >= times->latest;
        *may |= pod->start / 2 < times->latest;
    }
    return due;
}

/* ---- nodes ---- */

static bool is_down(enum twin_condition condition)
{
    return condition == DOWN || condition == AWAY || condition == REPAIRED;
}

static bool node_is_timed(const struct twin *twin, const struct twin_state *state, uint32_t node)
{
    return state->ages[node] < cap(&twin->clock.nodes[state->conditions[node]]);
}

/* Without end if it was there before all. */
static uint32_t taint_age(const struct twin *twin, const struct twin_state *state, uint32_t node)
{
    return node_is_timed(twin, state, node) ? state->ages[node] : ALL;
}

bool twin_node_is_older(const struct twin *twin, const struct twin_state *state, uint32_t node,
                        int64_t than)
{
    return than <= 0 || taint_age(twin, state, node) > 2 * (uint64_t)(than / twin->clock.tick);
}

static bool stands_still(struct twin *twin, const struct twin_state *state, uint32_t node)
{
    return is_down((enum twin_condition)state->conditions[node]) && state->ages[node] == 0 &&
           !lifecycle_may_taint(twin, state, node);
}

static bool node_is_tainted(struct twin *twin, const struct twin_state *state, uint32_t node)
{
    return !is_down((enum twin_condition)state->conditions[node]) ||
           (lifecycle_gives_up(twin, state) &&
            (lifecycle_may_taint(twin, state, node) || taint_age(twin, state, node) > 0));
}

bool twin_tolerated_for(struct twin *twin, const struct twin_state *state, uint32_t place,
                        int64_t seconds)
{
    const struct place_of_pod *pod = &state->pods[place];
    if (!node_is_tainted(twin, state, pod->node))
        return false;
    if (seconds <= 0)
        return true;
    const uint64_t past = 2 * (uint64_t)(seconds * NANOSECONDS_PER_SECOND / twin->clock.tick);
    const bool counts = twin_is_timed(twin, pod);
    const bool old_enough = !counts || pod->start > past ||
                            (pod->start == past && !is_at(start_limits(twin, pod), pod->start));
    return old_enough && taint_age(twin, state, pod->node) > past;
}

static bool same_lot(struct twin *twin, const struct twin_state *state, uint32_t a, uint32_t b)
{
    return state->conditions[a] == state->conditions[b] && state->ages[a] == state->ages[b] &&
           twin_zone_of(twin, a) == twin_zone_of(twin, b);
}

static bool step_node(struct twin_run *run, uint32_t node)
{
    struct twin *twin = run->twin;
    const struct twin_state *state = run->state;
    const enum twin_condition condition = (enum twin_condition)state->conditions[node];
    struct twin_state next = *state;
    if (!is_at(&twin->clock.nodes[condition], state->ages[node]))
        return false;
    const struct limits *limits = &twin->clock.nodes[condition];
    const bool last = state->ages[node] == 2 * limits->items[limits->count - 1];
    const bool lost = condition == LOST || condition == LOST_AWAY;
    const bool noticed = lost && last;
    if (lost && !last) {
        struct twin_state one = *state;
        set_condition(twin, &one, node, condition == LOST ? DOWN : REPAIRED);
        twin_emit(run, &one, TWIN_ACT_NODE_NOTICED, about_node(node), ALL, 0, FAST);
    }
    for (uint32_t n = 0; n < node; n++)
        if (same_lot(twin, state, n, node))
            return true;
    for (uint32_t n = node; n < twin->node_count; n++) {
        if (!same_lot(twin, state, n, node))
            continue;
        next.ages[n]++;
        if (noticed)
            set_condition(twin, &next, n, condition == LOST ? DOWN : REPAIRED);
    }
    twin_emit(run, &next, noticed ? TWIN_ACT_NODE_NOTICED : TWIN_ACT_AGE, about_node(node), ALL, 0,
              FAST);
    return true;
}

/* When nobody answers any more, all taints are taken back. */
static bool take_taints_back(struct twin_run *run)
{
    struct twin *twin = run->twin;
    const struct twin_state *state = run->state;
    struct twin_state next = *state;
    bool any = false;
    for (uint32_t n = 0; n < twin->node_count; n++) {
        if (twin->clock.nodes[state->conditions[n]].count == 0 || taint_age(twin, state, n) == 0 ||
            !is_down((enum twin_condition)state->conditions[n]))
            continue;
        next.ages[n] = 0;
        any = true;
    }
    if (!any || lifecycle_gives_up(twin, state))
        return false;
    twin_emit(run, &next, TWIN_ACT_AGE, 0, ALL, 0, FAST);
    return true;
}

/* ---- time ---- */

static bool anything_may_come(const struct twin_run *run)
{
    const struct twin *twin = run->twin;
    for (uint32_t e = 0; e < twin->event_count; e++) {
        const struct check_event *event = twin->events[e].event;
        if (event->kind != EVENT_CPU_PATTERN && event->kind != EVENT_LOAD_PATTERN &&
            event->kind != EVENT_KERNEL_PANIC &&
            (event->repeats || event->recovers || run->state->used[e] < (uint32_t)event->at_most))
            return true;
    }
    for (uint32_t n = 0; n < twin->node_count; n++)
        if (condition_returns((enum twin_condition)run->state->conditions[n]) ||
            run->state->conditions[n] == ORDERED)
            return true;
    for (uint32_t p = 0; p < TWIN_PODS_MOST; p++) {
        const struct place_of_pod *pod = &run->state->pods[p];
        if (pod->stage == POD_IS_READY && kind_of(twin, pod) == OBJECT_JOB &&
            (run->state->conditions[pod->node] == UP ||
             run->state->conditions[pod->node] == CORDONED ||
             run->state->conditions[pod->node] == CANDIDATE ||
             run->state->conditions[pod->node] == SPARE ||
             run->state->conditions[pod->node] == LEAVING))
            return true;
    }
    return false;
}

static uint32_t lesser(uint32_t a, uint32_t b)
{
    return a < b ? a : b;
}

static bool autoscales(const struct twin *twin, uint32_t *workload)
{
    for (uint32_t w = 0; w < twin->workload_count; w++)
        if (twin->workloads[w].setup->autoscaler) {
            *workload = w;
            return true;
        }
    return false;
}

static uint32_t nodes_until_due(struct twin *twin, const struct twin_state *state)
{
    uint32_t least = ALL;
    for (uint32_t n = 0; n < twin->node_count; n++)
        if (node_is_timed(twin, state, n) && !stands_still(twin, state, n))
            least =
                lesser(least, until_next(&twin->clock.nodes[state->conditions[n]], state->ages[n]));
    return least;
}

static uint32_t until_due(struct twin_run *run)
{
    struct twin *twin = run->twin;
    const struct twin_state *state = run->state;
    uint32_t workload;
    uint32_t least = lesser(nodes_until_due(twin, state), twin_words_until_due(twin, state));
    if (autoscales(twin, &workload))
        least = lesser(least, state->sync_left);
    if (twin->clock.cycle_period > 0)
        least = lesser(least, state->cycle_left);
    if (state->cooldown_left > 0)
        least = lesser(least, state->cooldown_left);
    if (twin->clock.wave != NOBODY)
        least = lesser(least, state->wave_left);
    for (uint32_t p = 0; p < TWIN_PODS_MOST; p++) {
        const struct place_of_pod *pod = &state->pods[p];
        const uint32_t earliest = twin->clock.times[pod->revision].earliest;
        if (!pod_is_there(pod) || !twin_is_timed(twin, pod))
            continue;
        least = lesser(least, until_next(start_limits(twin, pod), pod->start));
        least = lesser(least, until_next(since_limits(twin, pod), pod->since));
        if (pod->stage == POD_STARTS && earliest > pod->start / 2U)
            least = lesser(least, earliest - pod->start / 2U);
    }
    return least;
}

static void pass_time(struct twin_run *run, uint32_t ticks)
{
    struct twin *twin = run->twin;
    struct twin_state next = *run->state;
    uint32_t workload;
    if (autoscales(twin, &workload))
        next.sync_left -= ticks;
    if (twin->clock.cycle_period > 0)
        next.cycle_left -= ticks;
    if (next.cooldown_left > 0)
        next.cooldown_left -= ticks;
    if (twin->clock.wave != NOBODY)
        next.wave_left -= ticks;
    for (uint32_t p = 0; p < TWIN_PODS_MOST; p++) {
        struct place_of_pod *pod = &next.pods[p];
        if (!pod_is_there(pod))
            continue;
        pod->start = after(start_limits(twin, pod), pod->start, ticks);
        pod->since = after(since_limits(twin, pod), pod->since, ticks);
    }
    for (uint32_t n = 0; n < twin->node_count; n++)
        if (!stands_still(twin, run->state, n))
            next.ages[n] = after(&twin->clock.nodes[next.conditions[n]], next.ages[n], ticks);
    twin_words_wait(twin, &next, ticks);
    twin_emit(run, &next, TWIN_ACT_TIME, 0, ALL, 0, FAST);
}

/* Is something under way that ends by itself? */
static bool is_under_way(struct twin_run *run)
{
    struct twin *twin = run->twin;
    const struct twin_state *state = run->state;
    if (nodes_until_due(twin, state) != ALL || state->cooldown_left > 0)
        return true;
    for (uint32_t p = 0; p < TWIN_PODS_MOST; p++) {
        const struct place_of_pod *pod = &state->pods[p];
        if (!pod_is_active(pod) || pod->node == NOBODY)
            continue;
        if (pod->stage == POD_STARTS && twin_starts_by_clock(twin, pod))
            return true;
        const struct node *node =
            twin->catalog->templates.items[node_template_of(twin, state, pod->node)]->node;
        if (twin_tolerated_seconds(twin, node, pod->revision, lifecycle_gives_up(twin, state)) !=
                TOLERATED_FOREVER &&
            node_is_tainted(twin, state, pod->node))
            return true;
    }
    return false;
}

static void step_wave(struct twin_run *run)
{
    const struct twin *twin = run->twin;
    const struct twin_event *event = &twin->events[twin->clock.wave];
    const uint32_t now = run->state->load[event->workload] - 1 - event->first;
    const uint32_t then = (now + 1) % event->event->pattern_count;
    struct twin_state next = *run->state;
    next.load[event->workload] = event->first + then + 1;
    next.wave_left = twin->clock.wave_lengths[then];
    twin_emit(run, &next, TWIN_ACT_WAVE, about_workload(event->workload), event->workload, 0, FAST);
}

bool twin_clock_steps(struct twin_run *run, bool idle, bool periodic)
{
    struct twin *twin = run->twin;
    const struct twin_state *state = run->state;
    uint32_t workload;
    bool due = false;
    bool may_start = false;
    run->look = LOOKS_NOW_AND_THEN;
    if (periodic && autoscales(twin, &workload) && state->sync_left == 0) {
        twin_sync_autoscaler(run, workload);
        due = true;
    }
    if (periodic && twin->clock.cycle_period > 0 && state->cycle_left == 0) {
        twin_deschedule(run);
        due = true;
    }
    if (periodic)
        due |= twin_scale_up_now(run, idle);
    if (periodic && idle)
        due |= twin_scale_down_now(run);
    run->look = LOOKS_AT_REST;
    if (!idle)
        return false;
    for (uint32_t p = 0; p < TWIN_PODS_MOST; p++)
        due |= step_pod(run, p, &may_start);
    due |= take_taints_back(run);
    for (uint32_t n = 0; n < twin->node_count; n++)
        due |= step_node(run, n);
    if (twin->clock.wave != NOBODY && state->wave_left == 0) {
        step_wave(run);
        due = true;
    }
    if (due)
        return false;
    const uint32_t ticks = until_due(run);
    if (ticks != ALL)
        pass_time(
            run, may_start || anything_may_come(run) || twin->manner == TWIN_TAKES_ALL ? 1 : ticks);
    return !is_under_way(run);
}

void twin_each_start(const struct twin *twin, struct step_sink *sink)
{
    uint32_t workload;
    const uint32_t syncs = autoscales(twin, &workload) ? twin->clock.sync_period : 1;
    const uint32_t cycles = twin->clock.cycle_period > 0 ? twin->clock.cycle_period : 1;
    for (uint32_t s = 0; s < syncs; s++)
        for (uint32_t c = 0; c < cycles; c++) {
            struct twin_state state = twin->initial;
            uint32_t words[STATE_WORDS];
            state.sync_left = s;
            state.cycle_left = c;
            twin_forget_ages(twin, &state);
            memcpy(words, &state, sizeof(state));
            step_sink_emit(sink, &(struct step){.words = words, .length = STATE_WORDS});
        }
}
