/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The Towers of Hanoi. Every placement of n disks on three pegs is reached: 3^n
 * states. Each has three moves, but the three with all disks on one peg have
 * two: 3 * 3^n - 3 transitions. The farthest is the solved puzzle, 2^n - 1.
 *
 * State: one word a peg, the set of its disks; the lowest bit lies on top.
 */
#include "explore/zoo/zoo.h"

enum { ATOM_SOLVED = 1 };

struct puzzle {
    uint32_t all; /* every disk */
};

static uint32_t top(uint32_t peg)
{
    return peg & -peg;
}

static void initial(const struct model *model, void *worker, struct step_sink *sink)
{
    (void)worker;
    const struct puzzle *puzzle = model->context;
    const uint32_t words[3] = {puzzle->all, 0, 0};
    step_sink_emit(sink, &(struct step){.words = words, .length = 3});
}

static void expand(const struct model *model, void *worker, const uint32_t *words, uint32_t length,
                   struct step_sink *sink)
{
    (void)model;
    (void)worker;
    struct zoo_turn turn = {.sink = sink, .from = words, .length = length};
    for (uint32_t from = 0; from < 3; from++) {
        for (uint32_t to = 0; to < 3; to++) {
            const uint32_t disk = top(words[from]);
            if (to == from || disk == 0 || (words[to] != 0 && top(words[to]) < disk))
                continue;
            zoo_turn_begin(&turn);
            turn.next[from] ^= disk;
            turn.next[to] |= disk;
            zoo_turn_emit(&turn, 0, 3 * from + to, FAIRNESS_NONE);
        }
    }
}

static uint64_t atoms(const struct model *model, void *worker, const uint32_t *words,
                      uint32_t length)
{
    (void)worker;
    (void)length;
    const struct puzzle *puzzle = model->context;
    return words[2] == puzzle->all ? ATOM_SOLVED : 0;
}

static const struct model *create(struct arena *arena, const int32_t *values)
{
    static const char *const actions[] = {"move a disk"};
    static const struct property properties[] = {
        {.name = "not_solved", .kind = PROPERTY_INVARIANT, .p.none = ATOM_SOLVED},
        {.name = "deadlock_free", .kind = PROPERTY_DEADLOCK_FREE},
        {.name = "can_be_solved", .kind = PROPERTY_REACHABLE, .p.all = ATOM_SOLVED},
    };
    struct puzzle *puzzle = ARENA_NEW(arena, struct puzzle);
    puzzle->all = (UINT32_C(1) << values[0]) - 1;
    struct model *model = ARENA_NEW(arena, struct model);
    *model = (struct model){
        .name = zoo_hanoi.name,
        .context = puzzle,
        .length_least = 3,
        .length_most = 3,
        .actions = actions,
        .action_count = 1,
        .atom_count = 1,
        .properties = properties,
        .property_count = sizeof(properties) / sizeof(*properties),
        .initial = initial,
        .expand = expand,
        .atoms = atoms,
    };
    return model;
}

const struct zoo_entry zoo_hanoi = {
    .name = "hanoi",
    .parameters = {{"n", 3, 1, 30}},
    .create = create,
};
