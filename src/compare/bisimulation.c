/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Whether two graphs can be told apart.
 *
 * At first states with the same label are in one class. Classes are split by the steps out of their
 * states (who, and into which class) until nothing splits any more. The graphs are equal if their
 * initial states are in the same classes: all other states are reached from these.
 */
#include "base/hash.h"
#include "compare/compare.h"

#include <stdlib.h>
#include <string.h>

static int by_number(const void *left, const void *right)
{
    const uint64_t one = *(const uint64_t *)left;
    const uint64_t other = *(const uint64_t *)right;
    return (one > other) - (one < other);
}

/* Sorts and drops what is there twice; gives the number that is left. */
static uint32_t distinct(uint64_t *numbers, uint32_t count)
{
    uint32_t kept = 0;
    if (count > 0)
        qsort(numbers, count, sizeof(*numbers), by_number);
    for (uint32_t i = 0; i < count; i++)
        if (i == 0 || numbers[i] != numbers[i - 1])
            numbers[kept++] = numbers[i];
    return kept;
}

static void label_classes(struct compare_graph *graph)
{
    for (uint32_t i = 0; i < graph->states.count; i++) {
        struct compare_state *state = &graph->states.items[i];
        const uint64_t seen[2] = {hash_bytes(state->label, strlen(state->label)), state->atoms};
        state->class = hash_bytes(seen, sizeof(seen));
    }
}

/* The class of a state by its own and those that its steps lead to. */
static uint64_t next_class(const struct compare_graph *graph, uint32_t number, uint64_t *room)
{
    const struct compare_state *state = &graph->states.items[number];
    room[0] = state->class;
    for (uint32_t e = 0; e < state->edge_count; e++) {
        const struct compare_edge *edge = &graph->edges.items[state->first_edge + e];
        const uint64_t step[4] = {edge->action, edge->outside, edge->marks,
                                  graph->states.items[edge->to].class};
        room[1 + e] = hash_bytes(step, sizeof(step));
    }
    const uint32_t count = distinct(room + 1, state->edge_count);
    return hash_bytes(room, sizeof(*room) * (count + 1));
}

static void refine(struct compare_graph *graph, uint64_t *next, uint64_t *room)
{
    for (uint32_t i = 0; i < graph->states.count; i++)
        next[i] = next_class(graph, i, room);
    for (uint32_t i = 0; i < graph->states.count; i++)
        graph->states.items[i].class = next[i];
}

static uint32_t count_classes(const struct compare_graph *left, const struct compare_graph *right,
                              uint64_t *room)
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < left->states.count; i++)
        room[count++] = left->states.items[i].class;
    for (uint32_t i = 0; i < right->states.count; i++)
        room[count++] = right->states.items[i].class;
    return distinct(room, count);
}

/* The classes of the first states, each once. */
static uint32_t initial_classes(const struct compare_graph *graph, uint64_t *room)
{
    for (uint32_t i = 0; i < graph->initial_count; i++)
        room[i] = graph->states.items[i].class;
    return distinct(room, graph->initial_count);
}

bool compare_graphs_equal(struct arena *arena, struct compare_graph *left,
                          struct compare_graph *right)
{
    const size_t states = (size_t)left->states.count + right->states.count;
    const size_t edges = (size_t)left->edges.count + right->edges.count;
    uint64_t *room = ARENA_ARRAY(arena, uint64_t, states + edges + 2);
    uint64_t *next = ARENA_ARRAY(arena, uint64_t, states + 1);
    uint64_t *other = ARENA_ARRAY(arena, uint64_t, states + 1);
    uint32_t before = 0;
    label_classes(left);
    label_classes(right);
    for (uint32_t now = count_classes(left, right, room); now != before;
         now = count_classes(left, right, room)) {
        before = now;
        refine(left, next, room);
        refine(right, next, room);
    }
    const uint32_t count = initial_classes(left, next);
    return count == initial_classes(right, other) &&
           memcmp(next, other, sizeof(*next) * count) == 0;
}
