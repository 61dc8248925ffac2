/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Steps of clocked time. Once the fast steps of an instant are done, what is
 * due comes in any order; once nothing is due, time passes: to the next instant
 * at which something is due, or by a single tick while something may happen at
 * any time (an event, a pod that becomes ready, a node that returns).
 */
#include "model/population/clock.h"

#include "model/controller/taint_manager.h"

#include <string.h>

static bool contains(const struct thresholds *thresholds, uint32_t ticks)
{
    for (uint32_t i = 0; i < thresholds->count; i++)
        if (thresholds->items[i] == ticks)
            return true;
    return false;
}

/* At a threshold, and not past it yet. */
static bool at_threshold(const struct thresholds *thresholds, uint32_t age)
{
    return age % 2 == 0 && contains(thresholds, age / 2);
}

/* Ticks until the next threshold; UINT32_MAX: none is left. */
static uint32_t until_next(const struct thresholds *thresholds, uint32_t age)
{
    for (uint32_t i = 0; i < thresholds->count; i++)
        if (thresholds->items[i] > age / 2)
            return thresholds->items[i] - age / 2;
    return UINT32_MAX;
}

static uint32_t lesser(uint32_t a, uint32_t b)
{
    return a < b ? a : b;
}

static struct happening about(enum population_action action, uint32_t revision, uint32_t amount)
{
    return (struct happening){.action = action,
                              .workload = UINT32_MAX,
                              .revision = revision,
                              .node = UINT32_MAX,
                              .amount = amount};
}

/* ---- pods ---- */

static bool kubelet_works(const struct population *population, uint32_t config)
{
    return condition_traits[config_condition(population, config)].works;
}

/* Every pod in the slot becomes one of another class, of which `change` is asked
 * (VIEW_NONE: it stays). Gives the number of pods changed. */
static uint32_t change_cohort(struct population *population, struct population_state *next,
                              uint32_t slot, bool only_working,
                              uint32_t (*change)(struct population *population,
                                                 const struct class_info *info))
{
    uint32_t total = 0;
    for (uint32_t n = 0; n < next->node_count; n++) {
        uint32_t config = next->nodes[n].config;
        if (only_working && !kubelet_works(population, config))
            continue;
        const struct node_config *before = population->catalog->configs.items[config];
        for (uint32_t p = 0; p < before->pod_entry_count; p++) {
            const struct class_info info = population->classes.items[before->pods[p].pod];
            const uint32_t to = info.slot == slot ? change(population, &info) : VIEW_NONE;
            if (to == VIEW_NONE)
                continue;
            for (uint32_t i = 0; i < before->pods[p].count; i++)
                config = config_replace(population, config, before->pods[p].pod, to);
            total += before->pods[p].count * next->nodes[n].count;
        }
        next->nodes[n].config = config;
    }
    return total;
}

static uint32_t become_ready(struct population *population, const struct class_info *info)
{
    return info->stage == STAGE_STARTING
               ? class_in_slot(population, info->revision, STAGE_READY, info->level, info->slot)
               : VIEW_NONE;
}

/* The next step of its pattern of usage, unless an event changed its usage. */
static uint32_t move_on(struct population *population, const struct class_info *info)
{
    const uint32_t workload = population->revisions.items[info->revision].workload;
    const uint32_t last = 2 * (population->workloads.items[workload].pattern_steps - 1);
    return info->level < last
               ? class_in_slot(population, info->revision, info->stage, info->level + 2, info->slot)
               : VIEW_NONE;
}

static struct cohort *own_cohorts(struct population *population, struct population_state *state)
{
    const uint32_t count = state->clocks.cohort_count;
    struct cohort *cohorts = ARENA_ARRAY(&population->scratch, struct cohort, count + 1);
    if (count > 0)
        memcpy(cohorts, state->clocks.cohorts, count * sizeof(*cohorts));
    state->clocks.cohorts = cohorts;
    return cohorts;
}

/* The cohort passes a threshold of its age since the start. */
static void pass_start(struct expansion *expansion, uint32_t number)
{
    struct population *population = expansion->population;
    struct population_state *next = state_copy(population, expansion->state);
    struct cohort *cohort = &own_cohorts(population, next)[number];
    const uint32_t workload = population->revisions.items[cohort->revision].workload;
    uint32_t moved = 0;
    cohort->start++;
    if (contains(&population->clock->patterns[workload], cohort->start / 2))
        moved = change_cohort(population, next, number + SLOT_FIRST, false, move_on);
    struct happening happening = about(moved > 0 ? ACT_USAGE : ACT_AGE, cohort->revision, moved);
    happening.workload = workload;
    expansion_emit(expansion, next, &happening);
}

static void pass_since(struct expansion *expansion, uint32_t number)
{
    struct population *population = expansion->population;
    struct population_state *next = state_copy(population, expansion->state);
    struct cohort *cohort = &own_cohorts(population, next)[number];
    const struct happening happening = about(ACT_AGE, cohort->revision, 0);
    cohort->since++;
    expansion_emit(expansion, next, &happening);
}

/* All pods of the cohort become ready, on nodes whose kubelet works. */
static bool start_cohort(struct expansion *expansion, uint32_t number)
{
    struct population *population = expansion->population;
    const uint32_t revision = expansion->state->clocks.cohorts[number].revision;
    struct population_state *next = state_copy(population, expansion->state);
    const uint32_t started =
        change_cohort(population, next, number + SLOT_FIRST, true, become_ready);
    struct happening happening = about(ACT_START, revision, started);
    happening.workload = population->revisions.items[revision].workload;
    if (started > 0)
        expansion_emit(expansion, next, &happening);
    return started > 0;
}

bool clock_starts_pod(const struct population *population, const struct class_info *info)
{
    return population->clock && info->slot != SLOT_NONE &&
           population->clock->pods[info->revision].ready_latest > 0;
}

/* What is due of a cohort; `may` is set if it may become ready. */
static bool step_cohort(struct expansion *expansion, uint32_t number, bool *may)
{
    const struct cohort *cohort = &expansion->state->clocks.cohorts[number];
    const struct pod_times *times = &expansion->population->clock->pods[cohort->revision];
    bool due = false;
    if (at_threshold(&times->start[cohort->stage], cohort->start)) {
        pass_start(expansion, number);
        due = true;
    }
    if (at_threshold(&times->since[cohort->stage], cohort->since)) {
        pass_since(expansion, number);
        due = true;
    }
    if (cohort->stage == STAGE_STARTING && times->ready_latest > 0 &&
        cohort->start / 2 >= times->ready_earliest && start_cohort(expansion, number)) {
        due |= cohort->start / 2 >= times->ready_latest;
        *may |= cohort->start / 2 < times->ready_latest;
    }
    return due;
}

/* ---- nodes ---- */

static struct node_cohort *own_node_cohorts(struct population *population,
                                            struct population_state *state)
{
    const uint32_t count = state->clocks.node_cohort_count;
    struct node_cohort *cohorts = ARENA_ARRAY(&population->scratch, struct node_cohort, count + 1);
    if (count > 0)
        memcpy(cohorts, state->clocks.node_cohorts, count * sizeof(*cohorts));
    state->clocks.node_cohorts = cohorts;
    return cohorts;
}

/* The node lifecycle controller has not heard of the nodes for too long. */
static void notice_nodes(struct expansion *expansion, uint32_t slot, enum node_condition condition)
{
    struct population *population = expansion->population;
    struct population_state *next = state_copy(population, expansion->state);
    struct happening happening = about(ACT_NODE_NOTICED, UINT32_MAX, 0);
    for (uint32_t n = 0; n < next->node_count; n++) {
        const struct node_config *config =
            population->catalog->configs.items[next->nodes[n].config];
        if (population->templates.items[config->template->id].slot != slot)
            continue;
        next->nodes[n].config = config_with_condition(population, next->nodes[n].config, condition);
        happening.node = n;
    }
    expansion_emit(expansion, next, &happening);
}

static bool step_node_cohort(struct expansion *expansion, uint32_t number)
{
    struct population *population = expansion->population;
    const struct node_cohort *cohort = &expansion->state->clocks.node_cohorts[number];
    if (!at_threshold(&population->clock->nodes[cohort->condition], cohort->age))
        return false;
    if (cohort->condition == NODE_LOST || cohort->condition == NODE_LOST_AWAY) {
        notice_nodes(expansion, number + SLOT_FIRST,
                     cohort->condition == NODE_LOST ? NODE_DOWN : NODE_AWAY);
        return true;
    }
    struct population_state *next = state_copy(population, expansion->state);
    own_node_cohorts(population, next)[number].age++;
    const struct happening happening = about(ACT_AGE, UINT32_MAX, 0);
    expansion_emit(expansion, next, &happening);
    return true;
}

/* The age of the taint, in half ticks; without end if it was there before all. */
static uint32_t taint_age(const struct population *population, const struct population_state *state,
                          uint32_t entry)
{
    const struct node_config *config =
        population->catalog->configs.items[state->nodes[entry].config];
    const uint32_t slot = population->templates.items[config->template->id].slot;
    if (slot == SLOT_NEW)
        return 0;
    return slot == SLOT_NONE ? UINT32_MAX : state->clocks.node_cohorts[slot - SLOT_FIRST].age;
}

bool clock_tolerated_for(const struct population *population, const struct population_state *state,
                         uint32_t entry, uint32_t class, int64_t seconds)
{
    const uint64_t past =
        2 * (uint64_t)(seconds * NANOSECONDS_PER_SECOND / population->clock->tick_ns);
    const uint32_t start = cohort_start(state, population->classes.items[class].slot);
    return start > past && taint_age(population, state, entry) > past;
}

/* ---- time ---- */

/* May something happen at any time, so that every tick counts? */
static bool anything_may_come(const struct expansion *expansion)
{
    const struct population *population = expansion->population;
    for (uint32_t e = 0; e < population->events.count; e++) {
        const struct check_event *event = population->events.items[e].event;
        if (event->kind != EVENT_CPU_PATTERN && event->kind != EVENT_KERNEL_PANIC &&
            (event->repeats || event->recovers ||
             expansion->state->event_used[e] < (uint32_t)event->at_most))
            return true;
    }
    for (uint32_t n = 0; n < expansion->state->node_count; n++) {
        if (condition_traits[config_condition(population, expansion->state->nodes[n].config)]
                .returns)
            return true;
    }
    return jobs_run(population, expansion->state);
}

/* Ticks until something is due; UINT32_MAX: nothing ever is. */
static uint32_t until_due(const struct expansion *expansion)
{
    const struct population *population = expansion->population;
    const struct clock *clock = population->clock;
    const struct clocks *clocks = &expansion->state->clocks;
    uint32_t least = UINT32_MAX;
    for (uint32_t a = 0; a < population->autoscalers.count; a++)
        least = lesser(least, clocks->sync_left[a]);
    if (clock->cycle_period > 0)
        least = lesser(least, clocks->cycle_left);
    for (uint32_t i = 0; i < clocks->cohort_count; i++) {
        const struct cohort *cohort = &clocks->cohorts[i];
        const struct pod_times *times = &clock->pods[cohort->revision];
        least = lesser(least, until_next(&times->start[cohort->stage], cohort->start));
        least = lesser(least, until_next(&times->since[cohort->stage], cohort->since));
        if (cohort->stage == STAGE_STARTING && times->ready_earliest > cohort->start / 2)
            least = lesser(least, times->ready_earliest - cohort->start / 2);
    }
    for (uint32_t i = 0; i < clocks->node_cohort_count; i++)
        least = lesser(least, until_next(&clock->nodes[clocks->node_cohorts[i].condition],
                                         clocks->node_cohorts[i].age));
    return least;
}

/* An age beyond the last threshold stands still: it is not told from any other. */
static uint32_t aged(uint32_t age, const struct thresholds *thresholds, uint32_t ticks)
{
    const uint32_t most = age_cap(thresholds);
    return age >= most ? most : lesser(age / 2 * 2 + 2 * ticks, most);
}

static void pass_time(struct expansion *expansion, uint32_t ticks)
{
    struct population *population = expansion->population;
    const struct clock *clock = population->clock;
    struct population_state *next = state_copy(population, expansion->state);
    struct cohort *cohorts = own_cohorts(population, next);
    struct node_cohort *nodes = own_node_cohorts(population, next);
    for (uint32_t a = 0; a < population->autoscalers.count; a++)
        next->clocks.sync_left[a] -= ticks;
    if (clock->cycle_period > 0)
        next->clocks.cycle_left -= ticks;
    for (uint32_t i = 0; i < next->clocks.cohort_count; i++) {
        const struct pod_times *times = &clock->pods[cohorts[i].revision];
        cohorts[i].start = aged(cohorts[i].start, &times->start[cohorts[i].stage], ticks);
        cohorts[i].since = aged(cohorts[i].since, &times->since[cohorts[i].stage], ticks);
    }
    for (uint32_t i = 0; i < next->clocks.node_cohort_count; i++)
        nodes[i].age = aged(nodes[i].age, &clock->nodes[nodes[i].condition], ticks);
    const struct happening happening = about(ACT_TIME, UINT32_MAX, ticks);
    expansion_emit(expansion, next, &happening);
}

/* Is something under way that ends by itself: a pod that starts, a node that is
 * down but not noticed, a pod that a taint will drive out? */
static bool under_way(const struct expansion *expansion)
{
    struct population *population = expansion->population;
    const struct population_state *state = expansion->state;
    for (uint32_t i = 0; i < state->clocks.cohort_count; i++)
        if (state->clocks.cohorts[i].stage == STAGE_STARTING &&
            population->clock->pods[state->clocks.cohorts[i].revision].ready_latest > 0)
            return true;
    if (state->clocks.node_cohort_count > 0)
        return true;
    const bool evicts = lifecycle_evicts(population, state);
    for (uint32_t n = 0; n < state->node_count; n++) {
        const struct node_config *config =
            population->catalog->configs.items[state->nodes[n].config];
        for (uint32_t p = 0; p < config->pod_entry_count; p++) {
            const struct class_info *info = &population->classes.items[config->pods[p].pod];
            if (info->stage == STAGE_STARTING || info->stage == STAGE_READY) {
                const int64_t seconds = node_tolerated_seconds(
                    &population->scratch, config->template->node,
                    &population->revisions.items[info->revision].pod->spec, evicts);
                if (seconds != TOLERATED_FOREVER)
                    return true;
            }
        }
    }
    return false;
}

bool step_clock(struct expansion *expansion, bool settled)
{
    const struct population *population = expansion->population;
    const struct clock *clock = population->clock;
    const struct clocks *clocks = &expansion->state->clocks;
    bool due = false;
    bool may_start = false;
    if (settled || population->options.full_interleaving) {
        for (uint32_t a = 0; a < population->autoscalers.count; a++)
            if (clocks->sync_left[a] == 0) {
                sync_autoscaler(expansion, a);
                due = true;
            }
        if (clock->cycle_period > 0 && clocks->cycle_left == 0) {
            cycle_descheduler(expansion);
            due = true;
        }
    }
    if (!settled)
        return false;
    for (uint32_t i = 0; i < clocks->cohort_count; i++)
        due |= step_cohort(expansion, i, &may_start);
    for (uint32_t i = 0; i < clocks->node_cohort_count; i++)
        due |= step_node_cohort(expansion, i);
    if (due)
        return false;
    const uint32_t ticks = until_due(expansion);
    if (ticks != UINT32_MAX)
        pass_time(expansion, may_start || anything_may_come(expansion) ? 1 : ticks);
    return !under_way(expansion);
}
