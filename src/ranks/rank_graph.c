/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The gathered graph as a model of its own, whose states are numbers, so that the checker core
 * judges it. What it says of the graph's loops is what it would say of the model's: steps
 * keep their order, fairness and marks, and states their atoms.
 *
 * All states that were not gathered are one more state, `outside`, that has no loop which could
 * violate anything: its only step bears a mark that is taken finitely often (model.h), and where
 * loops of any kind count (`always possible`), what should be possible holds there.
 */
#include "base/clock.h"
#include "base/error.h"
#include "ranks/rank_run.h"

#include <stdlib.h>
#include <string.h>

#define OUTSIDE_MARK (UINT64_C(1) << 63)

struct rank_graph {
    const struct model *original;
    const struct graph_edge *edges; /* by source, then step */
    const uint64_t *atoms;
    const uint32_t *begins; /* by number: its first edge */
    const struct graph_begin *initial;
    uint32_t node_count, initial_count;
    bool anywhere; /* runs begin in any of its states */
    uint64_t outside_atoms;
};

static int compare_edges(const void *left, const void *right)
{
    const struct graph_edge *a = left, *b = right;
    if (a->source != b->source)
        return a->source < b->source ? -1 : 1;
    return a->step < b->step ? -1 : a->step > b->step;
}

static int compare_begins(const void *left, const void *right)
{
    const struct graph_begin *a = left, *b = right;
    return a->index < b->index ? -1 : a->index > b->index;
}

static bool emit_node(struct step_sink *sink, uint32_t number)
{
    return step_sink_emit(sink, &(struct step){.words = &number, .length = 1});
}

static void graph_initial(const struct model *model, void *worker, struct step_sink *sink)
{
    const struct rank_graph *graph = model->context;
    (void)worker;
    if (graph->anywhere) {
        for (uint32_t i = 0; i < graph->node_count; i++)
            emit_node(sink, i);
        return;
    }
    for (uint32_t i = 0; i < graph->initial_count; i++)
        emit_node(sink, graph->initial[i].number);
}

static void emit_edge(struct step_sink *sink, const struct rank_graph *graph,
                      const struct graph_edge *edge)
{
    const uint32_t target = edge->target == TARGET_OUTSIDE ? graph->node_count : edge->target;
    if (edge->target == TARGET_ENABLES)
        step_sink_enable(sink, edge->fairness);
    else if (edge->target == TARGET_OPENS)
        step_sink_open(sink, edge->fairness);
    else
        step_sink_emit(sink, &(struct step){.words = &target,
                                            .length = 1,
                                            .fairness = edge->fairness,
                                            .marks = edge->marks});
}

static void graph_expand(const struct model *model, void *worker, const uint32_t *words,
                         uint32_t length, struct step_sink *sink)
{
    const struct rank_graph *graph = model->context;
    (void)worker;
    (void)length;
    if (words[0] == graph->node_count) {
        step_sink_emit(sink, &(struct step){.words = &graph->node_count,
                                            .length = 1,
                                            .fairness = FAIRNESS_NONE,
                                            .marks = OUTSIDE_MARK});
        return;
    }
    for (uint32_t e = graph->begins[words[0]]; e < graph->begins[words[0] + 1]; e++)
        emit_edge(sink, graph, &graph->edges[e]);
}

static uint64_t graph_atoms(const struct model *model, void *worker, const uint32_t *words,
                            uint32_t length)
{
    const struct rank_graph *graph = model->context;
    (void)worker;
    (void)length;
    return words[0] == graph->node_count ? graph->outside_atoms : graph->atoms[words[0]];
}

static bool is_shared(const struct model *model, uint32_t fairness_class)
{
    const struct rank_graph *graph = model->context;
    return graph->original->class_is_shared &&
           graph->original->class_is_shared(graph->original, fairness_class);
}

static uint32_t gate_of(const struct model *model, uint32_t fairness_class)
{
    return model_gate(((const struct rank_graph *)model->context)->original, fairness_class);
}

static struct model model_of(const struct rank_graph *graph, const struct property *property)
{
    static const char *const actions[] = {"step"};
    const struct model *original = graph->original;
    return (struct model){
        .name = "gathered",
        .context = graph,
        .length_least = 1,
        .length_most = 1,
        .actions = actions,
        .action_count = 1,
        .fairness_class_count = original->fairness_class_count,
        .class_is_shared = is_shared,
        .class_gate = gate_of,
        .gate_count = original->gate_count,
        .atom_count = original->atom_count,
        .finite_marks = original->finite_marks | OUTSIDE_MARK,
        .properties = property,
        .property_count = 1,
        .initial = graph_initial,
        .expand = graph_expand,
        .atoms = graph_atoms,
    };
}

/* Sorts what was gathered, and finds where each state's edges begin. False: no memory. */
static bool sort_graph(struct rank_run *run, struct region *begins, struct region *atoms)
{
    const uint32_t nodes = run->gathered_nodes.count, edges = run->gathered_edges.count;
    if (edges > 1)
        qsort(run->gathered_edges.items.base, edges, sizeof(struct graph_edge), compare_edges);
    if (run->gathered_begins.count > 1)
        qsort(run->gathered_begins.items.base, run->gathered_begins.count,
              sizeof(struct graph_begin), compare_begins);
    if (!region_grow(begins, sizeof(uint32_t) * ((size_t)nodes + 2)) ||
        !region_grow(atoms, sizeof(uint64_t) * ((size_t)nodes + 1)))
        return false;
    uint32_t *first = begins->base;
    for (uint32_t e = 0; e < edges; e++)
        first[LIST_AT(&run->gathered_edges, struct graph_edge, e)->source + 1]++;
    for (uint32_t n = 0; n < nodes; n++)
        first[n + 1] += first[n];
    for (uint32_t n = 0; n < nodes; n++) {
        const struct graph_node *node = LIST_AT(&run->gathered_nodes, struct graph_node, n);
        ((uint64_t *)atoms->base)[node->number] = node->atoms;
    }
    return true;
}

static struct exploration *judge(struct rank_run *run, const struct property *property,
                                 const struct rank_graph *graph)
{
    const struct model model = model_of(graph, property);
    struct explore_options options;
    explore_options_init(&options);
    options.all = true;
    options.lasso_effort_most = run->options->explore->lasso_effort_most;
    options.interrupted = run->options->explore->interrupted;
    if (run->deadline_ns != INT64_MAX) {
        const int64_t left = run->deadline_ns - clock_now_ns();
        options.time_most_ms = left > 0 ? (uint64_t)left / 1000000 : 0;
    }
    return explore_run(&model, &options, run->memory);
}

struct exploration *rank_judge_graph(struct rank_run *run, const struct property *property,
                                     bool all)
{
    struct region begins, atoms;
    struct exploration *found = NULL;
    if (run->model->mark_count == MODEL_MARKS_MOST)
        bug("the model has no mark left");
    region_init(&begins, run->memory);
    region_init(&atoms, run->memory);
    if (sort_graph(run, &begins, &atoms)) {
        const struct rank_graph graph = {
            .original = run->model,
            .edges = run->gathered_edges.items.base,
            .atoms = atoms.base,
            .begins = begins.base,
            .initial = run->gathered_begins.items.base,
            .node_count = run->gathered_nodes.count,
            .initial_count = run->gathered_begins.count,
            .anywhere = !all,
            .outside_atoms = property->kind == PROPERTY_ALWAYS_POSSIBLE ? property->p.all : 0,
        };
        found = judge(run, property, &graph);
    }
    region_release(&begins);
    region_release(&atoms);
    return found;
}
