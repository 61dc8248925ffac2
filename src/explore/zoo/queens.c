/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Queens on an n by n board, placed row by row where none is attacked: search
 * as a model. The states are the partial placements, a tree: 2057 on the usual
 * board, of which 92 are solutions.
 *
 * State: the column (from 1) of each row's queen, zero below the last.
 */
#include "explore/zoo/zoo.h"

enum { ATOM_SOLVED = 1 };

struct board {
    uint32_t n;
};

static uint32_t count_rows(const struct board *board, const uint8_t *column)
{
    uint32_t row = 0;
    while (row < board->n && column[row] != 0)
        row++;
    return row;
}

static bool attacked(const uint8_t *column, uint32_t row, uint32_t wanted)
{
    for (uint32_t other = 0; other < row; other++) {
        const uint32_t away = row - other;
        if (column[other] == wanted || column[other] + away == wanted ||
            column[other] == wanted + away)
            return true;
    }
    return false;
}

static void expand(const struct model *model, void *worker, const uint32_t *words, uint32_t length,
                   struct step_sink *sink)
{
    (void)worker;
    const struct board *board = model->context;
    const uint8_t *column = (const uint8_t *)words;
    const uint32_t row = count_rows(board, column);
    struct zoo_turn turn = {.sink = sink, .from = words, .length = length};
    for (uint32_t wanted = 1; row < board->n && wanted <= board->n; wanted++) {
        if (attacked(column, row, wanted))
            continue;
        zoo_turn_begin(&turn)[row] = (uint8_t)wanted;
        zoo_turn_emit(&turn, 0, wanted, FAIRNESS_NONE);
    }
}

static uint64_t atoms(const struct model *model, void *worker, const uint32_t *words,
                      uint32_t length)
{
    (void)worker;
    (void)length;
    const struct board *board = model->context;
    return count_rows(board, (const uint8_t *)words) == board->n ? ATOM_SOLVED : 0;
}

static const struct model *create(struct arena *arena, const int32_t *values)
{
    static const char *const actions[] = {"place a queen"};
    static const struct property properties[] = {
        {.name = "not_solved", .kind = PROPERTY_INVARIANT, .p.none = ATOM_SOLVED},
        {.name = "can_be_solved", .kind = PROPERTY_REACHABLE, .p.all = ATOM_SOLVED},
        {.name = "every_start_is_solved", .kind = PROPERTY_DEADLOCK_FREE},
    };
    struct board *board = ARENA_NEW(arena, struct board);
    board->n = (uint32_t)values[0];
    struct model *model = ARENA_NEW(arena, struct model);
    *model = (struct model){
        .name = zoo_queens.name,
        .context = board,
        .length_least = zoo_words(board->n),
        .length_most = zoo_words(board->n),
        .actions = actions,
        .action_count = 1,
        .atom_count = 1,
        .end_atoms = ATOM_SOLVED,
        .properties = properties,
        .property_count = sizeof(properties) / sizeof(*properties),
        .initial = zoo_initial_zero,
        .expand = expand,
        .atoms = atoms,
    };
    return model;
}

const struct zoo_entry zoo_queens = {
    .name = "queens",
    .parameters = {{"n", 8, 1, 20}},
    .create = create,
};
