/* SPDX-License-Identifier: Apache-2.0 */
/* Judges a reported path against the plain graph: is it a run of the model, does
 * its loop close, is the loop fair, and does it show what it is said to show? */
#include "naive/naive.h"

#include <string.h>

/* What the repeated part of a run has. */
struct loop_facts {
    uint64_t served; /* classes taken or disabled somewhere */
    uint32_t open;   /* gates, somewhere */
    uint64_t marks;
    uint64_t atoms;
    bool p_always, p_never, q_never;
};

static const struct naive_state *path_state(const struct naive_graph *graph,
                                            const struct run_path *path, uint32_t i)
{
    const uint32_t length = (uint32_t)(path->offsets[i + 1] - path->offsets[i]);
    const int64_t index = naive_find(graph, path->words + path->offsets[i], length);
    return index == NAIVE_NOWHERE ? NULL : &graph->states.items[index];
}

static bool is_step(const struct naive_graph *graph, const struct run_path *path, uint32_t i)
{
    const struct naive_state *from = path_state(graph, path, i);
    const struct naive_state *to = path_state(graph, path, i + 1);
    const struct path_step *step = &path->steps[i];
    if (!from || !to || step->index >= from->edge_count)
        return false;
    const struct naive_edge *edge = &graph->edges.items[from->first_edge + step->index];
    return &graph->states.items[edge->to] == to && edge->fairness == step->fairness &&
           edge->marks == step->marks;
}

static const char *refute_run(const struct naive_graph *graph, const struct run_path *path)
{
    const struct naive_state *start = path_state(graph, path, 0);
    if (!start || start >= graph->states.items + graph->initial_count)
        return "does not start in an initial state";
    for (uint32_t i = 0; i < path->step_count; i++)
        if (!is_step(graph, path, i))
            return "has a step that the model does not have";
    if (!path->loops)
        return NULL;
    const struct naive_state *last = path_state(graph, path, path->step_count);
    if (path->loop_rests)
        return last->may_rest ? NULL : "rests where a step must be taken";
    if (path->loop_from >= path->step_count)
        return "has an empty loop";
    const struct naive_state *again = path_state(graph, path, path->loop_from);
    if (again != last)
        return "has a loop that does not close";
    return NULL;
}

/* The classes behind no gate, or behind one of these. */
static uint64_t classes_looked_at(const struct model *model, uint32_t open)
{
    uint64_t classes = 0;
    for (uint32_t c = 0; c < model->fairness_class_count; c++) {
        const uint32_t gate = model_gate(model, c);
        if (gate == GATE_NONE || (gate < MODEL_GATES_MOST && (open >> gate & 1) != 0))
            classes |= UINT64_C(1) << c;
    }
    return classes;
}

static struct loop_facts gather(const struct naive_graph *graph, const struct property *property,
                                const struct run_path *path)
{
    struct loop_facts facts = {.p_always = true, .p_never = true, .q_never = true};
    const uint32_t from = path->loop_rests ? path->step_count : path->loop_from;
    for (uint32_t i = from; i <= path->step_count; i++) {
        const struct naive_state *state = path_state(graph, path, i);
        const bool p = literals_hold(&property->p, state->atoms);
        facts.served |= ~state->enabled & classes_looked_at(graph->model, state->open);
        facts.open |= state->open;
        facts.atoms |= state->atoms;
        facts.p_always &= p;
        facts.p_never &= !p;
        facts.q_never &= !literals_hold(&property->q, state->atoms);
    }
    for (uint32_t i = from; i < path->step_count; i++) {
        facts.marks |= path->steps[i].marks;
        if (path->steps[i].fairness < NAIVE_CLASSES_MOST)
            facts.served |= UINT64_C(1) << path->steps[i].fairness;
    }
    return facts;
}

/* Some state with p from which on, to the end of the path, none has q. */
static bool asks_in_vain(const struct naive_graph *graph, const struct property *property,
                         const struct run_path *path)
{
    for (uint32_t i = path->step_count + 1; i-- > 0;) {
        const uint64_t atoms = path_state(graph, path, i)->atoms;
        if (literals_hold(&property->q, atoms))
            return false;
        if (literals_hold(&property->p, atoms))
            return true;
    }
    return false;
}

static const char *refute_lasso(const struct naive_graph *graph, const struct property *property,
                                const struct run_path *path)
{
    const struct loop_facts facts = gather(graph, property, path);
    const uint64_t classes = (UINT64_C(1) << graph->model->fairness_class_count) - 1;
    if (!property->without_fairness &&
        (classes & classes_looked_at(graph->model, facts.open) & ~facts.served) != 0)
        return "has a loop that is unfair to a class";
    if ((graph->model->finite_marks & facts.marks) != 0)
        return "has a step in its loop that is taken finitely often";
    switch (property->kind) {
    case PROPERTY_EVENTUALLY:
        for (uint32_t i = 0; i <= path->step_count; i++)
            if (literals_hold(&property->p, path_state(graph, path, i)->atoms))
                return "comes to p";
        return NULL;
    case PROPERTY_EVENTUALLY_ALWAYS: return facts.p_always ? "has p all along its loop" : NULL;
    case PROPERTY_ALWAYS_EVENTUALLY: return facts.p_never ? NULL : "has p in its loop";
    case PROPERTY_LEADS_TO:
        return facts.q_never && asks_in_vain(graph, property, path) ? NULL
                                                                    : "comes to q or never has p";
    default:
        if ((property->marks & ~facts.marks) != 0 || (property->visits & ~facts.atoms) != 0)
            return "lacks something in its loop";
        if ((property->avoids & facts.marks) != 0 || !facts.p_always)
            return "has something in its loop that it must not";
        return NULL;
    }
}

static const char *refute_finite(const struct naive_graph *graph, const struct property *property,
                                 const struct run_path *path)
{
    const struct naive_state *last = path_state(graph, path, path->step_count);
    const bool p = literals_hold(&property->p, last->atoms);
    switch (property->kind) {
    case PROPERTY_INVARIANT: return p ? "ends where p holds" : NULL;
    case PROPERTY_REACHABLE: return p ? NULL : "ends where p does not hold";
    case PROPERTY_DEADLOCK_FREE:
        return last->edge_count == 0 && (last->atoms & graph->model->end_atoms) == 0
                   ? NULL
                   : "does not end in a deadlock";
    case PROPERTY_STEP_INVARIANT:
        return path->step_count > 0 &&
                       (path->steps[path->step_count - 1].marks & property->marks) != 0
                   ? NULL
                   : "does not end with a forbidden step";
    default: return "is no lasso";
    }
}

const char *naive_refute_path(const struct naive_graph *graph, const struct property *property,
                              const struct run_path *path)
{
    const char *wrong = refute_run(graph, path);
    if (wrong)
        return wrong;
    return path->loops ? refute_lasso(graph, property, path) : refute_finite(graph, property, path);
}
