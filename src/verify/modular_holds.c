/* SPDX-License-Identifier: Apache-2.0 */
/* What holds of each component beside others, and so of the cluster (modular.c). */
#include "verify/modular_internal.h"

/* So many states are explored to find out whether pods may find no node, if they may as well. */
enum { RANKING_STATES_MOST = 20000 };

/* Explores the component, first without saying where pods are: that takes far fewer states, and
 * what holds so holds. `known`: that was shown already. */
static uint64_t explore_beside(struct modular *modular, struct component *component,
                               const struct others *others, uint64_t asked, uint64_t known)
{
    const uint64_t preempts_from = component->preempts_from;
    const bool learns = others->unknown && component->sibling;
    uint64_t holds = asked & (learns ? modular_learn_from_sibling(component) : known);
    const bool settled = !others->unknown && modular_is_like_siblings(modular, component);
    modular_tell_pooled(modular, component, others,
                        settled ? modular_placeless(modular, asked) : holds, holds);
    const bool pools = others->unknown || (modular->models != ASK_NODES && !settled);
    const bool nodes = others->unknown || modular->models != ASK_POOLS;
    if (modular_placeless(modular, asked & ~holds) && !learns && pools) {
        struct others pooled = modular_pooled_others(modular, component, others);
        holds |=
            modular_explore_once(modular, component, &pooled, modular_placeless(modular, asked));
        if (!others->unknown && modular_asks_gathered(modular, asked & ~holds)) {
            modular_add_gathered(modular, component, &pooled);
            holds |= modular_explore_once(modular, component, &pooled,
                                          modular_placeless(modular, asked));
        }
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
    const uint64_t pooled_from = component->preempts_from;
    const bool for_ranks = !useful;
    if (modular->priorities_differ && !others->unknown &&
        (useful || component->preempts_from > modular_known_rank(modular))) {
        useful |= leaves_bit(modular);
        component->preempts_from = preempts_from;
    }
    /* If it takes long to find out that nobody preempts, they are taken to at first. */
    modular->states_most =
        for_ranks && modular->preempts_apart && !modular->ranks_exactly ? RANKING_STATES_MOST : 0;
    if (useful && nodes)
        holds |= modular_explore_once(modular, component, others, useful);
    modular->ranks_cut |= modular->states_most > 0 && component->preempts_from == UINT64_MAX;
    modular->states_most = 0;
    /* What the pool says is never too little. */
    if (component->preempts_from > pooled_from && modular_placeless(modular, asked))
        component->preempts_from = pooled_from;
    return holds;
}

/* The second round, and the third if others leave nodes that are drained. */
static void explore_known(struct modular *modular, bool leave)
{
    modular->round++;
    for (uint32_t c = 0; c < modular->component_count; c++) {
        struct component *component = &modular->components[c];
        const bool needs_ranks = modular->priorities_differ && !leave && !modular->knows_ranks;
        /* With this all states are explored, and what is measured counts. */
        const uint64_t own = leaves_bit(modular);
        if (component->like)
            modular_learn(modular, component);
        modular_tell_if_decided(modular, component);
        if ((!component->open && !needs_ranks) || component->like)
            continue;
        const struct others others = modular_others_of(modular, c, leave);
        const uint64_t known =
            modular->models != ASK_NODES ? modular_ask_siblings(modular, component, leave) : 0;
        const uint64_t holds =
            explore_beside(modular, component, &others, component->open | own, known);
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

/* May a pod that finds no node preempt others that were not taken to be preempted, or its own
 * component's, or may one of a low priority never have its turn? Then nothing was shown. */
static bool priorities_matter(const struct modular *modular)
{
    const uint64_t known = modular_known_rank(modular);
    for (uint32_t c = 0; c < modular->component_count; c++) {
        const struct component *component = &modular->components[c];
        if (component->preempts_from > known || !component->rests ||
            modular_preempts_itself(component)) {
            parts_blame(modular->parts, component->rests ? OBSTACLE_PREEMPTS : OBSTACLE_TURNS, c);
            return true;
        }
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

/* The second and the third round, when it is known how much room each component holds. First all
 * models that do not say where pods are, which takes far fewer states, and leaves less for runs
 * that look for violations, and for the other models. Where priorities differ, all models of a
 * component say together whom it may preempt. */
static void explore_later_rounds(struct modular *modular)
{
    bool leaves = false;
    if (modular->priorities_differ) {
        modular_look_for_violations_first(modular);
    } else {
        modular->models = ASK_POOLS;
        if (is_open(modular))
            explore_known(modular, false);
        leaves = is_open(modular) && all_leave(modular);
        if (leaves)
            explore_known(modular, true);
        modular_look_for_violations_first(modular);
        modular->models = ASK_NODES;
    }
    if (is_open(modular) || modular->priorities_differ)
        explore_known(modular, false);
    if (is_open(modular) && all_leave(modular)) {
        if (!leaves)
            modular->models = ASK_ALL;
        explore_known(modular, true);
    }
    modular->models = ASK_ALL;
    /* What the others have on one node may leave room where all that they have does not. */
    if (is_open(modular) && modular_find_on_node(modular)) {
        modular->knows_ranks = true;
        explore_known(modular, false);
        if (is_open(modular) && all_leave(modular))
            explore_known(modular, true);
        modular->knows_ranks = false;
    }
}

/* All rounds; true if it is known how much room each component holds. */
static bool explore_rounds(struct modular *modular)
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
    if (bounded) {
        modular_find_scarce_quotas(modular);
        explore_later_rounds(modular);
    } else {
        modular_look_for_violations_first(modular);
        explore_safety(modular);
    }
    return bounded;
}

/* All rounds, again and again while more pods are found to preempt. What was shown does not count
 * if the cluster may behave otherwise than its components do. */
static void explore_all_rounds(struct modular *modular)
{
    modular->unknown.preempted_from = 0;
    bool bounded = explore_rounds(modular);
    while (bounded && modular_lets_preempt(modular))
        bounded = explore_rounds(modular);
    modular->reopened = !rest_is_shared(modular) ||
                        (modular->priorities_differ && (!bounded || priorities_matter(modular)));
    /* Whom pods preempt is known only if the room is that all of them take. */
    if (modular->priorities_differ && !bounded)
        parts_blame(modular->parts, OBSTACLE_UNMEASURED, modular->parts->unbounded);
    for (uint32_t c = 0; modular->reopened && c < modular->component_count; c++)
        modular->components[c].open = modular->components[c].asked;
}

void modular_find_what_holds(struct modular *modular)
{
    modular->ranks_exactly = false;
    modular->ranks_cut = false;
    explore_all_rounds(modular);
    if (modular->ranks_cut && is_open(modular)) {
        for (uint32_t c = 0; c < modular->component_count; c++)
            modular->components[c].asked = modular->components[c].open;
        modular_ask_again(modular);
        modular->ranks_exactly = true;
        explore_all_rounds(modular);
    }
    conclude(modular);
}

void modular_find_by_counting(struct modular *modular)
{
    if (!modular->uncounted || modular->reopened || !(modular_open(modular) & modular->eligible))
        return;
    modular->unknown.uncounted = false;
    modular_forget(modular);
    for (uint32_t c = 0; c < modular->component_count; c++) {
        struct component *component = &modular->components[c];
        component->asked = component->open & ~modular->outcome->violated;
    }
    modular_find_what_holds(modular);
}
