/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What one exploration of all workloads does not say of other sizes, their components may: if the
 * region of an exploration keeps a group to the number of nodes that it has, and everything holds,
 * the components are asked, too, for a little more work. modular_sizes.c says for which sizes that
 * is true.
 */
#include "verify/modular_internal.h"

/* To say more of other sizes, so many states are explored more than it took to explore this one. */
enum { STATES_FOR_SIZES = 1000 };

/* Does the region keep a group without a maximum to one number of nodes? */
static bool is_narrow(const struct setup_query *query, const struct size_region *region)
{
    bool narrow = region->point;
    for (uint32_t g = 0; g < query->scope->group_count && region->tracked && !narrow; g++)
        narrow = query->scope->groups[g].open &&
                 size_region_bounds(region, UINT32_C(1) << g).most == query->setup->nodes[g];
    return narrow;
}

/* Asks the components; true if all of it holds for them. */
static bool components_hold(struct modular *modular)
{
    modular_add_intents(modular);
    if (modular->query->asked & ~modular->eligible || !modular_find_components(modular))
        return false;
    modular_find_what_holds(modular);
    modular_find_by_counting(modular);
    return !modular_open(modular);
}

void modular_widen_sizes(const struct setup_query *query, struct memory *memory,
                         struct memory *stories, struct setup_outcome *outcome)
{
    if (!query->parts_for_sizes || outcome->ended_by != EXPLORE_DECIDED || outcome->violated ||
        outcome->undecided || !query->modular || query->scope->time == TIME_CLOCKED ||
        query->intent_count + OWN_INTENTS > POPULATION_INTENTS_MOST ||
        !is_narrow(query, &outcome->sizes))
        return;
    struct setup_query asked = *query;
    struct setup_outcome parts = {
        .asked = query->asked, .states_most = query->states_most, .ended_by = EXPLORE_DECIDED};
    struct parts told = {0};
    struct modular modular = {
        .query = &asked, .memory = memory, .stories = stories, .outcome = &parts, .parts = &told};
    atomic_uint_fast64_t states = 0;
    modular.started = clock_now_ns();
    asked.coupled_alone = true;
    asked.components_first = true; /* no runs look for violations */
    asked.told = 0;
    asked.tell_part = NULL;
    asked.states = &states;
    limit_spend(&asked.states_most, outcome->states);
    if (asked.states_most > STATES_FOR_SIZES + outcome->states)
        asked.states_most = STATES_FOR_SIZES + outcome->states;
    arena_init(&modular.arena, memory);
    arena_init(&parts.arena, stories);
    parts.results = ARENA_ARRAY(&parts.arena, struct verify_result, query->intent_count + 1);
    if (components_hold(&modular) && modular.sizes.tracked && !modular.sizes.point) {
        outcome->sizes = modular.sizes;
        outcome->images_could_decide |= parts.images_could_decide;
    }
    outcome->states += parts.states;
    outcome->transitions += parts.transitions;
    arena_release(&parts.arena);
    arena_release(&modular.arena);
}
