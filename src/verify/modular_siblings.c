/* SPDX-License-Identifier: Apache-2.0 */
/* Components that differ in the requests of their pods alone are asked together. */
#include "verify/modular_internal.h"

#include <string.h>

void modular_keep_pooled(struct component *component)
{
    component->pooled_applied = component->seen_applied;
    component->pooled_hindered = component->seen_hindered;
}

void modular_tell_pooled(struct modular *modular, struct component *component,
                         const struct others *others, uint64_t asked, uint64_t holds)
{
    const struct component *first = component->sibling ? component->sibling : component;
    component->applied &= first->pooled_applied | ~holds;
    parts_note(modular->parts, number_of(modular, component), others, asked, holds, 0,
               first->pooled_hindered, EXPLORE_DECIDED);
}

/* What is still open is asked again with the most pods that can be on one node. If that does not
 * help with those of the first component, it does not help with those of all. False: they differ.
 */
static bool ask_gathered(struct modular *modular, struct component *first, struct others *pooled,
                         struct others *siblings, uint64_t asked)
{
    const uint64_t before = first->pooled;
    uint32_t count = 0;
    modular_add_gathered(modular, first, pooled);
    const uint64_t holds = modular_explore_once(modular, first, pooled, asked);
    if (!(holds & ~before))
        return true;
    for (uint32_t c = 0; c < modular->component_count; c++)
        if (modular->components[c].sibling == first)
            modular_add_gathered(modular, &modular->components[c], &siblings[count++]);
    const bool same = modular_join_gathered(modular, pooled, siblings, count);
    first->pooled |= same ? holds : modular_explore_once(modular, first, pooled, asked);
    return same;
}

/* Asks the pool of a component and all its siblings at once. A pod is crowded out there if that of
 * one of them is. */
static void explore_siblings(struct modular *modular, struct component *first, bool leave)
{
    const uint64_t preempts_from = first->preempts_from;
    struct others *siblings = ARENA_ARRAY(&modular->arena, struct others, modular->component_count);
    uint64_t asked = first->open;
    uint32_t count = 0;
    for (uint32_t c = 0; c < modular->component_count; c++) {
        struct component *component = &modular->components[c];
        if (component->sibling != first)
            continue;
        const struct others others = modular_others_of(modular, c, leave);
        siblings[count] = modular_pooled_others(modular, component, &others);
        siblings[count++].requests = component->requests.of;
        asked |= component->open;
    }
    const struct others others = modular_others_of(modular, number_of(modular, first), leave);
    struct others pooled = modular_pooled_others(modular, first, &others);
    pooled.siblings = siblings;
    pooled.sibling_count = count;
    bool alike = count > 0;
    for (uint32_t i = 0; i < count; i++) {
        alike &= siblings[i].restless == others.restless;
        pooled.restless |= siblings[i].restless;
    }
    first->pooled_round = modular->round;
    first->preempts_from = 0;
    first->pooled =
        count == 0 ? 0
                   : modular_explore_once(modular, first, &pooled,
                                          modular_placeless(modular, asked | leaves_bit(modular)));
    first->pooled_alike = alike && !first->seen_differ;
    if (count > 0 && modular_asks_gathered(modular, asked & ~first->pooled) &&
        !ask_gathered(modular, first, &pooled, siblings,
                      modular_placeless(modular, asked | leaves_bit(modular))))
        first->pooled_alike = false;
    first->pooled_from = first->preempts_from;
    first->preempts_from = preempts_from;
    modular_keep_pooled(first);
}

bool modular_is_like_siblings(const struct modular *modular, const struct component *component)
{
    const struct component *first = component->sibling ? component->sibling : component;
    return !modular->priorities_differ && first->requests.text &&
           first->pooled_round == modular->round && first->pooled_alike;
}

uint64_t modular_ask_siblings(struct modular *modular, struct component *component, bool leave)
{
    struct component *first = component->sibling ? component->sibling : component;
    if (!first->requests.text)
        return 0;
    if (first->pooled_round != modular->round)
        explore_siblings(modular, first, leave);
    if (first->pooled && first->pooled_from > component->preempts_from)
        component->preempts_from = first->pooled_from;
    return first->pooled;
}

uint64_t modular_learn_from_sibling(struct component *component)
{
    const struct component *first = component->sibling;
    component->loops |= first->pooled_loops;
    component->applied = first->applied;
    if (first->pooled_bounded && !component->bounded) {
        component->bounded = true;
        component->held = first->held;
        room_held_by(&component->held, &component->requests);
    }
    return first->pooled;
}
