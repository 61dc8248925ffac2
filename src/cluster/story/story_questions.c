/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Questions about states that could have come instead: some objects of a state are put back
 * to what they were; then the steps that it has, or the state of rest that it leads to, are
 * compared with those of the run.
 */
#include "cluster/story/story_questions.h"
#include "cluster/emit.h"
#include "cluster/expand.h"
#include "cluster/intent/intents.h"
#include "cluster/state/actions.h"
#include "cluster/state/configs.h"
#include "cluster/state/nodes.h"
#include "cluster/state/nominations.h"
#include "cluster/state/population_model.h"
#include "cluster/state/state.h"
#include "cluster/state/tally.h"
#include "cluster/state/worker.h"
#include "cluster/state/workloads.h"
#include "cluster/story/story_internal.h"

#include <string.h>

uint64_t question_effort(const struct storyteller *teller)
{
    enum { LEAST = 64, OF_OBJECT = 16 };
    return LEAST +
           OF_OBJECT * ((uint64_t)teller->nodes.count + teller->population->revisions.count);
}

/* ---- states with objects put back ---- */

static void move_pod(struct worker *worker, struct state *state, uint32_t revision,
                     struct story_value from, struct story_value to)
{
    if (from.number == POD_WAITING)
        state->pending[revision]--;
    if (to.number == POD_WAITING)
        state->pending[revision]++;
    if (from.number >= 0) {
        uint32_t *config = &state->nodes[from.number].config;
        *config = config_replace(worker, *config, from.detail, VIEW_NONE);
    }
    if (to.number >= 0) {
        uint32_t *config = &state->nodes[to.number].config;
        *config = config_replace(worker, *config, VIEW_NONE, to.detail);
    }
}

static uint32_t config_as_valued(struct worker *worker, uint32_t config, struct story_value value)
{
    const struct node_kind *kinds = worker->population->node_kinds.items;
    uint32_t number = config_template(worker, config)->node;
    number += (uint32_t)(value.number >> CONDITION_BITS) - kinds[number].pulled;
    config = config_in_kind(worker, config, number);
    const enum node_condition condition =
        (enum node_condition)(value.number & ((1 << CONDITION_BITS) - 1));
    if (value.detail == 0)
        return config_with_condition(worker, config, condition);
    return config_on(
        worker, config,
        kind_pressed(&kinds[number], condition, (uint32_t)(value.detail >> 1), value.detail & 1));
}

/* The state of the question with its objects as in `values`. The named nodes begin with their
 * configs before the step. */
static struct state *make_state(const struct question *question, const struct story_value *values)
{
    const struct storyteller *teller = question->teller;
    struct worker *worker = teller->worker;
    const struct population *population = teller->population;
    struct state *state = state_copy(worker, question->from);
    state->nodes = ARENA_ARRAY(&worker->scratch, struct view_node, teller->nodes.count + 1);
    state->node_count = teller->nodes.count;
    state->node_capacity = teller->nodes.count + 1;
    for (uint32_t n = 0; n < teller->nodes.count; n++)
        state->nodes[n] = (struct view_node){teller->nodes.items[n].config_before, 1};
    for (uint32_t w = 0; w < population->managed_count; w++) {
        const struct story_value *status = &values[object_of_status(teller, w)];
        const uint32_t words[STATUS_WORDS] = {(uint32_t)status->number, status->detail};
        status_unpack(words, &state->statuses[w]);
        state->replicas[w] = (int32_t)values[w].number;
        state->present[w] = values[w].detail;
    }
    for (uint32_t r = 0; r < population->revisions.count; r++) {
        const struct story_value *value = &values[object_of_set(teller, r)];
        state->sets[r] = (struct set_state){(int32_t)value->number, (int32_t)value->detail};
    }
    for (uint32_t p = 0; p < teller->pods.count; p++) {
        const uint32_t object = object_of_pod(teller, p);
        if (!values_equal(values[object], question->values[object]))
            move_pod(worker, state, teller->pods.items[p].revision, question->values[object],
                     values[object]);
    }
    for (uint32_t n = 0; n < teller->nodes.count; n++) {
        const uint32_t object = object_of_node(teller, n);
        if (!values_equal(values[object], question->values[object]))
            state->nodes[n].config =
                config_as_valued(worker, state->nodes[n].config, values[object]);
    }
    state->settled_once = true;
    state_trim_nominations(worker, state);
    return state;
}

/* Changes the objects as the step does. False: it cannot be taken with them. */
static bool take_effect(const struct question *question, struct story_value *values)
{
    const uint32_t first_pod = object_of_pod(question->teller, 0);
    for (uint32_t i = 0; i < question->effect.count; i++) {
        const struct story_write *write = &question->effect.items[i];
        struct story_value *value = &values[write->object];
        if (write->object >= first_pod) {
            const struct worker *worker = question->teller->worker;
            if (value->number != write->before.number ||
                (value->number >= 0 && class_info(worker, value->detail)->stage !=
                                           class_info(worker, write->before.detail)->stage))
                return false;
            if (!write->matters)
                continue;
        }
        *value = write->after;
    }
    return true;
}

/* ---- is the step possible? ---- */

struct search {
    struct step_sink sink;
    const struct question *question;
    struct story_value *after; /* the objects as the step should leave them */
    uint32_t *expected;        /* words of the state that it should lead to */
    uint32_t expected_length;  /* 0: they are not known yet */
    bool found;
};

/* Does the step give replicas that the step in hand changes the same numbers: those of
 * workloads if it is an autoscaler's, otherwise those of sets? */
static bool same_replicas(const struct question *question, const struct step *step)
{
    struct worker *worker = question->teller->worker;
    const bool of_sets = question->step->action != ACT_AUTOSCALE;
    const uint32_t count =
        of_sets ? worker->population->revisions.count : worker->population->managed_count;
    const struct state *states[] = {question->from, question->to,
                                    state_unpack(worker, step->words, step->length)};
    for (uint32_t i = 0; i < count; i++) {
        int32_t replicas[3];
        for (int s = 0; s < 3; s++)
            replicas[s] = of_sets ? states[s]->sets[i].replicas : states[s]->replicas[i];
        if (replicas[0] != replicas[1] && replicas[2] != replicas[1])
            return false;
    }
    return true;
}

/* The words of the state without the places that are kept for pods: no other controller reads
 * them. */
static uint32_t pack_stripped(struct worker *worker, struct state *state, uint32_t *words)
{
    for (uint32_t n = 0; n < state->node_count; n++) {
        const struct node_config *config = state_config(worker, state, n);
        if (config->nominated_entry_count > 0)
            state->nodes[n].config =
                catalog_intern_config(worker->catalog, config->template->id, config->pods,
                                      config->pod_entry_count, NULL, 0);
    }
    return state_pack(worker, state, words);
}

/* Is the state the expected one in everything but events used, flags and monitors? */
static bool same_state(struct search *search, const struct step *step)
{
    struct worker *worker = search->question->teller->worker;
    const struct population *population = search->question->teller->population;
    uint32_t *words = words_room(worker);
    if (search->expected_length == 0)
        search->expected_length =
            pack_stripped(worker, make_state(search->question, search->after), search->expected);
    const uint32_t length =
        pack_stripped(worker, state_unpack(worker, step->words, step->length), words);
    return length == search->expected_length &&
           memcmp(words, search->expected, population->word_of_events * sizeof(*words)) == 0 &&
           memcmp(words + population->word_of_nodes, search->expected + population->word_of_nodes,
                  (length - population->word_of_nodes) * sizeof(*words)) == 0;
}

static bool look_at(struct step_sink *sink, const struct step *step)
{
    struct search *search = (struct search *)sink;
    const struct question *question = search->question;
    const struct step *wanted = question->step;
    if (search->found || step->action != wanted->action)
        return true;
    if (wanted->action == ACT_AUTOSCALE || wanted->action == ACT_DEPLOYMENT_SYNC)
        search->found = same_replicas(question, step);
    else if (question->effect.count == 0)
        search->found = step_subject_of(step).revision == step_subject_of(wanted).revision;
    else
        search->found = same_state(search, step);
    return !search->found;
}

/* Syncs and autoscalers are recognised by their numbers, whatever they are about. */
static uint32_t revision_asked(const struct question *question)
{
    const bool by_numbers =
        question->step->action == ACT_AUTOSCALE || question->step->action == ACT_DEPLOYMENT_SYNC;
    return by_numbers ? UINT32_MAX : step_subject_of(question->step).revision;
}

static bool has_step(const struct question *question, const struct story_value *values)
{
    const struct storyteller *teller = question->teller;
    struct worker *worker = teller->worker;
    uint32_t *words = words_room(worker);
    uint32_t *expected = words_room(worker);
    struct search search = {.sink = {.emit = look_at}, .question = question, .expected = expected};
    search.after = arena_copy(&worker->scratch, values, teller->values.count * sizeof(*values));
    /* Of controllers that scale only the numbers count, not the pods. */
    if (question->step->action != ACT_AUTOSCALE && question->step->action != ACT_DEPLOYMENT_SYNC &&
        !take_effect(question, search.after))
        return false;
    const uint32_t length = state_pack(worker, make_state(question, values), words);
    if (length == 0)
        return false;
    const bool overflow = worker->findings.overflowed;
    worker->interleaves = true;
    population_expand_asked(worker, words, length, question->step->action, revision_asked(question),
                            &search.sink);
    worker->interleaves = false;
    worker->findings.overflowed = overflow;
    return search.found;
}

/* ---- what is true of the state? ---- */

static uint64_t atoms_now(const struct question *question, const struct story_value *values)
{
    struct worker *worker = question->teller->worker;
    struct state *state = make_state(question, values);
    state_keep_tally(worker, state);
    return intents_atoms(worker, state, question->atoms);
}

/* ---- how does it end? ---- */

/* The atoms of a state of rest that the controllers come to without further events, by one of
 * many orders of steps. If that takes too long, the atoms are assumed to be as the question
 * wants them. */
static uint64_t atoms_at_rest(const struct question *question, const struct story_value *values)
{
    enum { MOVES_MOST = 400 };
    struct worker *worker = question->teller->worker;
    uint32_t *words[2] = {words_room(worker), words_room(worker)};
    const bool overflow = worker->findings.overflowed;
    uint32_t length = state_pack(worker, make_state(question, values), words[0]);
    uint64_t atoms = question->wanted;
    for (uint32_t i = 0; i < MOVES_MOST && length > 0; i++) {
        struct first_step move = {.sink = {.emit = first_step_take},
                                  .words = words[i % 2],
                                  .length = length,
                                  .next = words[(i + 1) % 2]};
        population_expand(&worker->population->model, worker, words[i % 2], length, &move.sink);
        question->teller->effort += question_effort(question->teller);
        if (move.next_length == 0)
            atoms =
                intents_atoms(worker, state_unpack(worker, words[i % 2], length), question->atoms);
        length = move.next_length;
    }
    worker->findings.overflowed = overflow;
    return atoms;
}

bool question_holds(const struct question *question, const struct story_value *values)
{
    struct worker *worker = question->teller->worker;
    const struct arena_mark mark = arena_mark(&worker->scratch);
    uint64_t atoms = question->wanted;
    bool possible = true;
    question->teller->effort += question->teller->values.count + question_effort(question->teller);
    switch (question->asking) {
    case ASK_STEP: possible = has_step(question, values); break;
    case ASK_ATOMS: atoms = atoms_now(question, values); break;
    case ASK_END: atoms = atoms_at_rest(question, values); break;
    }
    arena_rewind(&worker->scratch, mark);
    return possible && (atoms & question->atoms) == question->wanted;
}
