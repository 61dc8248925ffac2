/* SPDX-License-Identifier: Apache-2.0 */
/* All steps out of a state, in a fixed order. */
#include "cluster/expand.h"
#include "cluster/actor/step_clock.h"
#include "cluster/actor/step_preemptions.h"
#include "cluster/actor_type.h"
#include "cluster/ask/quotas.h"
#include "cluster/ask/room_held.h"
#include "cluster/ask/tightness.h"
#include "cluster/ask/webhooks.h"
#include "cluster/emit.h"
#include "cluster/event/step_events.h"
#include "cluster/intent/intents.h"
#include "cluster/pace.h"
#include "cluster/reduce/reductions.h"
#include "cluster/rest.h"
#include "cluster/state/actions.h"
#include "cluster/state/config_facts.h"
#include "cluster/state/happening.h"
#include "cluster/state/population_model.h"
#include "cluster/state/state.h"
#include "cluster/state/tally.h"
#include "cluster/state/worker.h"
#include "cluster/state/workloads.h"

#include <string.h>

/* The loop that the state belongs to; NULL: none. Notes that its workloads do not rest. */
static const struct rest_loop *find_loop(struct expansion *expansion, const uint32_t *words,
                                         uint32_t length, enum rest_steps steps)
{
    const struct population *population = expansion->population;
    if (population->options.reductions != REDUCTIONS_NEVER_LOOPS_REST)
        return NULL;
    const struct rest_loop *loop = rest_loop_of(expansion->worker, words, length, steps);
    for (uint32_t w = 0; loop && expansion->moving && w < population->workloads.count; w++)
        expansion->moving[w] |= loop->moves[w];
    return loop;
}

/* Hands over a step that leaves a state of rest as it is, if an intent is about this rest. */
static void emit_settled(struct expansion *expansion)
{
    struct happening settled = happening_of(ACT_SETTLED);
    settled.moving = expansion->moving;
    if (intents_mind_rest(expansion->worker, expansion->state, &settled))
        expansion_emit_idle(expansion, settled);
}

/* Is the state in a loop that nobody leaves, periodic actors included? */
static bool goes_on_for_ever(struct expansion *expansion, const uint32_t *words, uint32_t length)
{
    return expansion->population->options.reductions == REDUCTIONS_NEVER_LOOPS_REST &&
           !expansion->worker->looks_for_start &&
           rest_loop_of(expansion->worker, words, length, REST_STEPS_OF_ANYBODY);
}

/* Where runs begin with a cluster at rest, intents and events count from the state on in which
 * everything rests, periodic controllers included, or goes on as it does for ever. */
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

/* With clocks: emits the steps of periodic actors that are due; true if one is. */
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

/* With clocks: notes what periodic actors will do when they are due. */
static void foresee(struct expansion *expansion)
{
    for (uint32_t a = 0; a < expansion->population->actors.count; a++)
        if (expansion->population->actors.items[a]->foresee)
            expansion->population->actors.items[a]->foresee(expansion);
}

/* With clocks: is the cluster at rest, what is due and time itself included? */
static bool settle_with_clocks(struct expansion *expansion, bool rests, bool periodic_may_act)
{
    expansion->gate = STEP_OF_PERIODIC;
    const bool due = periodic_may_act && act_when_due(expansion);
    expansion->gate = STEP_AT_REST;
    const bool settled = rests && step_clock(expansion, due);
    expansion->gate = STEP_AT_ANY_TIME;
    return settled;
}

/* May periodic actors act? `rests`: no fast actor has anything to do. */
static bool periodic_may_act(const struct expansion *expansion, bool rests)
{
    const enum population_interleaving interleaving = expansion->population->options.interleaving;
    return rests || expansion->worker->interleaves || interleaving >= INTERLEAVING_FULL ||
           (interleaving == INTERLEAVING_CONTROLLERS &&
            (!expansion->prompts || expansion->state->early));
}

/* Says who may act here, for fairness. */
static void open_gates(struct expansion *expansion, bool periodic, bool rests)
{
    if (periodic)
        step_sink_open(expansion->sink, step_gate_number(STEP_OF_PERIODIC));
    if (periodic && rests)
        step_sink_open(expansion->sink, step_gate_number(STEP_AT_REST));
}

/* All steps out of a state. Fast actors act in every order. How long periodic actors wait for
 * them is an option of the model. */
static void expand(struct expansion *expansion, struct state *state, const uint32_t *words,
                   uint32_t length)
{
    const struct population *population = expansion->population;
    if (!expansion->asked)
        intents_apply(expansion->worker, state);
    if (population->judges_rest)
        expansion->moving =
            ARENA_ARRAY(&expansion->worker->scratch, bool, population->workloads.count + 1);
    uint32_t next = expansion_act_fast(expansion);
    if (expansion->asked && expansion->asked->quick)
        return;
    /* Actors that act every few seconds do not wait for what takes minutes. */
    const bool waits = expansion->waits;
    const bool busy = expansion->moved;
    const bool rests = !busy || find_loop(expansion, words, length, REST_STEPS_OF_SECONDS);
    const bool lasts =
        rests && ((!busy && !waits) || find_loop(expansion, words, length, REST_STEPS_ALL));
    expansion->moved = false;
    expansion->rests = rests;
    expansion->worker->findings.pooled = population->pools;
    if (population->options.others)
        note_room_held(expansion->worker, state, rests || population->clock);
    if (population->shared_quotas.count > 0)
        note_charges(expansion->worker, state);
    const bool periodic = periodic_may_act(expansion, rests);
    expansion->settled = population->clock ? settle_with_clocks(expansion, rests, periodic) : lasts;
    /* From here on the successors know that the cluster has been at rest once. */
    expansion->settles = expansion->settled && !state->settled_once;
    if (expansion->settled && state->begun)
        state->settled_once = population->remembers_settling;
    next = expansion_act(expansion, PACE_LAZY, next);
    expansion->gate = STEP_OF_PERIODIC;
    if (periodic && !population->clock)
        next = expansion_act(expansion, PACE_PERIODIC, next);
    if (periodic)
        next = expansion_act(expansion, PACE_WATCHING, next);
    expansion->gate = STEP_AT_REST;
    if (!population->clock && rests)
        expansion_act(expansion, PACE_SLOW, next);
    expansion->gate = STEP_AT_ANY_TIME;
    if (expansion->stops && expansion->answered)
        return;
    if (population->waits_for_rest)
        open_gates(expansion, periodic, rests);
    if (population->options.others)
        step_preemptions(expansion);
    if (state->begun) {
        if (expansion->settled && expansion->moving && population->clock)
            foresee(expansion);
        if (expansion->settled && expansion->moving)
            emit_settled(expansion);
        step_events(expansion);
    } else if (lasts && (!expansion->moved || goes_on_for_ever(expansion, words, length))) {
        begin(expansion);
    }
}

/* Where some workloads lead: hands over one step of a workload that follows; false: there is
 * none. */
static bool let_follow(const struct expansion *expansion)
{
    struct expansion first = *expansion;
    first.turn = TURN_OF_FOLLOWERS;
    intents_apply(first.worker, first.state);
    expansion_act_fast(&first);
    return first.turn == TURN_TAKEN;
}

static void expand_from(struct worker *worker, const uint32_t *words, uint32_t length,
                        const struct asked_step *asked, bool stops, struct step_sink *sink)
{
    const struct arena_mark mark = arena_mark(&worker->scratch);
    struct state *state = state_unpack(worker, words, length);
    uint32_t successor[WORDS_MOST];
    struct expansion expansion = {.population = worker->population,
                                  .worker = worker,
                                  .state = state,
                                  .sink = sink,
                                  .words = successor,
                                  .asked = asked,
                                  .stops = stops,
                                  .leaves_out = worker->leaves_out && !asked && !sink->enable,
                                  .failures = &failure_reduction,
                                  .head = {state, words}};
    if (!worker->leads || worker->lead_alone || !let_follow(&expansion))
        expand(&expansion, state, words, length);
    arena_rewind(&worker->scratch, mark);
}

void population_expand(const struct model *model, void *own, const uint32_t *words, uint32_t length,
                       struct step_sink *sink)
{
    (void)model;
    expand_from(own, words, length, NULL, false, sink);
}

void population_expand_until(struct worker *worker, const uint32_t *words, uint32_t length,
                             struct step_sink *sink)
{
    expand_from(worker, words, length, NULL, true, sink);
}

void population_expand_asked(struct worker *worker, const uint32_t *words, uint32_t length,
                             enum population_action action, uint32_t revision,
                             struct step_sink *sink)
{
    const struct asked_step asked = {
        .action = action,
        .revision = revision,
        .beside = POPULATION_ACTION_COUNT,
        .quick = action_has(action, IS_QUICK) && !worker->population->clock && !worker->leads,
    };
    expand_from(worker, words, length, &asked, false, sink);
}

void population_expand_again(struct worker *worker, const uint32_t *words, uint32_t length,
                             uint32_t action, uint32_t argument, uint32_t beside,
                             struct step_sink *sink)
{
    const bool beside_is_quick =
        beside == POPULATION_ACTION_COUNT || action_has((enum population_action)beside, IS_QUICK);
    const struct asked_step asked = {
        .action = (enum population_action)action,
        .revision = step_subject_of(&(struct step){.argument = argument}).revision,
        .beside = (enum population_action)beside,
        /* Where states know who has acted, all steps before this one count. */
        .quick = action_has((enum population_action)action, IS_QUICK) && beside_is_quick &&
                 !worker->population->clock && !worker->leads &&
                 !worker->population->remembers_quiet,
        .judged = true,
    };
    expand_from(worker, words, length, &asked, false, sink);
}

uint64_t population_atoms(const struct model *model, void *own, const uint32_t *words,
                          uint32_t length)
{
    struct worker *worker = own;
    const struct arena_mark mark = arena_mark(&worker->scratch);
    (void)model;
    const uint64_t atoms = intents_atoms(worker, state_unpack(worker, words, length), UINT64_MAX);
    arena_rewind(&worker->scratch, mark);
    return atoms;
}

/* The state that the step leads to, which is there while the step is handed over. */
static const struct state *state_after(struct worker *worker, const struct step *step)
{
    const struct population *population = worker->population;
    const struct emitted_state *emitted = &worker->emitted;
    /* Other models keep in a state what is not in its words. */
    if (emitted->words != step->words || population->clock || population->deletes ||
        population->autoscaling || population->keeps_more)
        return state_unpack(worker, step->words, step->length);
    emitted->state->listed_count = emitted->state->node_count;
    state_tally_after(worker, emitted->from, emitted->state);
    return emitted->state;
}

uint64_t population_step_atoms(struct worker *worker, const struct step *step, uint64_t wanted)
{
    return wanted == 0 ? 0 : intents_atoms(worker, state_after(worker, step), wanted);
}

int64_t population_step_nearness(struct worker *worker, uint32_t intent, const struct step *step)
{
    return intent_nearness(worker, state_after(worker, step), intent);
}

int64_t population_nearness(struct worker *worker, uint32_t intent, const uint32_t *words,
                            uint32_t length)
{
    const struct arena_mark mark = arena_mark(&worker->scratch);
    const int64_t nearness = intent_nearness(worker, state_unpack(worker, words, length), intent);
    arena_rewind(&worker->scratch, mark);
    return nearness;
}

bool population_knows_nearness(const struct worker *worker, uint32_t intent)
{
    const struct intent *asked = &worker->population->intents.items[intent];
    return asked->class->nearness != NULL &&
           (!asked->class->knows_nearness ||
            asked->class->knows_nearness(worker->population, asked));
}

int64_t population_gap(struct worker *worker, const uint32_t *words, uint32_t length)
{
    const struct arena_mark mark = arena_mark(&worker->scratch);
    const int64_t gap = state_gap(worker, state_unpack(worker, words, length));
    arena_rewind(&worker->scratch, mark);
    return gap;
}

bool population_step_is_doubtful(struct worker *worker, const uint32_t *words, uint32_t length,
                                 const struct step *step)
{
    const struct arena_mark mark = arena_mark(&worker->scratch);
    const bool doubtful =
        webhook_may_refuse(worker, state_unpack(worker, words, length),
                           (enum population_action)step->action, step_subject_of(step).revision);
    arena_rewind(&worker->scratch, mark);
    return doubtful;
}

uint32_t population_step_workload(const struct worker *worker, const struct step *step)
{
    const uint32_t revision = step_subject_of(step).revision;
    return revision < worker->population->revisions.count
               ? worker->population->revisions.items[revision].workload
               : UINT32_MAX;
}

bool population_step_is_at_node(const struct step *step)
{
    return step_subject_of(step).node != UINT32_MAX;
}

static uint32_t pods_of(struct worker *worker, const struct state *state, uint32_t entry,
                        uint32_t workload)
{
    const struct config_facts *facts = config_facts(worker, state->nodes[entry].config);
    uint32_t count = 0;
    for (uint32_t p = 0; p < facts->pod_count; p++)
        if (worker->population->revisions.items[facts->pods[p].revision].workload == workload)
            count += facts->pods[p].active;
    return count;
}

bool population_step_hits(struct worker *worker, const uint32_t *words, uint32_t length,
                          const struct step *step, uint32_t workload)
{
    const struct arena_mark mark = arena_mark(&worker->scratch);
    const struct state *state = state_unpack(worker, words, length);
    const uint32_t entry = step_subject_of(step).node;
    uint32_t most = 0;
    for (uint32_t n = 0; n < state->node_count; n++) {
        const uint32_t count = pods_of(worker, state, n, workload);
        most = count > most ? count : most;
    }
    const bool hits = entry >= state->node_count || pods_of(worker, state, entry, workload) == most;
    arena_rewind(&worker->scratch, mark);
    return hits;
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
