/* SPDX-License-Identifier: Apache-2.0 */
/* Breadth-first search with a plain set, and the answers read off the graph. */
#include "naive/naive.h"

#include "base/hash.h"

#include <assert.h>
#include <string.h>

struct collector {
    struct step_sink sink;
    struct naive_graph *graph;
    int64_t from; /* NAIVE_NOWHERE while collecting initial states */
    uint32_t emitted;
    bool must_step; /* there is a step that is not an outside event, here or left out */
};

/* ---- the plain set ---- */

static uint32_t find_slot(const struct naive_graph *graph, const uint32_t *words, uint32_t length)
{
    uint32_t slot = (uint32_t)hash_bytes(words, length * sizeof(*words)) & (graph->slot_count - 1);
    for (; graph->slots[slot] != 0; slot = (slot + 1) & (graph->slot_count - 1)) {
        const struct naive_state *state = &graph->states.items[graph->slots[slot] - 1];
        if (state->length == length && memcmp(state->words, words, length * sizeof(*words)) == 0)
            break;
    }
    return slot;
}

static void grow_slots(struct naive_graph *graph)
{
    graph->slot_count = graph->slot_count == 0 ? 64 : graph->slot_count * 2;
    graph->slots = ARENA_ARRAY(graph->arena, uint32_t, graph->slot_count);
    for (uint32_t i = 0; i < graph->states.count; i++) {
        const struct naive_state *state = &graph->states.items[i];
        graph->slots[find_slot(graph, state->words, state->length)] = i + 1;
    }
}

/* The state's index, added if it is new. */
static uint32_t intern(struct collector *collector, const struct step *step)
{
    struct naive_graph *graph = collector->graph;
    const uint32_t slot = find_slot(graph, step->words, step->length);
    if (graph->slots[slot] != 0)
        return graph->slots[slot] - 1;
    const uint32_t index = graph->states.count;
    graph->slots[slot] = index + 1;
    struct naive_state state = {
        .words = arena_copy(graph->arena, step->words, step->length * sizeof(*step->words)),
        .length = step->length,
        .parent = collector->from,
        .index = collector->emitted,
    };
    if (collector->from != NAIVE_NOWHERE)
        state.depth = graph->states.items[collector->from].depth + 1;
    if (graph->model->atoms)
        state.atoms = graph->model->atoms(graph->model, graph->worker, state.words, state.length);
    VEC_PUSH(graph->arena, &graph->states, state);
    if (graph->states.count * 2 > graph->slot_count)
        grow_slots(graph);
    return index;
}

int64_t naive_find(const struct naive_graph *graph, const uint32_t *words, uint32_t length)
{
    return (int64_t)graph->slots[find_slot(graph, words, length)] - 1;
}

/* ---- the search ---- */

static void collect_enable(struct step_sink *sink, uint32_t fairness_class)
{
    struct collector *collector = (struct collector *)sink;
    assert(fairness_class < NAIVE_CLASSES_MOST);
    collector->graph->states.items[collector->from].enabled |= UINT64_C(1) << fairness_class;
    collector->must_step = true;
}

static void collect_open(struct step_sink *sink, uint32_t gate)
{
    struct collector *collector = (struct collector *)sink;
    collector->graph->states.items[collector->from].open |= 1U << gate;
}

static bool collect_step(struct step_sink *sink, const struct step *step)
{
    struct collector *collector = (struct collector *)sink;
    struct naive_graph *graph = collector->graph;
    const uint32_t to = intern(collector, step);
    const struct naive_edge edge = {
        .from = (uint32_t)collector->from,
        .to = to,
        .index = collector->emitted++,
        .action = step->action,
        .fairness = step->fairness,
        .marks = step->marks,
    };
    if (collector->from == NAIVE_NOWHERE)
        return true;
    VEC_PUSH(graph->arena, &graph->edges, edge);
    if (step->fairness < NAIVE_CLASSES_MOST)
        collect_enable(sink, step->fairness);
    if (step->fairness != FAIRNESS_OPTIONAL)
        collector->must_step = true;
    return true;
}

static void expand_state(struct naive_graph *graph, uint32_t index)
{
    struct collector collector = {
        .sink = {collect_step, collect_enable, collect_open},
        .graph = graph,
        .from = index,
    };
    const struct naive_state before = graph->states.items[index];
    const uint32_t first_edge = graph->edges.count;
    graph->model->expand(graph->model, graph->worker, before.words, before.length, &collector.sink);
    struct naive_state *state = &graph->states.items[index];
    state->first_edge = first_edge;
    state->edge_count = graph->edges.count - first_edge;
    state->may_rest = !collector.must_step;
}

void naive_explore(struct naive_graph *graph, struct arena *arena, const struct model *model)
{
    *graph = (struct naive_graph){.arena = arena, .model = model};
    if (model->worker_create)
        graph->worker = model->worker_create(model, arena->memory);
    grow_slots(graph);
    struct collector collector = {
        .sink = {.emit = collect_step, .enable = collect_enable},
        .graph = graph,
        .from = NAIVE_NOWHERE,
    };
    model->initial(model, graph->worker, &collector.sink);
    graph->initial_count = graph->states.count;
    for (uint32_t i = 0; i < graph->states.count; i++)
        expand_state(graph, i);
    if (graph->states.count > 0)
        graph->depth = graph->states.items[graph->states.count - 1].depth;
    if (model->worker_free)
        model->worker_free(model, arena->memory, graph->worker);
    graph->worker = NULL;
}

/* ---- safety: the first state or step, in breadth-first order ---- */

static bool is_culprit(const struct naive_graph *graph, const struct property *property,
                       const struct naive_state *state)
{
    if (property->kind == PROPERTY_DEADLOCK_FREE)
        return state->edge_count == 0 && (state->atoms & graph->model->end_atoms) == 0;
    const bool holds = literals_hold(&property->p, state->atoms);
    return property->kind == PROPERTY_REACHABLE ? holds : !holds;
}

static struct naive_answer judge_states(const struct naive_graph *graph,
                                        const struct property *property)
{
    struct naive_answer answer = {.edge = NAIVE_NOWHERE};
    for (uint32_t i = 0; i < graph->states.count && !answer.has_path; i++) {
        const struct naive_state *state = &graph->states.items[i];
        if (is_culprit(graph, property, state)) {
            answer.has_path = true;
            answer.state = i;
            answer.length = state->depth;
        }
    }
    answer.violated = answer.has_path != (property->kind == PROPERTY_REACHABLE);
    return answer;
}

static struct naive_answer judge_steps(const struct naive_graph *graph,
                                       const struct property *property)
{
    struct naive_answer answer = {.edge = NAIVE_NOWHERE};
    for (uint32_t i = 0; i < graph->edges.count && !answer.has_path; i++) {
        const struct naive_edge *edge = &graph->edges.items[i];
        if ((edge->marks & property->marks) != 0) {
            answer.violated = answer.has_path = true;
            answer.state = edge->from;
            answer.edge = i;
            answer.length = graph->states.items[edge->from].depth + 1;
        }
    }
    return answer;
}

/* ---- liveness: is there a run that stays within a set for ever and meets
 * every obligation again and again? ---- */

struct hunt {
    const struct naive_graph *graph;
    const struct property *property;
    bool *alive;            /* the fixpoint: states that can still meet everything */
    bool *reaches;          /* scratch: can meet the obligation at hand */
    uint64_t classes;       /* fairness owed to these */
    uint64_t marks, visits; /* steps and atoms wanted again and again */
    uint64_t avoids;        /* steps that may not be taken */
    struct literals *wants; /* or NULL: a state that violates this, again and again */
};

static bool usable(const struct hunt *hunt, const struct naive_edge *edge)
{
    return hunt->alive[edge->to] && (edge->marks & hunt->avoids) == 0;
}

enum obligation { OWE_NOTHING, OWE_CLASS, OWE_MARK, OWE_ATOM, OWE_VIOLATION };

static bool step_meets(const struct naive_edge *edge, enum obligation owed, uint32_t which)
{
    return (owed == OWE_CLASS && edge->fairness == which) ||
           (owed == OWE_MARK && (edge->marks >> which & 1) != 0);
}

/* Does a class get what it is promised in a state that does not enable it? */
static bool is_looked_at(const struct hunt *hunt, const struct naive_state *state, uint32_t class)
{
    const uint32_t gate = model_gate(hunt->graph->model, class);
    return gate == GATE_NONE || (state->open >> gate & 1) != 0;
}

static bool state_meets(const struct hunt *hunt, const struct naive_state *state,
                        enum obligation owed, uint32_t which)
{
    return owed == OWE_NOTHING ||
           (owed == OWE_CLASS && (state->enabled >> which & 1) == 0 &&
            is_looked_at(hunt, state, which)) ||
           (owed == OWE_ATOM && (state->atoms >> which & 1) != 0) ||
           (owed == OWE_VIOLATION && !literals_hold(hunt->wants, state->atoms));
}

/* Whether state i can go on within the living and, now or by way of a successor
 * that is known to reach it, meet the obligation. */
static bool reaches_now(const struct hunt *hunt, uint32_t i, enum obligation owed, uint32_t which)
{
    const struct naive_state *state = &hunt->graph->states.items[i];
    bool goes_on = state->may_rest;
    for (uint32_t e = 0; e < state->edge_count; e++) {
        const struct naive_edge *edge = &hunt->graph->edges.items[state->first_edge + e];
        if (!usable(hunt, edge))
            continue;
        goes_on = true;
        if (step_meets(edge, owed, which) || hunt->reaches[edge->to])
            return true;
    }
    return goes_on && state_meets(hunt, state, owed, which);
}

/* Kills the states that cannot meet one obligation. True if any died. */
static bool prune(struct hunt *hunt, enum obligation owed, uint32_t which)
{
    const uint32_t count = hunt->graph->states.count;
    memset(hunt->reaches, 0, count);
    for (bool grown = true; grown;) {
        grown = false;
        for (uint32_t i = count; i-- > 0;)
            if (hunt->alive[i] && !hunt->reaches[i] && reaches_now(hunt, i, owed, which))
                hunt->reaches[i] = grown = true;
    }
    bool died = false;
    for (uint32_t i = 0; i < count; i++) {
        died |= hunt->alive[i] && !hunt->reaches[i];
        hunt->alive[i] = hunt->reaches[i];
    }
    return died;
}

static void hunt_run(struct hunt *hunt)
{
    bool died = true;
    while (died) {
        died = prune(hunt, OWE_NOTHING, 0);
        for (uint32_t bit = 0; bit < 64; bit++) {
            if (hunt->classes >> bit & 1)
                died |= prune(hunt, OWE_CLASS, bit);
            if (hunt->marks >> bit & 1)
                died |= prune(hunt, OWE_MARK, bit);
            if (hunt->visits >> bit & 1)
                died |= prune(hunt, OWE_ATOM, bit);
        }
        if (hunt->wants)
            died |= prune(hunt, OWE_VIOLATION, 0);
    }
}

static bool hunt_keeps(const struct property *property, uint64_t atoms)
{
    switch (property->kind) {
    case PROPERTY_EVENTUALLY:
    case PROPERTY_ALWAYS_EVENTUALLY: return !literals_hold(&property->p, atoms);
    case PROPERTY_LEADS_TO: return !literals_hold(&property->q, atoms);
    case PROPERTY_NO_CYCLE: return literals_hold(&property->p, atoms);
    default: return true;
    }
}

/* From every living state a fair run stays among the living; what is left to
 * ask is whether one of them starts such a run. */
static bool hunt_found(const struct hunt *hunt)
{
    const struct property *property = hunt->property;
    bool found = false;
    for (uint32_t i = 0; i < hunt->graph->states.count; i++) {
        const bool starts = property->kind == PROPERTY_EVENTUALLY ? i < hunt->graph->initial_count
                            : property->kind == PROPERTY_LEADS_TO
                                ? literals_hold(&property->p, hunt->graph->states.items[i].atoms)
                                : true;
        found |= starts && hunt->alive[i];
    }
    return found;
}

/* The classes that a run owes something which does not find gate `shut`, nor those after it, open
 * in the end. */
static uint64_t classes_owed(const struct model *model, uint32_t shut)
{
    uint64_t classes = 0;
    for (uint32_t c = 0; c < model->fairness_class_count; c++)
        if (model_gate(model, c) == GATE_NONE || model_gate(model, c) < shut)
            classes |= UINT64_C(1) << c;
    return classes;
}

/* Adds the states from which a run may come to the living, where all of it has to be kept. */
static void hunt_back(struct hunt *hunt)
{
    const struct property *property = hunt->property;
    bool grown = property->kind == PROPERTY_EVENTUALLY || property->kind == PROPERTY_LEADS_TO;
    while (grown) {
        grown = false;
        for (uint32_t e = 0; e < hunt->graph->edges.count; e++) {
            const struct naive_edge *edge = &hunt->graph->edges.items[e];
            if (!hunt->alive[edge->from] && hunt->alive[edge->to] &&
                hunt_keeps(property, hunt->graph->states.items[edge->from].atoms))
                hunt->alive[edge->from] = grown = true;
        }
    }
}

/* Is there such a run that does not find gate `shut` open in the end? */
static bool runs_behind(const struct naive_graph *graph, const struct property *property,
                        uint32_t shut)
{
    struct literals p = property->p;
    struct hunt hunt = {
        .graph = graph,
        .property = property,
        .alive = ARENA_ARRAY(graph->arena, bool, graph->states.count + 1),
        .reaches = ARENA_ARRAY(graph->arena, bool, graph->states.count + 1),
        .classes = property->without_fairness ? 0 : classes_owed(graph->model, shut),
        .wants = property->kind == PROPERTY_EVENTUALLY_ALWAYS ? &p : NULL,
    };
    if (property->kind == PROPERTY_NO_CYCLE) {
        hunt.marks = property->marks;
        hunt.visits = property->visits;
        hunt.avoids = property->avoids;
    }
    hunt.avoids |= graph->model->finite_marks;
    for (uint32_t i = 0; i < graph->states.count; i++)
        hunt.alive[i] = hunt_keeps(property, graph->states.items[i].atoms) &&
                        (graph->states.items[i].open >> shut & 1) == 0;
    hunt_run(&hunt);
    hunt_back(&hunt);
    return hunt_found(&hunt);
}

static struct naive_answer judge_runs(const struct naive_graph *graph,
                                      const struct property *property)
{
    const struct arena_mark mark = arena_mark(graph->arena);
    struct naive_answer answer = {.edge = NAIVE_NOWHERE};
    for (uint32_t shut = 0; shut <= graph->model->gate_count; shut++)
        answer.violated |= runs_behind(graph, property, shut);
    arena_rewind(graph->arena, mark);
    return answer;
}

struct naive_answer naive_judge(const struct naive_graph *graph, const struct property *property)
{
    switch (property->kind) {
    case PROPERTY_INVARIANT:
    case PROPERTY_DEADLOCK_FREE:
    case PROPERTY_REACHABLE: return judge_states(graph, property);
    case PROPERTY_STEP_INVARIANT: return judge_steps(graph, property);
    default: return judge_runs(graph, property);
    }
}
