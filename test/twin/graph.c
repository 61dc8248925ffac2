/* SPDX-License-Identifier: Apache-2.0 */
/* The states and steps of a model, counted; those of a twin without names. */
#include "cluster/population.h"
#include "twin/compare.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

struct collector {
    struct step_sink sink;
    struct graph *graph;
    uint32_t from; /* folded */
    bool initial;
};

static const char *key_of(struct graph *graph, const uint32_t *words, uint32_t length)
{
    char *key = arena_allocate(&graph->arena, (size_t)length * 8 + 1);
    for (uint32_t i = 0; i < length; i++)
        snprintf(key + (size_t)i * 8, 9, "%08x", words[i]);
    return key;
}

static uint32_t fold(struct graph *graph, const uint32_t *words, uint32_t state, uint32_t depth)
{
    if (!graph->twin) {
        graph->at_depth[depth]++;
        return state;
    }
    struct text text;
    text_init(&text, graph->arena.memory);
    twin_fold(graph->twin, words, &text);
    struct map_entry *entry =
        map_put(&graph->folded, arena_strdup(&graph->arena, text_content(&text)));
    text_release(&text);
    if (!entry->value) {
        entry->value = (void *)(uintptr_t)graph->folded.count;
        graph->at_depth[depth]++;
    }
    return (uint32_t)(uintptr_t)entry->value - 1;
}

static bool collect(struct step_sink *sink, const struct step *step)
{
    struct collector *collector = (struct collector *)sink;
    struct graph *graph = collector->graph;
    const uint32_t depth = collector->initial ? 0 : graph->depth + 1;
    if (depth >= DEPTH_MOST || graph->words.count >= graph->limit) {
        graph->too_large = true;
        return false;
    }
    struct map_entry *entry = map_put(&graph->states, key_of(graph, step->words, step->length));
    if (!entry->value) {
        const uint32_t number = graph->words.count;
        const uint32_t *copy =
            arena_copy(&graph->arena, step->words, step->length * sizeof(uint32_t));
        entry->value = (void *)(uintptr_t)(number + 1);
        VEC_PUSH(&graph->arena, &graph->words, copy);
        VEC_PUSH(&graph->arena, &graph->lengths, step->length);
        VEC_PUSH(&graph->arena, &graph->depths, depth);
        VEC_PUSH(&graph->arena, &graph->folds, fold(graph, copy, number, depth));
    }
    const uint32_t to = graph->folds.items[(uintptr_t)entry->value - 1];
    if (collector->initial)
        return true;
    if (graph->only_before && step->action == graph->only_before)
        VEC_PUSH(&graph->arena, &graph->last, (uint32_t)(uintptr_t)entry->value - 1);
    struct map_entry *edge = map_put(
        &graph->edges, arena_printf(&graph->arena, "%u %u %u", collector->from, step->action, to));
    if (!edge->value) {
        edge->value = graph;
        graph->of_action[step->action]++;
    }
    return true;
}

static void ignore(struct step_sink *sink, uint32_t class)
{
    (void)sink;
    (void)class;
}

static bool is_last(const struct graph *graph, uint32_t state)
{
    for (uint32_t i = 0; i < graph->last.count; i++)
        if (graph->last.items[i] == state)
            return true;
    return false;
}

void graph_build(struct graph *graph, struct memory *memory, const struct model *model,
                 struct twin *twin, uint32_t limit)
{
    graph_build_until(graph, memory, model, twin, limit, 0);
}

void graph_build_until(struct graph *graph, struct memory *memory, const struct model *model,
                       struct twin *twin, uint32_t limit, uint32_t action)
{
    memset(graph, 0, sizeof(*graph));
    graph->only_before = action;
    arena_init(&graph->arena, memory);
    graph->model = model;
    graph->twin = twin;
    graph->limit = limit;
    map_init(&graph->states, &graph->arena);
    map_init(&graph->folded, &graph->arena);
    map_init(&graph->edges, &graph->arena);
    void *worker = model->worker_create ? model->worker_create(model, memory) : NULL;
    struct collector collector = {{collect, ignore}, graph, 0, true};
    model->initial(model, worker, &collector.sink);
    collector.initial = false;
    for (uint32_t i = 0; i < graph->words.count && !graph->too_large; i++) {
        if (is_last(graph, i))
            continue;
        graph->depth = graph->depths.items[i];
        collector.from = graph->folds.items[i];
        model->expand(model, worker, graph->words.items[i], graph->lengths.items[i],
                      &collector.sink);
    }
    if (model->worker_free)
        model->worker_free(model, memory, worker);
}

enum result compare_graphs(const struct graph *quotient, const struct graph *naive, bool tell)
{
    enum result result = SAME;
    if (quotient->words.count != naive->folded.count) {
        if (tell)
            printf("  states: %u in the population, %u folded (%u in the twin)\n",
                   quotient->words.count, naive->folded.count, naive->words.count);
        result = DIFFERENT;
    }
    for (uint32_t d = 0; d < DEPTH_MOST; d++)
        if (quotient->at_depth[d] != naive->at_depth[d]) {
            if (tell)
                printf("  depth %u: %" PRIu64 " states in the population, %" PRIu64 " folded\n", d,
                       quotient->at_depth[d], naive->at_depth[d]);
            result = DIFFERENT;
            break;
        }
    for (uint32_t a = 0; a < ACTIONS_MOST; a++)
        if (quotient->of_action[a] != naive->of_action[a]) {
            if (tell)
                printf("  %s %s: %" PRIu64 " steps in the population, %" PRIu64 " folded\n",
                       population_action_actor(a), population_action_verb(a),
                       quotient->of_action[a], naive->of_action[a]);
            result = DIFFERENT;
        }
    return result;
}
