/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Producers and consumers around a bounded buffer. A producer makes one of
 * `values` things and puts it in when there is room; a consumer takes the
 * oldest and uses it up.
 *
 * State: made[producers], taken[consumers] (0: nothing in hand), the buffer.
 * Everything combines: with v values (v+1)^producers * (v+1)^consumers *
 * (1 + v + ... + v^capacity) states.
 */
#include "explore/zoo/zoo.h"

enum { MAKE, PUT, TAKE, USE, ACTION_COUNT };
enum { ATOM_FIRST_TAKES = 1, ATOM_SOMEONE_TAKES = 2, ATOM_FULL = 4 };

struct hall {
    uint32_t producers, consumers, capacity, values;
    uint32_t buffer; /* where the queue starts */
};

static void expand_producer(const struct hall *hall, const uint8_t *state, uint32_t i,
                            struct zoo_turn *turn)
{
    for (uint32_t value = 1; state[i] == 0 && value <= hall->values; value++) {
        zoo_turn_begin(turn)[i] = (uint8_t)value;
        zoo_turn_emit(turn, MAKE, i, i);
    }
    if (state[i] != 0 && state[hall->buffer] < hall->capacity) {
        uint8_t *next = zoo_turn_begin(turn);
        zoo_queue_push(next + hall->buffer, next[i]);
        next[i] = 0;
        zoo_turn_emit(turn, PUT, i, i);
    }
}

static void expand_consumer(const struct hall *hall, const uint8_t *state, uint32_t i,
                            struct zoo_turn *turn)
{
    const uint32_t hand = hall->producers + i;
    if (state[hand] != 0) {
        zoo_turn_begin(turn)[hand] = 0;
        zoo_turn_emit(turn, USE, i, hand);
    } else if (state[hall->buffer] > 0) {
        uint8_t *next = zoo_turn_begin(turn);
        next[hand] = zoo_queue_pop(next + hall->buffer);
        zoo_turn_emit(turn, TAKE, i, hand);
    }
}

static void expand(const struct model *model, void *worker, const uint32_t *words, uint32_t length,
                   struct step_sink *sink)
{
    (void)worker;
    const struct hall *hall = model->context;
    struct zoo_turn turn = {.sink = sink, .from = words, .length = length};
    for (uint32_t i = 0; i < hall->producers; i++)
        expand_producer(hall, (const uint8_t *)words, i, &turn);
    for (uint32_t i = 0; i < hall->consumers; i++)
        expand_consumer(hall, (const uint8_t *)words, i, &turn);
}

static uint64_t atoms(const struct model *model, void *worker, const uint32_t *words,
                      uint32_t length)
{
    (void)worker;
    (void)length;
    const struct hall *hall = model->context;
    const uint8_t *state = (const uint8_t *)words;
    const uint8_t *taken = state + hall->producers;
    uint64_t result = state[hall->buffer] == hall->capacity ? ATOM_FULL : 0;
    if (taken[0] != 0)
        result |= ATOM_FIRST_TAKES;
    for (uint32_t i = 0; i < hall->consumers; i++)
        if (taken[i] != 0)
            result |= ATOM_SOMEONE_TAKES;
    return result;
}

static const struct model *create(struct arena *arena, const int32_t *values)
{
    static const char *const actions[] = {"make", "put", "take", "use"};
    static const struct property properties[] = {
        {.name = "deadlock_free", .kind = PROPERTY_DEADLOCK_FREE},
        {.name = "fills", .kind = PROPERTY_REACHABLE, .p.all = ATOM_FULL},
        {.name = "someone_takes", .kind = PROPERTY_ALWAYS_EVENTUALLY, .p.all = ATOM_SOMEONE_TAKES},
        {.name = "first_takes", .kind = PROPERTY_ALWAYS_EVENTUALLY, .p.all = ATOM_FIRST_TAKES},
    };
    struct hall *hall = ARENA_NEW(arena, struct hall);
    hall->producers = (uint32_t)values[0];
    hall->consumers = (uint32_t)values[1];
    hall->capacity = (uint32_t)values[2];
    hall->values = (uint32_t)values[3];
    hall->buffer = hall->producers + hall->consumers;
    const uint32_t length = zoo_words(hall->buffer + 1 + hall->capacity);
    struct model *model = ARENA_NEW(arena, struct model);
    *model = (struct model){
        .name = zoo_bounded_buffer.name,
        .context = hall,
        .length_least = length,
        .length_most = length,
        .actions = actions,
        .action_count = ACTION_COUNT,
        .fairness_class_count = hall->buffer,
        .atom_count = 3,
        .properties = properties,
        .property_count = sizeof(properties) / sizeof(*properties),
        .initial = zoo_initial_zero,
        .expand = expand,
        .atoms = atoms,
    };
    return model;
}

const struct zoo_entry zoo_bounded_buffer = {
    .name = "bounded_buffer",
    .parameters = {{"producers", 2, 1, 16},
                   {"consumers", 2, 1, 16},
                   {"capacity", 2, 1, 100},
                   {"values", 2, 1, 200}},
    .create = create,
};
