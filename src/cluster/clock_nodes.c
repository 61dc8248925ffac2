/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Clocks of nodes. A node that fails looks as it did until nothing was heard of
 * it for the grace period. Then it is not ready any more, and is tainted, which
 * pods tolerate for a while: unless too many nodes are gone (zones.h).
 * The age of a node that is down is that of its taint; it stands at 0 as long as
 * there is none.
 */
#include "cluster/clock.h"
#include "cluster/configs.h"
#include "cluster/zones.h"

#include <string.h>

static uint32_t lesser(uint32_t a, uint32_t b)
{
    return a < b ? a : b;
}

static bool is_lost(uint32_t condition)
{
    return condition == NODE_LOST || condition == NODE_LOST_AWAY;
}

static bool is_down(uint32_t condition)
{
    return condition_traits[condition].evicts;
}

static const struct template_info *info_of(const struct population *population,
                                           const struct population_state *state, uint32_t entry)
{
    const struct node_config *config =
        population->catalog->configs.items[state->nodes[entry].config];
    return &population->templates.items[config->template->id];
}

/* Nobody hears of a node whose object is deleted, or waits to. */
static bool is_listed(const struct template_info *info)
{
    return info->condition != NODE_GONE && info->condition != NODE_GONE_AWHILE;
}

/* ---- zones ---- */

/* What becomes of nodes that are gone. */
struct tainting {
    const struct zone_census *zones;
    bool any_answers; /* if not, all taints are taken back */
};

static struct tainting judge(const struct population *population,
                             const struct population_state *state)
{
    struct arena *scratch = (struct arena *)(uintptr_t)&population->scratch;
    struct zone_census *zones =
        ARENA_ARRAY(scratch, struct zone_census, population->zone_count + 1);
    for (uint32_t n = 0; n < state->node_count; n++) {
        const struct template_info *info = info_of(population, state, n);
        if (info->zone == UINT32_MAX || !is_listed(info))
            continue;
        if (condition_traits[info->condition].ready)
            zones[info->zone].ready += state->nodes[n].count;
        else
            zones[info->zone].not_ready += state->nodes[n].count;
    }
    return (struct tainting){
        zones, zones_judge(scratch, &population->options.features, zones, population->zone_count)};
}

/* Do nodes of the zone get their taint? */
static bool taints(const struct tainting *tainting, uint32_t zone)
{
    return tainting->any_answers && (zone == UINT32_MAX || tainting->zones[zone].taints);
}

/* No taint yet, and none to come as things are. */
static bool stands_still(const struct tainting *tainting, const struct node_cohort *cohort)
{
    return is_down(cohort->condition) && cohort->age == 0 && !taints(tainting, cohort->zone);
}

/* ---- ages ---- */

static struct node_cohort *own_cohorts(struct population *population,
                                       struct population_state *state)
{
    const uint32_t count = state->clocks.node_cohort_count;
    struct node_cohort *cohorts = ARENA_ARRAY(&population->scratch, struct node_cohort, count + 1);
    if (count > 0)
        memcpy(cohorts, state->clocks.node_cohorts, count * sizeof(*cohorts));
    state->clocks.node_cohorts = cohorts;
    return cohorts;
}

uint32_t clock_nodes_until_due(const struct expansion *expansion)
{
    const struct population *population = expansion->population;
    const struct clocks *clocks = &expansion->state->clocks;
    uint32_t least = UINT32_MAX;
    if (clocks->node_cohort_count == 0)
        return least;
    const struct tainting tainting = judge(population, expansion->state);
    for (uint32_t i = 0; i < clocks->node_cohort_count; i++) {
        const struct node_cohort *cohort = &clocks->node_cohorts[i];
        if (!stands_still(&tainting, cohort))
            least = lesser(
                least, age_until_next(&population->clock->nodes[cohort->condition], cohort->age));
    }
    return least;
}

void clock_nodes_age(const struct expansion *expansion, struct population_state *next,
                     uint32_t ticks)
{
    struct population *population = expansion->population;
    if (next->clocks.node_cohort_count == 0)
        return;
    struct node_cohort *cohorts = own_cohorts(population, next);
    const struct tainting tainting = judge(population, expansion->state);
    for (uint32_t i = 0; i < next->clocks.node_cohort_count; i++)
        if (!stands_still(&tainting, &cohorts[i]))
            cohorts[i].age =
                age_after(cohorts[i].age, &population->clock->nodes[cohorts[i].condition], ticks);
}

/* The age of the taint, in half ticks; without end if it was there before all. */
static uint32_t taint_age(const struct population *population, const struct population_state *state,
                          uint32_t entry)
{
    const uint32_t slot = info_of(population, state, entry)->slot;
    if (slot == SLOT_NEW)
        return 0;
    return slot < SLOT_FIRST ? UINT32_MAX : state->clocks.node_cohorts[slot - SLOT_FIRST].age;
}

bool clock_node_is_tainted(const struct population *population,
                           const struct population_state *state, uint32_t entry)
{
    const struct template_info *info = info_of(population, state, entry);
    if (!is_down((uint32_t)info->condition))
        return true; /* by what its object says, if at all */
    const struct tainting tainting = judge(population, state);
    return tainting.any_answers &&
           (taints(&tainting, info->zone) || taint_age(population, state, entry) > 0);
}

bool clock_tolerated_for(const struct population *population, const struct population_state *state,
                         uint32_t entry, uint32_t class, int64_t seconds)
{
    if (!clock_node_is_tainted(population, state, entry))
        return false;
    if (seconds <= 0)
        return true;
    const struct class_info *info = &population->classes.items[class];
    const struct thresholds *ages = &population->clock->pods[info->revision].start[info->stage];
    const uint64_t past =
        2 * (uint64_t)(seconds * NANOSECONDS_PER_SECOND / population->clock->tick_ns);
    const uint32_t start = cohort_start(state, info->slot);
    /* Where the age of the pod is no matter of its own it is not behind the taint's. */
    const bool old_enough = start > past || (start == past && !age_is_at(ages, start));
    return old_enough && taint_age(population, state, entry) > past;
}

/* ---- steps ---- */

static struct happening about(enum population_action action, uint32_t node)
{
    return (struct happening){
        .action = action, .workload = UINT32_MAX, .revision = UINT32_MAX, .node = node};
}

/* All nodes in the slot come into another condition: nothing was heard of them. */
static void notice(struct expansion *expansion, uint32_t slot, enum node_condition condition)
{
    struct population *population = expansion->population;
    struct population_state *next = state_copy(population, expansion->state);
    struct happening happening = about(ACT_NODE_NOTICED, UINT32_MAX);
    for (uint32_t n = 0; n < next->node_count; n++) {
        if (info_of(population, next, n)->slot != slot)
            continue;
        next->nodes[n].config = config_with_condition(population, next->nodes[n].config, condition);
        happening.node = n;
    }
    expansion_emit(expansion, next, &happening);
}

static bool step_cohort(struct expansion *expansion, uint32_t number)
{
    struct population *population = expansion->population;
    const struct node_cohort *cohort = &expansion->state->clocks.node_cohorts[number];
    if (!age_is_at(&population->clock->nodes[cohort->condition], cohort->age))
        return false;
    if (is_lost(cohort->condition)) {
        notice(expansion, number + SLOT_FIRST,
               cohort->condition == NODE_LOST ? NODE_DOWN : failed_condition(population));
        return true;
    }
    struct population_state *next = state_copy(population, expansion->state);
    own_cohorts(population, next)[number].age++;
    const struct happening happening = about(ACT_AGE, UINT32_MAX);
    expansion_emit(expansion, next, &happening);
    return true;
}

/* When no node answers any more, all taints are taken back. */
static bool take_taints_back(struct expansion *expansion)
{
    struct population *population = expansion->population;
    const struct population_state *state = expansion->state;
    struct population_state *next = NULL;
    for (uint32_t n = 0; n < state->node_count; n++) {
        const struct template_info *info = info_of(population, state, n);
        if (condition_traits[info->condition].ready && is_listed(info))
            return false; /* there is one that answers */
        if (population->clock->nodes[info->condition].count == 0 ||
            taint_age(population, state, n) == 0)
            continue;
        next = next ? next : state_copy(population, state);
        next->nodes[n].config =
            config_with_condition(population, state->nodes[n].config, info->condition);
    }
    if (!next || judge(population, state).any_answers)
        return false;
    const struct happening happening = about(ACT_AGE, UINT32_MAX);
    expansion_emit(expansion, next, &happening);
    return true;
}

bool step_clock_nodes(struct expansion *expansion)
{
    bool due = expansion->population->clock->has_node_cohorts && take_taints_back(expansion);
    for (uint32_t i = 0; i < expansion->state->clocks.node_cohort_count; i++)
        due |= step_cohort(expansion, i);
    return due;
}
