/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A run that shows a violation of liveness: a prefix into an accepting component
 * and a loop in it.
 *
 * How short it is. For a given state of an accepting component the prefix to it is
 * shortest. A loop through it that has nothing to meet is shortest, too; otherwise it goes
 * to the nearest thing still unmet (a mark, an atom, a step of a class or a state that
 * does not enable it), again and again, and the shortest way back: each leg is shortest,
 * the whole need not be (that problem is NP-hard). Over the states of accepting components
 * the least sum of prefix and loop is taken, nearest states first, until no nearer sum is
 * possible or the effort allowed (`lasso_effort_most`, counted in edges) is used up. Among
 * equals the first in the order of steps wins, so the result does not depend on threads.
 *
 * What a loop owes to the classes behind a gate is known as soon as it comes to a state in
 * which the gate is open: those that are enabled there, and were not taken on the way.
 */
#include "explore/lasso.h"

#include "base/error.h"
#include "explore/worker.h"

#include <assert.h>
#include <string.h>

/* A breadth-first search over (state, stage); the stage is 1 once a state with p
 * was chosen as the one that q must follow (leads-to), else 0. */
struct visit {
    uint64_t node; /* id * 2 + stage */
    uint32_t parent;
    uint32_t step;
    uint32_t depth;
};

struct queue {
    struct region visits;
    uint32_t count;
};

struct lasso {
    const struct cycle_search *cycle;
    struct memory *memory;
    struct queue prefix, local;
    struct region prefix_seen; /* bitmap by node */
    struct region local_seen;  /* uint32_t by id: number of the search that saw it */
    uint32_t local_number;
    struct region unmet; /* bool by class */
    struct region unmet_classes;
    uint32_t unmet_count;
    struct region taken; /* bool by class: in the loop so far; only of those behind gates */
    uint32_t opened;     /* gates that were open in the loop so far, as bits */
    uint64_t unmet_marks, unmet_atoms;
    bool unmet_not_p;
    struct trail loop, best_loop;
    uint32_t best_visit; /* end of the prefix of the best lasso */
    uint64_t best_sum;
    bool best_rests, has_best;
    uint64_t effort;
};

static struct visit *visit_at(const struct queue *queue, uint32_t at)
{
    return (struct visit *)queue->visits.base + at;
}

static bool enqueue(struct queue *queue, uint64_t node, uint32_t parent, uint32_t step,
                    uint32_t depth)
{
    if (!region_reserve_next(&queue->visits, queue->count, sizeof(struct visit)))
        return false;
    ((struct visit *)queue->visits.base)[queue->count++] =
        (struct visit){node, parent, step, depth};
    return true;
}

/* Prefix. */

/* The prefix, too, must stay in the terrain where the whole run has to. */
static bool prefix_allows(const struct lasso *lasso, uint32_t id, uint32_t stage)
{
    const struct cycle_search *cycle = lasso->cycle;
    if (id >= cycle->search->expanded_ids)
        return false;
    if (cycle->property->kind == PROPERTY_EVENTUALLY || stage == 1)
        return cycle_allows_state(cycle, id);
    return true;
}

/* Adds a node if it is new. If p holds there, also adds the node of the same state in stage 1. */
static bool reach(struct lasso *lasso, uint32_t id, uint32_t stage, uint32_t parent, uint32_t step,
                  uint32_t depth)
{
    const struct cycle_search *cycle = lasso->cycle;
    const uint64_t node = (uint64_t)id * 2 + stage;
    uint8_t *seen = lasso->prefix_seen.base;
    if (!prefix_allows(lasso, id, stage) || (seen[node / 8] >> node % 8 & 1) != 0)
        return true;
    seen[node / 8] |= (uint8_t)(1U << node % 8);
    if (!enqueue(&lasso->prefix, node, parent, step, depth))
        return false;
    if (cycle->property->kind == PROPERTY_LEADS_TO && stage == 0 &&
        literals_hold(&cycle->property->p, cycle_atoms(cycle, id)) && cycle_allows_state(cycle, id))
        return reach(lasso, id, 1, parent, step, depth);
    return true;
}

static bool is_entry(const struct lasso *lasso, const struct visit *visit)
{
    const uint32_t stage = lasso->cycle->property->kind == PROPERTY_LEADS_TO ? 1 : 0;
    return (visit->node & 1) == stage && cycle_accepts(lasso->cycle, (uint32_t)(visit->node / 2));
}

/* Initial states in the order in which the model emits them. */
struct initial_sink {
    struct step_sink sink;
    struct lasso *lasso;
    uint32_t index;
    bool failed;
};

static bool initial_emit(struct step_sink *sink, const struct step *step)
{
    struct initial_sink *initial = (struct initial_sink *)sink;
    struct search_worker *worker = &initial->lasso->cycle->search->workers[0];
    const uint32_t id = store_find(&worker->cursor, step->words, step->length);
    if (id != PAIR_SET_NONE && !reach(initial->lasso, id, 0, UINT32_MAX, initial->index, 0))
        initial->failed = true;
    initial->index++;
    return !initial->failed;
}

static void initial_enable(struct step_sink *sink, uint32_t fairness_class)
{
    (void)sink;
    (void)fairness_class;
}

static bool reach_initial(struct lasso *lasso)
{
    const struct search *search = lasso->cycle->search;
    struct initial_sink initial = {.sink = {initial_emit, initial_enable}, .lasso = lasso};
    search->model->initial(search->model, search->workers[0].scratch, &initial.sink);
    return !initial.failed;
}

static bool reach_successors(struct lasso *lasso, uint32_t at)
{
    const struct visit visit = *visit_at(&lasso->prefix, at);
    const struct edges *edges = &lasso->cycle->search->edges;
    uint32_t step = 0;
    for (struct edge_walk edge = edges_of(edges, (uint32_t)(visit.node / 2)); edge_next(&edge);) {
        if (edge.target == EDGE_NO_TARGET)
            continue;
        if (!reach(lasso, edge.target, (uint32_t)(visit.node & 1), at, step, visit.depth + 1))
            return false;
        step++;
    }
    return true;
}

/* Demands. */

static bool *unmet_flags(const struct lasso *lasso)
{
    return lasso->unmet.base;
}

static void drop_class(struct lasso *lasso, uint32_t class)
{
    bool *unmet = unmet_flags(lasso);
    if (!unmet || !unmet[class])
        return;
    unmet[class] = false;
    uint32_t *classes = lasso->unmet_classes.base;
    for (uint32_t i = 0; i < lasso->unmet_count; i++) {
        if (classes[i] == class)
            classes[i--] = classes[--lasso->unmet_count];
    }
}

static bool enables(const struct lasso *lasso, uint32_t id, uint32_t class)
{
    const struct edges *edges = &lasso->cycle->search->edges;
    for (struct edge_walk edge = edges_of(edges, id); edge_next(&edge);) {
        if (edges_label_at(edges, edge.label)->fairness == class)
            return true;
    }
    return false;
}

/* Does it do justice to the class that a run comes to the state? */
static bool excuses(const struct lasso *lasso, uint32_t id, uint32_t class)
{
    const uint32_t gate = model_gate(lasso->cycle->search->model, class);
    return !enables(lasso, id, class) &&
           (gate == GATE_NONE || cycle_gate_is_open(lasso->cycle, id, gate));
}

/* The loop owes something to the classes that are enabled in the state, are behind this gate and
 * were not taken yet. */
static void owe_classes(struct lasso *lasso, uint32_t id, uint32_t gate)
{
    const struct model *model = lasso->cycle->search->model;
    const struct edges *edges = &lasso->cycle->search->edges;
    const bool *taken = lasso->taken.base;
    bool *unmet = unmet_flags(lasso);
    for (struct edge_walk edge = edges_of(edges, id); unmet && edge_next(&edge);) {
        const uint32_t class = edges_label_at(edges, edge.label)->fairness;
        if (class >= model->fairness_class_count || unmet[class] ||
            model_gate(model, class) != gate || (gate != GATE_NONE && taken[class]))
            continue;
        unmet[class] = true;
        ((uint32_t *)lasso->unmet_classes.base)[lasso->unmet_count++] = class;
    }
}

/* Notes which gates the loop finds open for the first time. */
static void pass_gates(struct lasso *lasso, uint32_t id)
{
    for (uint32_t gate = 0; gate < lasso->cycle->search->model->gate_count; gate++) {
        if ((lasso->opened >> gate & 1) == 0 && cycle_gate_is_open(lasso->cycle, id, gate)) {
            lasso->opened |= 1U << gate;
            owe_classes(lasso, id, gate);
        }
    }
}

static bool state_helps(const struct lasso *lasso, uint32_t id)
{
    const uint64_t atoms = cycle_atoms(lasso->cycle, id);
    if ((atoms & lasso->unmet_atoms) != 0 ||
        (lasso->unmet_not_p && !literals_hold(&lasso->cycle->property->p, atoms)))
        return true;
    const uint32_t *classes = lasso->unmet_classes.base;
    for (uint32_t i = 0; i < lasso->unmet_count; i++) {
        if (excuses(lasso, id, classes[i]))
            return true;
    }
    return false;
}

static bool step_helps(const struct lasso *lasso, const struct edge_walk *edge)
{
    const struct edge_label *label = edges_label_at(&lasso->cycle->search->edges, edge->label);
    if ((label->marks & lasso->unmet_marks) != 0)
        return true;
    const bool *unmet = unmet_flags(lasso);
    return unmet && label->fairness < lasso->cycle->search->model->fairness_class_count &&
           unmet[label->fairness];
}

static void meet_state(struct lasso *lasso, uint32_t id)
{
    const uint64_t atoms = cycle_atoms(lasso->cycle, id);
    lasso->unmet_atoms &= ~atoms;
    if (!literals_hold(&lasso->cycle->property->p, atoms))
        lasso->unmet_not_p = false;
    const uint32_t *classes = lasso->unmet_classes.base;
    for (uint32_t i = lasso->unmet_count; i-- > 0;) {
        if (excuses(lasso, id, classes[i]))
            drop_class(lasso, classes[i]);
    }
    pass_gates(lasso, id);
}

static void meet_step(struct lasso *lasso, uint16_t number)
{
    const struct edge_label *label = edges_label_at(&lasso->cycle->search->edges, number);
    lasso->unmet_marks &= ~label->marks;
    if (label->fairness >= lasso->cycle->search->model->fairness_class_count)
        return;
    drop_class(lasso, label->fairness);
    if (lasso->taken.base)
        ((bool *)lasso->taken.base)[label->fairness] = true;
}

static bool all_met(const struct lasso *lasso)
{
    return lasso->unmet_count == 0 && lasso->unmet_marks == 0 && lasso->unmet_atoms == 0 &&
           !lasso->unmet_not_p;
}

/* What a loop through `id` has to meet: classes that are enabled there, and what
 * the property is about. */
static void set_demands(struct lasso *lasso, uint32_t id)
{
    const struct cycle_search *cycle = lasso->cycle;
    const struct property *property = cycle->property;
    while (lasso->unmet_count > 0)
        drop_class(lasso, *(const uint32_t *)lasso->unmet_classes.base);
    lasso->unmet_marks = property->kind == PROPERTY_NO_CYCLE ? property->marks : 0;
    lasso->unmet_atoms = property->kind == PROPERTY_NO_CYCLE ? property->visits : 0;
    lasso->unmet_not_p = property->kind == PROPERTY_EVENTUALLY_ALWAYS;
    lasso->opened = 0;
    if (lasso->taken.base)
        memset(lasso->taken.base, 0, cycle->search->model->fairness_class_count * sizeof(bool));
    owe_classes(lasso, id, GATE_NONE);
    meet_state(lasso, id);
}

/* Loop. */

/* Appends the way to visit `at` of the local search; what is met on it is no
 * longer demanded. */
static bool append_leg(struct lasso *lasso, uint32_t at)
{
    const struct edges *edges = &lasso->cycle->search->edges;
    const uint32_t length = visit_at(&lasso->local, at)->depth;
    const uint32_t before = lasso->loop.count;
    for (uint32_t i = 0; i < length; i++) {
        if (!trail_push(&lasso->loop, 0, 0))
            return false;
    }
    for (uint32_t i = length; i > 0; i--) {
        const struct visit *visit = visit_at(&lasso->local, at);
        lasso->loop.ids[before + i] = (uint32_t)visit->node;
        lasso->loop.steps[before + i - 1] = visit->step;
        at = visit->parent;
    }
    for (uint32_t i = 0; i < length; i++) {
        uint32_t step = 0;
        for (struct edge_walk edge = edges_of(edges, lasso->loop.ids[before + i]);
             edge_next(&edge);) {
            if (edge.target == EDGE_NO_TARGET)
                continue;
            if (step++ == lasso->loop.steps[before + i])
                meet_step(lasso, edge.label);
        }
        meet_state(lasso, lasso->loop.ids[before + i + 1]);
    }
    return true;
}

enum leg { LEG_FOUND, LEG_NONE, LEG_NO_MEMORY };

/* The shortest way (of at least one step) inside the component from `from` to
 * `home`, or, if `home` is none, to the nearest thing that is still unmet. */
static enum leg walk_leg(struct lasso *lasso, uint32_t from, uint32_t home)
{
    const struct cycle_search *cycle = lasso->cycle;
    const struct edges *edges = &cycle->search->edges;
    uint32_t *seen = lasso->local_seen.base;
    const uint32_t component = cycle->component[from];
    const uint32_t number = ++lasso->local_number;
    lasso->local.count = 0;
    if (!enqueue(&lasso->local, from, UINT32_MAX, 0, 0))
        return LEG_NO_MEMORY;
    seen[from] = number;
    for (uint32_t at = 0; at < lasso->local.count; at++) {
        const struct visit visit = *visit_at(&lasso->local, at);
        uint32_t step = 0;
        for (struct edge_walk edge = edges_of(edges, (uint32_t)visit.node); edge_next(&edge);) {
            lasso->effort++;
            if (edge.target == EDGE_NO_TARGET)
                continue;
            const uint32_t index = step++;
            if (!cycle_allows_step(cycle, &edge) || edge.target >= cycle->id_count ||
                cycle->component[edge.target] != component)
                continue;
            const bool arrived = home == PAIR_SET_NONE
                                     ? step_helps(lasso, &edge) || (seen[edge.target] != number &&
                                                                    state_helps(lasso, edge.target))
                                     : edge.target == home;
            if (seen[edge.target] == number && !arrived)
                continue;
            seen[edge.target] = number;
            if (!enqueue(&lasso->local, edge.target, at, index, visit.depth + 1))
                return LEG_NO_MEMORY;
            if (arrived)
                return append_leg(lasso, lasso->local.count - 1) ? LEG_FOUND : LEG_NO_MEMORY;
        }
    }
    return LEG_NONE;
}

/* That something cannot be reached any more is so whether runs are fair or not: what a loop cannot
 * do justice to is not demanded. True: nothing is, now. */
static bool waive_fairness(struct lasso *lasso)
{
    if (lasso->cycle->property->kind != PROPERTY_ALWAYS_POSSIBLE)
        return false;
    while (lasso->unmet_count > 0)
        drop_class(lasso, *(const uint32_t *)lasso->unmet_classes.base);
    return all_met(lasso);
}

/* A loop through `id` into lasso->loop; count 0 means resting. */
static bool make_loop(struct lasso *lasso, uint32_t id)
{
    trail_clear(&lasso->loop);
    set_demands(lasso, id);
    if (!trail_push(&lasso->loop, 0, id))
        return false;
    if (all_met(lasso) && edges_rest(&lasso->cycle->search->edges, id))
        return true;
    /* On the way back a gate may be open. */
    while (!all_met(lasso) || lasso->loop.count == 0 || lasso->loop.ids[lasso->loop.count] != id) {
        const uint32_t home = all_met(lasso) ? id : PAIR_SET_NONE;
        const enum leg leg = walk_leg(lasso, lasso->loop.ids[lasso->loop.count], home);
        if (leg == LEG_NONE && home == PAIR_SET_NONE && waive_fairness(lasso))
            continue;
        if (leg == LEG_NONE && home == PAIR_SET_NONE)
            bug("a component that was judged fair has no fair loop");
        if (leg == LEG_NONE)
            bug("a strongly connected component has no way back");
        if (leg == LEG_NO_MEMORY)
            return false;
    }
    return true;
}

static bool consider(struct lasso *lasso, uint32_t at)
{
    const struct visit visit = *visit_at(&lasso->prefix, at);
    if (!make_loop(lasso, (uint32_t)(visit.node / 2)))
        return false;
    const uint64_t sum = (uint64_t)visit.depth + lasso->loop.count;
    if (lasso->has_best && sum >= lasso->best_sum)
        return true;
    const struct trail worse = lasso->best_loop;
    lasso->best_loop = lasso->loop;
    lasso->loop = worse;
    lasso->best_visit = at;
    lasso->best_sum = sum;
    lasso->best_rests = lasso->best_loop.count == 0;
    lasso->has_best = true;
    return true;
}

static bool may_improve(const struct lasso *lasso, uint32_t depth)
{
    return !lasso->has_best || (depth < lasso->best_sum &&
                                lasso->effort < lasso->cycle->search->options->lasso_effort_most);
}

static bool search_prefix(struct lasso *lasso)
{
    if (!reach_initial(lasso))
        return false;
    for (uint32_t at = 0; at < lasso->prefix.count; at++) {
        const struct visit visit = *visit_at(&lasso->prefix, at);
        if (!may_improve(lasso, visit.depth))
            break;
        if (is_entry(lasso, &visit) && !consider(lasso, at))
            return false;
        if (!reach_successors(lasso, at))
            return false;
    }
    if (!lasso->has_best)
        bug("no way leads to a fair cycle that was found");
    return true;
}

/* Prefix and loop as one trail. */
static bool compose(struct lasso *lasso, struct trail *trail)
{
    const uint32_t length = visit_at(&lasso->prefix, lasso->best_visit)->depth;
    for (uint32_t i = 0; i <= length; i++) {
        if (!trail_push(trail, 0, 0))
            return false;
    }
    uint32_t at = lasso->best_visit;
    for (uint32_t i = length;; i--) {
        const struct visit *visit = visit_at(&lasso->prefix, at);
        trail->ids[i] = (uint32_t)(visit->node / 2);
        if (i == 0) {
            trail->initial_index = visit->step;
            break;
        }
        trail->steps[i - 1] = visit->step;
        at = visit->parent;
    }
    trail->loops = true;
    trail->rests = lasso->best_rests;
    trail->loop_from = length;
    for (uint32_t i = 0; i < lasso->best_loop.count; i++) {
        if (!trail_push(trail, lasso->best_loop.steps[i], lasso->best_loop.ids[i + 1]))
            return false;
    }
    return true;
}

static bool lasso_init(struct lasso *lasso)
{
    const struct search *search = lasso->cycle->search;
    const size_t ids = (size_t)lasso->cycle->id_count + 1;
    const uint32_t classes = search->model->fairness_class_count;
    region_init_spilling(&lasso->prefix.visits, lasso->memory);
    region_init_spilling(&lasso->local.visits, lasso->memory);
    region_init(&lasso->prefix_seen, lasso->memory);
    region_init(&lasso->local_seen, lasso->memory);
    region_init(&lasso->unmet, lasso->memory);
    region_init(&lasso->unmet_classes, lasso->memory);
    region_init(&lasso->taken, lasso->memory);
    trail_init(&lasso->loop, lasso->memory);
    trail_init(&lasso->best_loop, lasso->memory);
    if (!region_grow(&lasso->prefix_seen, ids / 4 + 1) ||
        !region_grow(&lasso->local_seen, ids * sizeof(uint32_t)))
        return false;
    if (classes == 0 || lasso->cycle->property->without_fairness)
        return true;
    return region_grow(&lasso->unmet, classes * sizeof(bool)) &&
           (search->model->gate_count == 0 || region_grow(&lasso->taken, classes * sizeof(bool))) &&
           region_grow(&lasso->unmet_classes, classes * sizeof(uint32_t));
}

static void lasso_release(struct lasso *lasso)
{
    region_release(&lasso->prefix.visits);
    region_release(&lasso->local.visits);
    region_release(&lasso->prefix_seen);
    region_release(&lasso->local_seen);
    region_release(&lasso->unmet);
    region_release(&lasso->unmet_classes);
    region_release(&lasso->taken);
    trail_release(&lasso->loop);
    trail_release(&lasso->best_loop);
}

bool lasso_find(const struct cycle_search *cycle, struct trail *trail)
{
    struct lasso lasso = {.cycle = cycle, .memory = cycle->search->memory};
    const bool done = lasso_init(&lasso) && search_prefix(&lasso) && compose(&lasso, trail);
    lasso_release(&lasso);
    return done;
}
