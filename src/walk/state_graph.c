/* SPDX-License-Identifier: Apache-2.0 */
#include "walk/state_graph.h"
#include "cluster/population.h"

#include "base/hash.h"

#include <string.h>

struct graph_state {
    const uint32_t *words;
    uint32_t length;
    uint64_t hash;
};

struct state_edge {
    uint32_t from;
    uint32_t to;
    uint32_t action;
    bool outside;
};

struct graph {
    struct arena arena;
    const struct model *model;
    struct worker *worker;
    VEC(struct graph_state) states; /* in breadth-first order */
    VEC(struct state_edge) edges;
    bool too_many;
};

struct expansion_sink {
    struct step_sink sink;
    struct graph *graph;
    uint32_t from;
};

static uint32_t find_state(const struct graph *graph, const uint32_t *words, uint32_t length)
{
    const uint64_t hash = hash_bytes(words, length * sizeof(*words));
    for (uint32_t i = 0; i < graph->states.count; i++) {
        const struct graph_state *state = &graph->states.items[i];
        if (state->hash == hash && state->length == length &&
            memcmp(state->words, words, length * sizeof(*words)) == 0)
            return i;
    }
    return UINT32_MAX;
}

static uint32_t find_or_add(struct graph *graph, const uint32_t *words, uint32_t length)
{
    const uint32_t known = find_state(graph, words, length);
    if (known != UINT32_MAX)
        return known;
    const struct graph_state state = {arena_copy(&graph->arena, words, length * sizeof(*words)),
                                      length, hash_bytes(words, length * sizeof(*words))};
    graph->too_many |= graph->states.count == STATE_GRAPH_MOST;
    VEC_PUSH(&graph->arena, &graph->states, state);
    return graph->states.count - 1;
}

static bool add_edge(struct step_sink *sink, const struct step *step)
{
    struct expansion_sink *expansion = (struct expansion_sink *)sink;
    struct graph *graph = expansion->graph;
    if (graph->too_many)
        return false;
    const struct state_edge edge = {
        .from = expansion->from,
        .to = find_or_add(graph, step->words, step->length),
        .action = step->action,
        .outside = step->fairness == FAIRNESS_OPTIONAL,
    };
    for (uint32_t i = graph->edges.count; i-- > 0 && graph->edges.items[i].from == edge.from;)
        if (graph->edges.items[i].to == edge.to && graph->edges.items[i].action == edge.action)
            return true;
    VEC_PUSH(&graph->arena, &graph->edges, edge);
    return true;
}

static void explore(struct graph *graph)
{
    for (uint32_t i = 0; i < graph->states.count && !graph->too_many; i++) {
        struct expansion_sink sink = {.sink = {.emit = add_edge}, .graph = graph, .from = i};
        graph->model->expand(graph->model, graph->worker, graph->states.items[i].words,
                             graph->states.items[i].length, &sink.sink);
    }
}

/* ---- writing ---- */

/* A quoted string of the language; "; " begins a new line of the label. */
static void append_quoted(struct text *text, const char *string)
{
    text_append_char(text, '"');
    for (; *string; string++) {
        if (string[0] == ';' && string[1] == ' ') {
            text_append_string(text, "\\n");
            string++;
        } else {
            if (*string == '"' || *string == '\\')
                text_append_char(text, '\\');
            text_append_char(text, *string);
        }
    }
    text_append_char(text, '"');
}

enum strength { STRENGTH_NONE, STRENGTH_WAY, STRENGTH_LOOP };

/* The part that the edge, or (action UINT32_MAX) the state `from`, has in the
 * counterexample. */
static enum strength strength_of(const struct graph *graph, const struct state_graph_path *path,
                                 uint32_t from, uint32_t to, uint32_t action)
{
    enum strength strength = STRENGTH_NONE;
    for (uint32_t i = 0; i < path->walk->steps.count; i++) {
        const struct step *step = &path->walk->steps.items[i].step;
        uint32_t length;
        const uint32_t *words = walk_state_at(path->walk, i, &length);
        const bool there =
            find_state(graph, words, length) == from &&
            (action == UINT32_MAX ||
             (step->action == action && find_state(graph, step->words, step->length) == to));
        if (there)
            strength = path->loops && i >= path->loop_from ? STRENGTH_LOOP
                       : strength == STRENGTH_NONE         ? STRENGTH_WAY
                                                           : strength;
    }
    return strength;
}

static void write_state(const struct graph *graph, const struct state_graph_path *path,
                        uint32_t number, struct text *text)
{
    static const char *const styles[] = {"", ", penwidth=2", ", penwidth=2, color=red"};
    const struct graph_state *state = &graph->states.items[number];
    const enum strength strength = strength_of(graph, path, number, 0, UINT32_MAX);
    struct text label;
    text_init(&label, text->memory);
    graph->model->describe_state(graph->model, graph->worker, state->words, state->length, &label);
    text_printf(text, "  s%u [label=", number);
    append_quoted(text, text_content(&label));
    text_printf(text, "%s%s];\n", styles[strength], number == 0 ? ", peripheries=2" : "");
    text_release(&label);
}

static void write_edge(const struct graph *graph, const struct state_graph_path *path,
                       const struct state_edge *edge, struct text *text)
{
    static const char *const styles[] = {"", ", penwidth=2", ", penwidth=2, color=red"};
    const enum strength strength = strength_of(graph, path, edge->from, edge->to, edge->action);
    text_printf(text, "  s%u -> s%u [label=\"%s %s\"%s%s];\n", edge->from, edge->to,
                population_action_actor(edge->action), population_action_verb(edge->action),
                edge->outside ? ", style=dashed" : "", styles[strength]);
}

bool state_graph_write(struct memory *memory, const struct state_graph_path *path,
                       const char *title, struct text *text)
{
    struct graph graph = {.model = path->walk->model, .worker = path->walk->worker};
    arena_init(&graph.arena, memory);
    find_or_add(&graph, path->walk->initial, path->walk->initial_length);
    explore(&graph);
    if (!graph.too_many) {
        text_append_string(text, "digraph ");
        append_quoted(text, title);
        text_append_string(text, " {\n  node [shape=box, fontname=\"sans-serif\"];\n");
        for (uint32_t i = 0; i < graph.states.count; i++)
            write_state(&graph, path, i, text);
        for (uint32_t i = 0; i < graph.edges.count; i++)
            write_edge(&graph, path, &graph.edges.items[i], text);
        text_append_string(text, "}\n");
    }
    arena_release(&graph.arena);
    return !graph.too_many;
}
