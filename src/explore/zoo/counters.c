/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Counters that turn over, one step each: every combination is reached, as far
 * from zero as the sum of the bases less one each.
 *
 * State: one word a counter. Ten of them are the 40-byte vector of the
 * benchmarks, and the product structure is what tree compression likes best
 * (`scramble` is what it likes least).
 */
#include "explore/zoo/zoo.h"

struct counters {
    uint32_t n, base, last; /* the last counter has its own base */
};

static uint32_t base_of(const struct counters *counters, uint32_t i)
{
    return i == counters->n - 1 ? counters->last : counters->base;
}

static void expand(const struct model *model, void *worker, const uint32_t *words, uint32_t length,
                   struct step_sink *sink)
{
    (void)worker;
    const struct counters *counters = model->context;
    struct zoo_turn turn = {.sink = sink, .from = words, .length = length};
    zoo_turn_begin(&turn);
    for (uint32_t i = 0; i < counters->n; i++) {
        turn.next[i] = words[i] + 1 == base_of(counters, i) ? 0 : words[i] + 1;
        zoo_turn_emit(&turn, 0, i, FAIRNESS_NONE);
        turn.next[i] = words[i];
    }
}

static const struct model *create(struct arena *arena, const int32_t *values)
{
    static const char *const actions[] = {"turn"};
    static const struct property properties[] = {
        {.name = "deadlock_free", .kind = PROPERTY_DEADLOCK_FREE},
    };
    struct counters *counters = ARENA_NEW(arena, struct counters);
    *counters = (struct counters){
        .n = (uint32_t)values[0],
        .base = (uint32_t)values[1],
        .last = (uint32_t)(values[2] == 0 ? values[1] : values[2]),
    };
    struct model *model = ARENA_NEW(arena, struct model);
    *model = (struct model){
        .name = zoo_counters.name,
        .context = counters,
        .length_least = counters->n,
        .length_most = counters->n,
        .actions = actions,
        .action_count = 1,
        .properties = properties,
        .property_count = sizeof(properties) / sizeof(*properties),
        .initial = zoo_initial_zero,
        .expand = expand,
    };
    return model;
}

const struct zoo_entry zoo_counters = {
    .name = "counters",
    .parameters = {{"n", 4, 1, 64}, {"base", 3, 1, 1000000}, {"last", 0, 0, 1000000}},
    .create = create,
};
