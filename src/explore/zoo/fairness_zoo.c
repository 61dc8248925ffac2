/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Fifteen states in six cages that tell the temporal forms apart, with and
 * without fairness. Class a and class b are the only ones; (n) is a good state,
 * [n] an asking one; `start` picks the cage.
 *
 *   start 0    [0] -b-> (1)      both with an a-loop: b is enabled all the time
 *   start 2    [2] <-a-> 3, [2] -b-> (4) with an a-loop: b is enabled again and
 *              again, but not all the time, so weak fairness owes it nothing
 *   start 5    [5] -a-> (6) -b-> [5]
 *   start 7    [7] -a-> 8 -b-> (9) -a-> 8, and an a-loop at 8
 *   start 10   [10] -a-> (11) -a-> 12 with an a-loop
 *   start 13   [13] -a-> (14), where nothing is left to do
 *
 * What follows from it by hand is in zoo_known.c, a row for each cage.
 * Marks: bit 0 on a's steps, bit 1 on b's.
 */
#include "explore/zoo/zoo.h"

enum { CLASS_A, CLASS_B, CLASS_COUNT };
enum { ATOM_GOOD = 1, ATOM_ASKED = 2 };
enum { MARK_A = 1, MARK_B = 2 };

static const struct edge {
    uint8_t from, class, to;
} edges[] = {
    {0, CLASS_A, 0},   {0, CLASS_B, 1},   {1, CLASS_A, 1}, {2, CLASS_A, 3},   {2, CLASS_B, 4},
    {3, CLASS_A, 2},   {4, CLASS_A, 4},   {5, CLASS_A, 6}, {6, CLASS_B, 5},   {7, CLASS_A, 8},
    {8, CLASS_A, 8},   {8, CLASS_B, 9},   {9, CLASS_A, 8}, {10, CLASS_A, 11}, {11, CLASS_A, 12},
    {12, CLASS_A, 12}, {13, CLASS_A, 14},
};

static const uint8_t good[] = {1, 4, 6, 9, 11, 14};
static const uint8_t asked[] = {0, 2, 5, 7, 10, 13};

static void initial(const struct model *model, void *worker, struct step_sink *sink)
{
    (void)worker;
    const uint32_t *start = model->context;
    step_sink_emit(sink, &(struct step){.words = start, .length = 1});
}

static void expand(const struct model *model, void *worker, const uint32_t *words, uint32_t length,
                   struct step_sink *sink)
{
    (void)model;
    (void)worker;
    for (size_t i = 0; i < sizeof(edges) / sizeof(*edges); i++) {
        if (edges[i].from != words[0])
            continue;
        const uint32_t next = edges[i].to;
        step_sink_emit(sink, &(struct step){.words = &next,
                                            .length = length,
                                            .action = edges[i].class,
                                            .fairness = edges[i].class,
                                            .marks = edges[i].class == CLASS_A ? MARK_A : MARK_B});
    }
}

static uint64_t atoms(const struct model *model, void *worker, const uint32_t *words,
                      uint32_t length)
{
    (void)model;
    (void)worker;
    (void)length;
    uint64_t result = 0;
    for (size_t i = 0; i < sizeof(good); i++)
        result |= (good[i] == words[0] ? ATOM_GOOD : 0U) | (asked[i] == words[0] ? ATOM_ASKED : 0U);
    return result;
}

static const struct model *create(struct arena *arena, const int32_t *values)
{
    static const char *const actions[] = {"a", "b"};
    static const char *const atom_names[] = {"good", "asked"};
    static const struct property properties[] = {
        {.name = "deadlock_free", .kind = PROPERTY_DEADLOCK_FREE},
        {.name = "eventually", .kind = PROPERTY_EVENTUALLY, .p.all = ATOM_GOOD},
        {.name = "eventually_always", .kind = PROPERTY_EVENTUALLY_ALWAYS, .p.all = ATOM_GOOD},
        {.name = "always_eventually", .kind = PROPERTY_ALWAYS_EVENTUALLY, .p.all = ATOM_GOOD},
        {.name = "leads_to", .kind = PROPERTY_LEADS_TO, .p.all = ATOM_ASKED, .q.all = ATOM_GOOD},
        {.name = "no_b_for_ever", .kind = PROPERTY_NO_CYCLE, .marks = MARK_B},
        {.name = "no_bad_a_for_ever",
         .kind = PROPERTY_NO_CYCLE,
         .marks = MARK_A,
         .avoids = MARK_B,
         .p.none = ATOM_GOOD},
        {.name = "no_good_a_for_ever",
         .kind = PROPERTY_NO_CYCLE,
         .marks = MARK_A,
         .visits = ATOM_GOOD},
    };
    struct model *model = ARENA_NEW(arena, struct model);
    *model = (struct model){
        .name = zoo_fairness_zoo.name,
        .context = arena_copy(arena, &(uint32_t){(uint32_t)values[0]}, sizeof(uint32_t)),
        .length_least = 1,
        .length_most = 1,
        .actions = actions,
        .action_count = 2,
        .fairness_classes = actions,
        .fairness_class_count = CLASS_COUNT,
        .atom_names = atom_names,
        .atom_count = 2,
        .mark_names = actions,
        .mark_count = 2,
        .end_atoms = ATOM_GOOD,
        .properties = properties,
        .property_count = sizeof(properties) / sizeof(*properties),
        .initial = initial,
        .expand = expand,
        .atoms = atoms,
    };
    return model;
}

const struct zoo_entry zoo_fairness_zoo = {
    .name = "fairness_zoo",
    .parameters = {{"start", 0, 0, 14}},
    .create = create,
};
