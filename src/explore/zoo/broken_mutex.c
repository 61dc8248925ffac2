/* SPDX-License-Identifier: Apache-2.0 */
/*
 * An incorrect mutex: a process looks whether the lock is free and takes it in
 * a second step, so two may look before either takes.
 *
 * State: at[n]. The lock is taken while anyone is critical.
 */
#include "explore/zoo/zoo.h"

enum { OUTSIDE, SAW_FREE, CRITICAL };
enum { SEE_FREE, ENTER, LEAVE, ACTION_COUNT };
enum { ATOM_TWO_CRITICAL = 1, ATOM_FIRST_CRITICAL = 2, ATOM_ANY_CRITICAL = 4 };

struct lock {
    uint32_t n;
};

static void expand(const struct model *model, void *worker, const uint32_t *words, uint32_t length,
                   struct step_sink *sink)
{
    (void)worker;
    const struct lock *lock = model->context;
    const uint8_t *at = (const uint8_t *)words;
    struct zoo_turn turn = {.sink = sink, .from = words, .length = length};
    const bool is_free = zoo_count_byte(at, lock->n, CRITICAL) == 0;
    for (uint32_t i = 0; i < lock->n; i++) {
        if (at[i] == OUTSIDE && is_free) {
            zoo_turn_begin(&turn)[i] = SAW_FREE;
            zoo_turn_emit(&turn, SEE_FREE, i, i);
        } else if (at[i] == SAW_FREE) {
            zoo_turn_begin(&turn)[i] = CRITICAL;
            zoo_turn_emit(&turn, ENTER, i, i);
        } else if (at[i] == CRITICAL) {
            zoo_turn_begin(&turn)[i] = OUTSIDE;
            zoo_turn_emit(&turn, LEAVE, i, i);
        }
    }
}

static uint64_t atoms(const struct model *model, void *worker, const uint32_t *words,
                      uint32_t length)
{
    (void)worker;
    (void)length;
    const struct lock *lock = model->context;
    const uint8_t *at = (const uint8_t *)words;
    const uint32_t critical = zoo_count_byte(at, lock->n, CRITICAL);
    return (critical > 1 ? ATOM_TWO_CRITICAL : 0U) | (critical > 0 ? ATOM_ANY_CRITICAL : 0U) |
           (at[0] == CRITICAL ? ATOM_FIRST_CRITICAL : 0U);
}

static const struct model *create(struct arena *arena, const int32_t *values)
{
    static const char *const actions[] = {"see the lock free", "enter", "leave"};
    static const struct property properties[] = {
        {.name = "mutual_exclusion", .kind = PROPERTY_INVARIANT, .p.none = ATOM_TWO_CRITICAL},
        {.name = "deadlock_free", .kind = PROPERTY_DEADLOCK_FREE},
        {.name = "someone_enters", .kind = PROPERTY_ALWAYS_EVENTUALLY, .p.all = ATOM_ANY_CRITICAL},
        {.name = "first_enters", .kind = PROPERTY_ALWAYS_EVENTUALLY, .p.all = ATOM_FIRST_CRITICAL},
    };
    struct lock *lock = ARENA_NEW(arena, struct lock);
    *lock = (struct lock){.n = (uint32_t)values[0]};
    struct model *model = ARENA_NEW(arena, struct model);
    *model = (struct model){
        .name = zoo_broken_mutex.name,
        .context = lock,
        .length_least = zoo_words(lock->n),
        .length_most = zoo_words(lock->n),
        .actions = actions,
        .action_count = ACTION_COUNT,
        .fairness_class_count = lock->n,
        .atom_count = 3,
        .properties = properties,
        .property_count = sizeof(properties) / sizeof(*properties),
        .initial = zoo_initial_zero,
        .expand = expand,
        .atoms = atoms,
    };
    return model;
}

const struct zoo_entry zoo_broken_mutex = {
    .name = "broken_mutex",
    .parameters = {{"n", 2, 2, 64}},
    .create = create,
};
