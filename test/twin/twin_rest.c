/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Where the cluster never comes to rest: fast steps lead from a state to others that all lead back
 * to it. Found as Tarjan finds strongly connected components, in the whole graph of fast steps.
 */
#include "twin/twin_internal.h"

#include <string.h>

/* The number of the state, which is met for the first time or again, whatever names it has: pods
 * take the first free place, so it may never come again with the same ones. */
static uint32_t number_of(struct twin *twin, struct twin_rests *rests,
                          const struct twin_state *state)
{
    struct text text;
    uint32_t words[STATE_WORDS];
    memcpy(words, state, sizeof(*state));
    text_init(&text, twin->memory);
    twin_fold(twin, words, &text);
    struct map_entry *entry =
        map_put(&rests->numbers, arena_strdup(&twin->arena, text_content(&text)));
    text_release(&text);
    if (!entry->value) {
        struct twin_met *met = ARENA_NEW(&twin->arena, struct twin_met);
        met->state = *state;
        met->graph = rests;
        VEC_PUSH(&twin->arena, &rests->met, met);
        entry->value = (void *)(uintptr_t)rests->met.count;
    }
    return (uint32_t)(uintptr_t)entry->value - 1;
}

void twin_add_way(struct twin_run *run, const struct twin_state *to, uint32_t workload,
                  enum twin_pace pace)
{
    struct twin_rests *graph = run->from->graph;
    if (pace != FAST && !(pace == LAZY && graph->span == TWIN_MINUTES))
        return;
    const struct twin_way way = {number_of(run->twin, graph, to), workload};
    if (graph->met.items[way.to] != run->from)
        VEC_PUSH(&run->twin->arena, &run->from->ways, way);
}

/* Takes the steps of everybody. */
struct anybody {
    struct step_sink sink;
    struct twin *twin;
    struct twin_met *from;
};

static bool take_step(struct step_sink *sink, const struct step *step)
{
    const struct anybody *anybody = (struct anybody *)sink;
    struct twin_met *from = anybody->from;
    struct twin_state to;
    memcpy(&to, step->words, sizeof(to));
    const struct twin_way way = {number_of(anybody->twin, from->graph, &to), ALL};
    if (from->graph->met.items[way.to] != from)
        VEC_PUSH(&anybody->twin->arena, &from->ways, way);
    return true;
}

static void find_ways_of_anybody(struct twin *twin, struct twin_met *met)
{
    const struct arena_mark mark = arena_mark(&twin->scratch);
    struct anybody anybody = {{.emit = take_step}, twin, met};
    struct twin_run run = {.twin = twin, .state = &met->state, .sink = &anybody.sink};
    twin->looks = true;
    twin_steps(&run);
    twin->looks = false;
    arena_rewind(&twin->scratch, mark);
}

static void find_ways(struct twin *twin, struct twin_met *met)
{
    if (met->graph->span == TWIN_ANYBODY) {
        find_ways_of_anybody(twin, met);
        return;
    }
    const struct arena_mark mark = arena_mark(&twin->scratch);
    struct twin_run run = {.twin = twin, .state = &met->state, .from = met};
    twin_fast_steps(&run);
    arena_rewind(&twin->scratch, mark);
}

/* Those from this one on lead to each other; do they lead anywhere else? */
static void close_component(struct twin_rests *rests, uint32_t first)
{
    const uint32_t order = rests->met.items[rests->open.items[first]]->order;
    bool ends = rests->open.count - first > 1;
    uint32_t moves = 0;
    for (uint32_t i = first; i < rests->open.count; i++) {
        const struct twin_met *met = rests->met.items[rests->open.items[i]];
        for (uint32_t w = 0; w < met->ways.count; w++) {
            const struct twin_met *next = rests->met.items[met->ways.items[w].to];
            const uint32_t workload = met->ways.items[w].workload;
            ends = ends && next->open && next->order >= order;
            if (workload != ALL)
                moves |= 1U << workload;
        }
    }
    for (uint32_t i = first; i < rests->open.count; i++) {
        struct twin_met *met = rests->met.items[rests->open.items[i]];
        met->open = false;
        met->ends = ends;
        met->moves = moves;
    }
    rests->open.count = first;
}

static void visit(struct twin *twin, struct twin_rests *rests, uint32_t number)
{
    struct twin_met *met = rests->met.items[number];
    const uint32_t first = rests->open.count;
    met->order = ++rests->orders;
    met->least = met->order;
    met->open = true;
    VEC_PUSH(&twin->arena, &rests->open, number);
    find_ways(twin, met);
    for (uint32_t w = 0; w < met->ways.count; w++) {
        const uint32_t to = met->ways.items[w].to;
        if (rests->met.items[to]->order == 0)
            visit(twin, rests, to);
        const struct twin_met *next = rests->met.items[to];
        if (next->open && next->least < met->least)
            met->least = next->least;
    }
    if (met->least == met->order)
        close_component(rests, first);
}

bool twin_rests_in_loop(struct twin *twin, const struct twin_state *state, enum twin_span span,
                        uint32_t *moves)
{
    struct twin_rests *rests = &twin->rests[span];
    const uint32_t number = number_of(twin, rests, state);
    if (rests->met.items[number]->order == 0)
        visit(twin, rests, number);
    const struct twin_met *met = rests->met.items[number];
    *moves |= met->ends ? met->moves : 0;
    return met->ends;
}
