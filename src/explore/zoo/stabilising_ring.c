/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Dijkstra's self-stabilising ring: from any state whatever it comes to have
 * exactly one privilege and keeps it so. Every state is initial: values^n of
 * them, at depth 0. Machine 0 is privileged when it equals its neighbour and
 * counts on; the others when they differ, and copy. With values >= n - 1 it
 * converges however the steps are chosen; with two values and four machines it
 * may circle for ever.
 *
 * State: x[n].
 */
#include "explore/zoo/zoo.h"

enum { COUNT_ON, COPY, ACTION_COUNT };
enum { ATOM_ONE_PRIVILEGE = 1, ATOM_SOME_PRIVILEGE = 2 };

struct ring {
    uint32_t n, values;
};

static bool privileged(const struct ring *ring, const uint8_t *x, uint32_t i)
{
    return i == 0 ? x[0] == x[ring->n - 1] : x[i] != x[i - 1];
}

static void initial(const struct model *model, void *worker, struct step_sink *sink)
{
    (void)worker;
    const struct ring *ring = model->context;
    uint32_t words[ZOO_WORDS_MOST] = {0};
    uint8_t *x = (uint8_t *)words;
    uint32_t i;
    do {
        step_sink_emit(sink, &(struct step){.words = words, .length = model->length_most});
        for (i = 0; i < ring->n && x[i] == ring->values - 1; i++)
            x[i] = 0;
        if (i < ring->n)
            x[i]++;
    } while (i < ring->n);
}

static void expand(const struct model *model, void *worker, const uint32_t *words, uint32_t length,
                   struct step_sink *sink)
{
    (void)worker;
    const struct ring *ring = model->context;
    const uint8_t *x = (const uint8_t *)words;
    struct zoo_turn turn = {.sink = sink, .from = words, .length = length};
    for (uint32_t i = 0; i < ring->n; i++) {
        if (!privileged(ring, x, i))
            continue;
        zoo_turn_begin(&turn)[i] = (uint8_t)(i == 0 ? (x[0] + 1U) % ring->values : x[i - 1]);
        zoo_turn_emit(&turn, i == 0 ? COUNT_ON : COPY, i, i);
    }
}

static uint64_t atoms(const struct model *model, void *worker, const uint32_t *words,
                      uint32_t length)
{
    (void)worker;
    (void)length;
    const struct ring *ring = model->context;
    uint32_t count = 0;
    for (uint32_t i = 0; i < ring->n; i++)
        count += privileged(ring, (const uint8_t *)words, i);
    return (count == 1 ? ATOM_ONE_PRIVILEGE : 0U) | (count > 0 ? ATOM_SOME_PRIVILEGE : 0U);
}

static const struct model *create(struct arena *arena, const int32_t *values)
{
    static const char *const actions[] = {"count on", "copy"};
    static const struct property properties[] = {
        {.name = "someone_may_move", .kind = PROPERTY_INVARIANT, .p.all = ATOM_SOME_PRIVILEGE},
        {.name = "deadlock_free", .kind = PROPERTY_DEADLOCK_FREE},
        {.name = "stabilises", .kind = PROPERTY_EVENTUALLY_ALWAYS, .p.all = ATOM_ONE_PRIVILEGE},
    };
    struct ring *ring = ARENA_NEW(arena, struct ring);
    *ring = (struct ring){.n = (uint32_t)values[0], .values = (uint32_t)values[1]};
    struct model *model = ARENA_NEW(arena, struct model);
    *model = (struct model){
        .name = zoo_stabilising_ring.name,
        .context = ring,
        .length_least = zoo_words(ring->n),
        .length_most = zoo_words(ring->n),
        .actions = actions,
        .action_count = ACTION_COUNT,
        .fairness_class_count = ring->n,
        .atom_count = 2,
        .properties = properties,
        .property_count = sizeof(properties) / sizeof(*properties),
        .initial = initial,
        .expand = expand,
        .atoms = atoms,
    };
    return model;
}

const struct zoo_entry zoo_stabilising_ring = {
    .name = "stabilising_ring",
    .parameters = {{"n", 3, 2, 16}, {"values", 3, 2, 16}},
    .create = create,
};
