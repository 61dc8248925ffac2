/* SPDX-License-Identifier: Apache-2.0 */
/* All steps out of a state, in a fixed order. */
#include "cluster/expand.h"
#include "cluster/actor/step_clock.h"
#include "cluster/actor_type.h"
#include "cluster/emit.h"
#include "cluster/event/step_events.h"
#include "cluster/intent/intents.h"
#include "cluster/reduce/apart.h"
#include "cluster/reduce/reductions.h"
#include "cluster/state/actions.h"
#include "cluster/state/happening.h"
#include "cluster/state/population_model.h"
#include "cluster/state/state.h"
#include "cluster/state/worker.h"

#include <string.h>

/* Hands over a step that leaves a state of rest as it is, if an intent is about this rest;
 * `for_good`: no periodic controller has anything to do either. */
static void emit_settled(struct expansion *expansion, bool for_good)
{
    if (intents_mind_rest(expansion->worker, expansion->state, for_good))
        expansion_emit_idle(expansion, happening_to(ACT_SETTLED, UINT32_MAX, for_good));
}

/* Where runs begin with a cluster at rest, intents and events count from the state on in which
 * everything rests, periodic controllers included. */
static void begin(struct expansion *expansion)
{
    struct worker *worker = expansion->worker;
    struct state *next = state_copy(worker, expansion->state);
    next->begun = true;
    next->settled_once = expansion->population->remembers_settling;
    next->bound = false;
    intents_begin(worker, next);
    worker->findings.judged = true;
    expansion_emit(expansion, next, happening_of(ACT_BEGIN));
}

/* The steps of all actors of one pace; paces come in their order, as actors do. `next` is the
 * first actor that has not been looked at; gives the same afterwards. */
static uint32_t act(struct expansion *expansion, enum actor_pace pace, uint32_t next)
{
    const struct population *population = expansion->population;
    const uint32_t count = population->actors.count;
    for (; next < count && population->actors.items[next]->pace <= pace; next++) {
        const struct actor *actor = population->actors.items[next];
        if (actor->pace < pace)
            continue;
        expansion->actor = actor;
        expansion->lazy = pace == PACE_LAZY || (population->clock && actor->lazy_with_clocks);
        actor->step(expansion);
    }
    expansion->lazy = false;
    expansion->actor = NULL;
    return next;
}

/* With clocks: what periodic actors do whose time has come; true if there is such a one. */
static bool act_when_due(struct expansion *expansion)
{
    bool due = false;
    for (uint32_t a = 0; a < expansion->population->actors.count; a++) {
        const struct actor *actor = expansion->population->actors.items[a];
        expansion->actor = actor;
        due |= actor->step_due && actor->step_due(expansion);
    }
    expansion->actor = NULL;
    return due;
}

/* With clocks: is the cluster at rest, what is due and time itself included? */
static bool settle_with_clocks(struct expansion *expansion, bool periodic_may_act)
{
    const bool busy = expansion->moved;
    const bool due = periodic_may_act && act_when_due(expansion);
    return !busy && step_clock(expansion, due);
}

/* All steps out of a state. Fast actors act in every order; those that act every few
 * seconds or minutes wait for them, unless full interleaving is asked for. */
static void expand(struct expansion *expansion, struct state *state)
{
    const struct population *population = expansion->population;
    if (population->parts)
        expansion->parts = workloads_part(expansion->worker, state);
    expansion->postponed = create_first(expansion);
    uint32_t next = act(expansion, PACE_FAST, 0);
    /* Actors that act every few seconds do not wait for what takes minutes. */
    const bool waits = expansion->waits;
    const bool busy = expansion->moved;
    const bool periodic_may_act =
        !busy || population->options.full_interleaving || expansion->worker->interleaves;
    expansion->settled =
        population->clock ? settle_with_clocks(expansion, periodic_may_act) : !busy && !waits;
    /* From here on the successors know that the cluster has been at rest once. */
    expansion->settles = expansion->settled && !state->settled_once;
    if (expansion->settled && state->begun)
        state->settled_once = population->remembers_settling;
    next = act(expansion, PACE_LAZY, next);
    if (periodic_may_act && !population->clock)
        next = act(expansion, PACE_PERIODIC, next);
    if (periodic_may_act)
        next = act(expansion, PACE_WATCHING, next);
    if (!population->clock && !busy)
        act(expansion, PACE_SLOW, next);
    if (state->begun) {
        if (expansion->settled)
            emit_settled(expansion, !expansion->moved);
        step_events(expansion);
    } else if (!expansion->moved && !waits) {
        begin(expansion);
    }
}

void population_expand(const struct model *model, void *own, const uint32_t *words, uint32_t length,
                       struct step_sink *sink)
{
    struct worker *worker = own;
    const struct arena_mark mark = arena_mark(&worker->scratch);
    (void)model;
    struct state *state = state_unpack(worker, words, length);
    uint32_t successor[WORDS_MOST];
    struct expansion expansion = {.population = worker->population,
                                  .worker = worker,
                                  .state = state,
                                  .sink = sink,
                                  .words = successor,
                                  .failures = &failure_reduction,
                                  .head = {.words = head_room(worker)}};
    expand(&expansion, state);
    arena_rewind(&worker->scratch, mark);
}

uint64_t population_atoms(const struct model *model, void *own, const uint32_t *words,
                          uint32_t length)
{
    struct worker *worker = own;
    const struct arena_mark mark = arena_mark(&worker->scratch);
    (void)model;
    const uint64_t atoms = intents_atoms(worker, state_unpack(worker, words, length));
    arena_rewind(&worker->scratch, mark);
    return atoms;
}

bool first_step_take(struct step_sink *sink, const struct step *step)
{
    struct first_step *first = (struct first_step *)sink;
    const bool changes =
        step->length != first->length ||
        memcmp(step->words, first->words, first->length * sizeof(*first->words)) != 0;
    if (first->next_length > 0 || !changes || step->fairness == FAIRNESS_OPTIONAL)
        return true;
    memcpy(first->next, step->words, step->length * sizeof(*step->words));
    first->next_length = step->length;
    first->action = step->action;
    return true;
}
