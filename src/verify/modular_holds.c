/* SPDX-License-Identifier: Apache-2.0 */
/* What holds of each component beside others, and so of the cluster (modular.c). */
#include "verify/modular_internal.h"

#include <string.h>

/* Explores the component, first without saying where pods are: that takes far fewer states, and
 * what holds so holds. `known`: that was shown already. */
static uint64_t explore_beside(struct modular *modular, struct component *component,
                               const struct others *others, uint64_t asked, uint64_t known)
{
    const uint64_t preempts_from = component->preempts_from;
    const bool learns = others->unknown && component->sibling;
    uint64_t holds = asked & (learns ? modular_learn_from_sibling(component) : known);
    modular_tell_pooled(modular, component, others, holds);
    if (modular_placeless(modular, asked & ~holds) && !learns) {
        const struct others pooled = modular_pooled_others(modular, component, others);
        holds |=
            modular_explore_once(modular, component, &pooled, modular_placeless(modular, asked));
        if (others->unknown) {
            component->pooled = holds;
            modular_keep_pooled(component);
            component->pooled_bounded = component->bounded;
            component->pooled_loops = component->loops;
        }
    }
    const uint64_t rest = asked & ~holds;
    /* Beside others of whom nothing is known, to say where pods are is left for later. */
    uint64_t useful = others->unknown && component->bounded ? 0 : rest;
    /* With this all states are explored, and it is known who may preempt: no more than that where
     * own pods are not taken for pods of others. */
    if (modular->priorities_differ && !others->unknown &&
        (useful || component->preempts_from > modular->lowest_rank)) {
        useful |= leaves_bit(modular);
        component->preempts_from = preempts_from;
    }
    return useful ? holds | modular_explore_once(modular, component, others, useful) : holds;
}

/* The second round, and the third if others leave nodes that are drained. */
static void explore_known(struct modular *modular, bool leave)
{
    modular->round++;
    for (uint32_t c = 0; c < modular->component_count; c++) {
        struct component *component = &modular->components[c];
        const bool needs_ranks = modular->priorities_differ && !leave;
        /* With this all states are explored, and what is measured counts. */
        const uint64_t own = leaves_bit(modular);
        if (component->like)
            modular_learn(modular, component);
        modular_tell_if_decided(modular, component);
        if ((!component->open && !needs_ranks) || component->like)
            continue;
        const struct others others = modular_others_of(modular, c, leave);
        const uint64_t holds = explore_beside(modular, component, &others, component->open | own,
                                              modular_ask_siblings(modular, component, leave));
        component->leaves |= (holds & leaves_bit(modular)) != 0;
        component->open &= ~holds;
        modular_tell_if_decided(modular, component);
    }
}

static bool is_open(const struct modular *modular)
{
    for (uint32_t c = 0; c < modular->component_count; c++)
        if (modular->components[c].open)
            return true;
    return false;
}

/* Does every component leave the nodes that are drained? Those that were not asked are asked. */
static bool all_leave(struct modular *modular)
{
    for (uint32_t c = 0; c < modular->component_count; c++) {
        struct component *component = &modular->components[c];
        const struct others others = modular_others_of(modular, c, false);
        if (component->like)
            modular_learn(modular, component);
        else if (!component->leaves)
            component->leaves =
                explore_beside(modular, component, &others, leaves_bit(modular), 0) != 0;
        if (!component->leaves) {
            modular->parts->stays = c;
            return false;
        }
    }
    return true;
}

/* May a pod that finds no node preempt others, or may one of a low priority never have its turn?
 * Then nothing was shown. */
static bool priorities_matter(const struct modular *modular)
{
    for (uint32_t c = 0; c < modular->component_count; c++)
        if (modular->components[c].preempts_from > modular->lowest_rank ||
            !modular->components[c].rests) {
            parts_blame(modular->parts,
                        modular->components[c].rests ? OBSTACLE_PREEMPTS : OBSTACLE_TURNS, c);
            return true;
        }
    return false;
}

/* Does the cluster rest where its components do? Not where one of them may go on for ever: runs may
 * never begin then that begin at rest. Nor where it is in a loop that cannot be left, and counts as
 * rest: beside others there are more ways to leave it, so any loop of such steps will do. If no
 * component has one, the cluster has none: whoever takes part in it takes part again and again. */
static bool rest_is_shared(const struct modular *modular)
{
    const enum check_start start = modular->query->scope->start;
    const bool begins_at_rest = start == START_SETTLED || start == START_CANONICAL;
    for (uint32_t c = 0; c < modular->component_count; c++)
        if (modular->components[c].loops || (begins_at_rest && !modular->components[c].rests)) {
            parts_blame(modular->parts,
                        modular->components[c].loops ? OBSTACLE_LOOP : OBSTACLE_START, c);
            return false;
        }
    return true;
}

/* What was told of components that are open again is taken back. */
static void conclude(struct modular *modular)
{
    bool retracted = false;
    for (uint32_t c = 0; c < modular->component_count; c++) {
        struct component *component = &modular->components[c];
        parts_conclude(modular->parts, c, component->open);
        retracted |= component->told && component->open;
        component->told &= !component->open;
    }
    if (retracted)
        modular_tell(modular, PARTS_RETRACTED, UINT32_MAX);
}

/* Where it is not known how much room some component holds, what must never happen is asked of
 * models that say where pods are, beside others that may take everything. */
static void explore_safety(struct modular *modular)
{
    for (uint32_t c = 0; c < modular->component_count; c++) {
        struct component *component = &modular->components[c];
        const uint64_t asked = component->open & modular->safety;
        if (component->like)
            modular_learn(modular, component);
        else if (component->bounded && asked)
            component->open &= ~modular_explore_once(modular, component, &modular->unknown, asked);
    }
}

void modular_find_what_holds(struct modular *modular)
{
    bool bounded = true;
    parts_ask(modular->parts);
    for (uint32_t c = 0; c < modular->component_count; c++) {
        struct component *component = &modular->components[c];
        if (component->like) {
            modular_learn(modular, component);
        } else {
            const uint64_t holds = explore_beside(modular, component, &modular->unknown,
                                                  component->asked | settles_bit(modular), 0);
            component->open = component->asked & ~holds;
            component->rests = (holds & settles_bit(modular)) != 0;
        }
        bounded &= component->bounded;
        if (!component->bounded)
            modular->parts->unbounded = c;
        modular_tell_if_decided(modular, component);
    }
    if (!bounded)
        explore_safety(modular);
    if (bounded && (is_open(modular) || modular->priorities_differ))
        explore_known(modular, false);
    if (bounded && is_open(modular) && all_leave(modular))
        explore_known(modular, true);
    modular->reopened = !rest_is_shared(modular) ||
                        (modular->priorities_differ && (!bounded || priorities_matter(modular)));
    for (uint32_t c = 0; modular->reopened && c < modular->component_count; c++)
        modular->components[c].open = modular->components[c].asked;
    conclude(modular);
}
