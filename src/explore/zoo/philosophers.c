/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Dining philosophers. Each takes one fork, then the other, eats, and puts
 * both down in one step. If all take the left one first they can all starve
 * holding one fork each; if the last is polite and takes its right one first,
 * they cannot.
 *
 * State: at[n], one byte a philosopher. Who has which fork follows from it.
 * Without politeness the states are the rings of n letters in which "eating"
 * stands neither before "one fork" nor before itself: the trace of the nth power
 * of a 3 by 3 matrix with eigenvalues 1 + sqrt 2, 1 - sqrt 2 and 0, which is the
 * Pell-Lucas number: 14, 34, 82, ... for n = 3, 4, 5.
 */
#include "explore/zoo/zoo.h"

enum { THINKING, ONE_FORK, EATING };
enum { TAKE_FIRST, TAKE_SECOND, PUT_DOWN, ACTION_COUNT };
enum { ATOM_SOMEONE_EATS = 1, ATOM_FIRST_EATS = 2 };

struct table {
    uint32_t n;
    bool polite;
};

static uint32_t first_fork(const struct table *table, uint32_t i)
{
    return table->polite && i == table->n - 1 ? 0 : i;
}

static uint32_t second_fork(const struct table *table, uint32_t i)
{
    const uint32_t right = i + 1 == table->n ? 0 : i + 1;
    return table->polite && i == table->n - 1 ? i : right;
}

static bool has(const struct table *table, const uint8_t *at, uint32_t i, uint32_t fork)
{
    return at[i] == EATING || (at[i] == ONE_FORK && first_fork(table, i) == fork);
}

static bool is_free(const struct table *table, const uint8_t *at, uint32_t fork)
{
    const uint32_t left = fork == 0 ? table->n - 1 : fork - 1;
    return !has(table, at, fork, fork) && !has(table, at, left, fork);
}

static void expand(const struct model *model, void *worker, const uint32_t *words, uint32_t length,
                   struct step_sink *sink)
{
    (void)worker;
    const struct table *table = model->context;
    const uint8_t *at = (const uint8_t *)words;
    struct zoo_turn turn = {.sink = sink, .from = words, .length = length};
    for (uint32_t i = 0; i < table->n; i++) {
        if (at[i] == THINKING && is_free(table, at, first_fork(table, i))) {
            zoo_turn_begin(&turn)[i] = ONE_FORK;
            zoo_turn_emit(&turn, TAKE_FIRST, i, i);
        } else if (at[i] == ONE_FORK && is_free(table, at, second_fork(table, i))) {
            zoo_turn_begin(&turn)[i] = EATING;
            zoo_turn_emit(&turn, TAKE_SECOND, i, i);
        } else if (at[i] == EATING) {
            zoo_turn_begin(&turn)[i] = THINKING;
            zoo_turn_emit(&turn, PUT_DOWN, i, i);
        }
    }
}

static uint64_t atoms(const struct model *model, void *worker, const uint32_t *words,
                      uint32_t length)
{
    (void)worker;
    (void)length;
    const struct table *table = model->context;
    const uint8_t *at = (const uint8_t *)words;
    uint64_t result = at[0] == EATING ? ATOM_FIRST_EATS : 0;
    for (uint32_t i = 0; i < table->n; i++)
        if (at[i] == EATING)
            result |= ATOM_SOMEONE_EATS;
    return result;
}

static const struct model *create(struct arena *arena, const int32_t *values)
{
    static const char *const actions[] = {"take the first fork", "take the second fork",
                                          "put both down"};
    static const struct property properties[] = {
        {.name = "deadlock_free", .kind = PROPERTY_DEADLOCK_FREE},
        {.name = "someone_eats", .kind = PROPERTY_ALWAYS_EVENTUALLY, .p.all = ATOM_SOMEONE_EATS},
        {.name = "first_eats", .kind = PROPERTY_ALWAYS_EVENTUALLY, .p.all = ATOM_FIRST_EATS},
    };
    struct table *table = ARENA_NEW(arena, struct table);
    *table = (struct table){.n = (uint32_t)values[0], .polite = values[1]};
    struct model *model = ARENA_NEW(arena, struct model);
    *model = (struct model){
        .name = zoo_philosophers.name,
        .context = table,
        .length_least = zoo_words(table->n),
        .length_most = zoo_words(table->n),
        .actions = actions,
        .action_count = ACTION_COUNT,
        .fairness_class_count = table->n,
        .atom_count = 2,
        .properties = properties,
        .property_count = sizeof(properties) / sizeof(*properties),
        .initial = zoo_initial_zero,
        .expand = expand,
        .atoms = atoms,
    };
    return model;
}

const struct zoo_entry zoo_philosophers = {
    .name = "philosophers",
    .parameters = {{"n", 3, 2, 64}, {"polite", 0, 0, 1}},
    .create = create,
};
