/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Workloads that do not interfere with each other are explored one at a time.
 *
 * When a node has failed for good and no further event can come, the pods of many workloads
 * are evicted, created again and placed, in every order. The number of states is the product
 * of the numbers of states that each workload has alone. If what the others do makes no
 * difference to a workload, then each run of all workloads is, for each of them, a run of it
 * alone, and each run of one alone is a run in which the others act later: so it is enough
 * to explore the sum of their states. From the state after the failure on a state has a
 * focus, and only the workload in focus acts.
 *
 * That it makes no difference is checked, not assumed. When the model is built: no selector,
 * affinity, volume, port or autoscaler of one workload is about pods of another, so only
 * room on nodes is left between them. Then, for the state in hand, each workload
 * is followed alone, and it is shown that either it does not matter where pods go
 * (focus_anywhere.c), or they go where they would go without the others
 * (focus_unnoticed.c).
 */
#include "cluster/reduce/focus.h"
#include "base/word_lists.h"
#include "cluster/ask/autoscaler_input.h"
#include "cluster/intent/intents.h"
#include "cluster/intent_class.h"
#include "cluster/population.h"
#include "cluster/reduce/focus_anywhere.h"
#include "cluster/reduce/focus_unnoticed.h"
#include "cluster/state/actions.h"
#include "cluster/state/config_facts.h"
#include "cluster/state/events.h"
#include "cluster/state/nodes.h"
#include "cluster/state/population_model.h"
#include "cluster/state/state.h"
#include "cluster/state/tally.h"
#include "cluster/state/worker.h"
#include "cluster/state/workloads.h"
#include "decide/scheduler/default_selector.h"
#include "decide/scheduler/plugin_reads.h"

#include <string.h>

enum { SOLO_STATES_MOST = 20000 };

/* ---- when the model is built ---- */

static bool pods_ignore_each_other(struct worker *worker)
{
    const struct population *population = worker->population;
    for (uint32_t r = 0; r < population->revisions.count; r++) {
        const struct revision *revision = &population->revisions.items[r];
        if (population_must_give_up(population))
            return false; /* nor is the model built */
        for (uint32_t q = 0; q < population->revisions.count; q++)
            if (population->revisions.items[q].workload != revision->workload &&
                scheduler_looks_at(worker->catalog, revision->pod,
                                   population->revisions.items[q].pod))
                return false;
    }
    for (uint32_t a = 0; a < population->autoscalers.count; a++)
        for (uint32_t r = 0; r < population->revisions.count; r++)
            if (population->autoscalers.items[a].selects[r] &&
                population->revisions.items[r].workload !=
                    population->autoscalers.items[a].workload)
                return false;
    return true;
}

bool focus_is_possible(struct worker *worker)
{
    const struct population *population = worker->population;
    return population->managed_count > 1 &&
           population->workloads.count == population->managed_count &&
           population->scheduler_count == 1 &&
           intents_ignore(population, IGNORES_OTHER_WORKLOADS) && pods_ignore_each_other(worker);
}

/* ---- a state ---- */

bool is_last_event(struct worker *worker, const struct state *state, uint32_t event)
{
    const struct population *population = worker->population;
    for (uint32_t e = 0; e < population->events.count; e++)
        if (state->event_used[e] + (e == event) <
            (uint32_t)population->events.items[e].event->at_most)
            return false;
    for (uint32_t r = 0; r < population->revisions.count; r++)
        if (state->pending[r] > 0 ||
            state->sets[r].replicas != (int32_t)state_active(worker, state, r))
            return false;
    return true;
}

/* Has a node just failed, with no step since, and can only evictions follow? */
static bool has_just_failed(struct worker *worker, const struct state *state)
{
    bool failed = false;
    if (!is_last_event(worker, state, UINT32_MAX))
        return false;
    for (uint32_t n = 0; n < state->node_count; n++) {
        const struct config_facts *facts = config_facts(worker, state->nodes[n].config);
        if (facts->condition == NODE_UP)
            continue;
        if (facts->condition != NODE_DOWN)
            return false;
        for (uint32_t p = 0; p < facts->pod_count; p++) {
            failed |= facts->pods[p].active > 0;
            if (facts->pods[p].terminating > 0)
                return false;
        }
    }
    return failed;
}

static uint32_t count_in(const struct state *state, uint32_t config)
{
    for (uint32_t n = 0; n < state->node_count; n++)
        if (state->nodes[n].config == config)
            return state->nodes[n].count;
    return 0;
}

/* A config of nodes that are up of which `one` has more than `other`. */
static uint32_t more_of(struct worker *worker, const struct state *one, const struct state *other)
{
    for (uint32_t n = 0; n < one->node_count; n++)
        if (config_condition(worker, one->nodes[n].config) == NODE_UP &&
            one->nodes[n].count > count_in(other, one->nodes[n].config))
            return one->nodes[n].config;
    return VIEW_NONE;
}

static void note_touch(struct focus_proof *proof, uint32_t from, uint32_t to)
{
    struct touch touch = {proof->workload, from, to};
    for (uint32_t i = 0; i < proof->touches.count; i++) {
        const struct touch *known = &proof->touches.items[i];
        if (known->workload == touch.workload && known->to == from)
            touch.from = known->from;
    }
    for (uint32_t i = 0; i < proof->touches.count; i++)
        if (memcmp(&proof->touches.items[i], &touch, sizeof(touch)) == 0)
            return;
    VEC_PUSH(&proof->arena, &proof->touches, touch);
}

static void note_takings(struct focus_proof *proof, const struct state *state)
{
    struct solo *solo = &proof->solos[proof->workload];
    for (uint32_t n = 0; n < proof->start->node_count; n++) {
        const struct view_node *entry = &proof->start->nodes[n];
        const uint32_t left = count_in(state, entry->config);
        uint32_t t = 0;
        if (left >= entry->count)
            continue;
        while (t < solo->takings.count && solo->takings.items[t].config != entry->config)
            t++;
        if (t == solo->takings.count)
            VEC_PUSH(&proof->arena, &solo->takings, ((struct taking){entry->config, 0}));
        if (entry->count - left > solo->takings.items[t].most)
            solo->takings.items[t].most = entry->count - left;
    }
}

/* Pods of the workload in focus that are bound. */
static uint32_t bound_pods(const struct focus_proof *proof, const struct state *state)
{
    const struct revision_pods pods = state_workload_pods(proof->worker, state, proof->workload);
    return pods.active + pods.terminating;
}

static void note_new_pods(struct focus_proof *proof, const struct state *state)
{
    uint32_t *most = &proof->new_pods[proof->workload];
    const uint32_t now = bound_pods(proof, state);
    const uint32_t before = bound_pods(proof, proof->start);
    /* A pod that leaves may be replaced by a new one, so both count. */
    if (now < before)
        proof->good = false;
    else if (now - before > *most)
        *most = now - before;
}

/* Looks at one step of the workload: it may place pods and evict them from the node that has
 * failed. A workload that gives room back interferes with others. */
static bool follow(struct step_sink *sink, const struct step *step)
{
    struct focus_proof *proof = (struct focus_proof *)sink;
    struct worker *worker = proof->worker;
    struct solo *solo = &proof->solos[proof->workload];
    const bool waits_for_room = step->action == ACT_UNSCHEDULABLE && !proof->anywhere;
    if (!waits_for_room && !action_has((enum population_action)step->action, IS_SOLO)) {
        proof->good = false;
        return false;
    }
    const uint32_t known = solo->states.count;
    words_intern(&proof->arena, &solo->states, step->words, step->length);
    if (solo->states.count == SOLO_STATES_MOST)
        proof->good = false;
    const struct arena_mark mark = arena_mark(&worker->scratch);
    const struct state *to = state_unpack(worker, step->words, step->length);
    const uint32_t left = proof->anywhere ? VIEW_NONE : more_of(worker, proof->from, to);
    /* A pod that is bound to a node that has failed does not start there. */
    if (!proof->anywhere && left == VIEW_NONE && step->action == ACT_BIND)
        proof->good = false;
    if (left != VIEW_NONE)
        note_touch(proof, left, more_of(worker, to, proof->from));
    if (solo->states.count > known && proof->anywhere)
        note_new_pods(proof, to);
    else if (solo->states.count > known)
        note_takings(proof, to);
    arena_rewind(&worker->scratch, mark);
    return proof->good;
}

bool follow_alone(struct focus_proof *proof, uint32_t workload)
{
    struct worker *worker = proof->worker;
    struct solo *solo = &proof->solos[workload];
    uint32_t words[WORDS_MOST];
    struct arena_mark mark = arena_mark(&worker->scratch);
    struct state *start = state_copy(worker, proof->start);
    start->focus = workload + 1;
    start->anywhere = proof->anywhere;
    const uint32_t length = state_pack(worker, start, words);
    arena_rewind(&worker->scratch, mark);
    proof->workload = workload;
    proof->good &= length > 0;
    if (proof->good)
        words_intern(&proof->arena, &solo->states, words, length);
    for (uint32_t i = 0; i < solo->states.count && proof->good; i++) {
        const struct word_list state = solo->states.items[i];
        mark = arena_mark(&worker->scratch);
        proof->from = state_unpack(worker, state.words, state.count);
        worker->population->model.expand(&worker->population->model, worker, state.words,
                                         state.count, &proof->sink);
        arena_rewind(&worker->scratch, mark);
    }
    const bool acts = solo->states.count > 1;
    /* A workload that does nothing is never in focus: that it violates an intent would not be
     * found. */
    proof->good &= acts || intents_content_with(worker, proof->start, workload);
    return acts;
}

void focus_proof_begin(struct focus_proof *proof, struct worker *worker, const struct state *start,
                       bool anywhere)
{
    *proof = (struct focus_proof){.sink = {.emit = follow},
                                  .worker = worker,
                                  .start = start,
                                  .anywhere = anywhere,
                                  .good = true};
    arena_init(&proof->arena, worker->population->memory);
    proof->solos = ARENA_ARRAY(&proof->arena, struct solo, worker->population->managed_count);
    proof->new_pods = ARENA_ARRAY(&proof->arena, uint32_t, worker->population->managed_count);
}

/* Follows every workload alone. May they be explored one at a time from this state on? */
static bool try_to_focus(struct worker *worker, const struct state *state, bool anywhere)
{
    struct focus_proof proof;
    uint32_t acting = 0;
    focus_proof_begin(&proof, worker, state, anywhere);
    for (uint32_t w = 0; w < worker->population->managed_count && proof.good; w++)
        acting += follow_alone(&proof, w);
    proof.good =
        proof.good && acting > 1 && (!anywhere || room_suffices(worker, state, proof.new_pods));
    for (uint32_t w = 0; !anywhere && w < worker->population->managed_count && proof.good; w++)
        proof.good = is_unaffected(&proof, w);
    arena_release(&proof.arena);
    return proof.good;
}

enum population_focus focus_from(struct worker *worker, const struct state *state)
{
    enum population_focus way = FOCUS_NONE;
    if (!state->begun || state->focus > 0 || !has_just_failed(worker, state))
        return FOCUS_NONE;
    if (places_are_alike(worker, state) && try_to_focus(worker, state, true))
        way = FOCUS_ANYWHERE;
    else if (try_to_focus(worker, state, false))
        way = FOCUS_UNNOTICED;
    if (way > worker->findings.focus)
        worker->findings.focus = way;
    return way;
}
