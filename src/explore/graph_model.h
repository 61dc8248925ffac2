/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A model given as a table of edges, for tests: state 0 is initial, a state is
 * one word. Edges leave a state in the order of the table.
 */
#ifndef FATHOM_EXPLORE_GRAPH_MODEL_H
#define FATHOM_EXPLORE_GRAPH_MODEL_H

#include "explore/model.h"

struct graph_edge {
    uint32_t from, to;
    uint32_t fairness;
    uint64_t marks;
};

struct graph {
    const struct graph_edge *edges;
    uint32_t edge_count;
    const uint64_t *atoms; /* by state; may be NULL */
};

static inline void graph_initial(const struct model *model, void *worker, struct step_sink *sink)
{
    (void)model;
    (void)worker;
    const uint32_t zero = 0;
    step_sink_emit(sink, &(struct step){.words = &zero, .length = 1});
}

static inline void graph_expand(const struct model *model, void *worker, const uint32_t *words,
                                uint32_t length, struct step_sink *sink)
{
    (void)worker;
    (void)length;
    const struct graph *graph = model->context;
    for (uint32_t i = 0; i < graph->edge_count; i++) {
        const struct graph_edge *edge = &graph->edges[i];
        if (edge->from == words[0])
            step_sink_emit(sink, &(struct step){.words = &edge->to,
                                                .length = 1,
                                                .fairness = edge->fairness,
                                                .marks = edge->marks});
    }
}

static inline uint64_t graph_atoms(const struct model *model, void *worker, const uint32_t *words,
                                   uint32_t length)
{
    (void)worker;
    (void)length;
    const struct graph *graph = model->context;
    return graph->atoms ? graph->atoms[words[0]] : 0;
}

static inline struct model graph_model(const struct graph *graph, uint32_t classes,
                                       const struct property *properties, uint32_t count)
{
    static const char *const actions[] = {"step"};
    return (struct model){.name = "graph",
                          .context = graph,
                          .length_least = 1,
                          .length_most = 1,
                          .actions = actions,
                          .action_count = 1,
                          .fairness_class_count = classes,
                          .properties = properties,
                          .property_count = count,
                          .initial = graph_initial,
                          .expand = graph_expand,
                          .atoms = graph_atoms};
}

#endif
