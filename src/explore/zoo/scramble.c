/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The worst case for a store: vectors whose words are all noise, so that no two
 * states share anything. State i leads to 2i+1, 2i+2 and to a random older one,
 * as long as they are below `n`: n states, and the depth of a binary tree.
 *
 * State: its number, then `words` - 1 words mixed from it.
 */
#include "base/hash.h"
#include "explore/zoo/zoo.h"

struct noise {
    uint32_t n, words;
};

static void emit(const struct noise *noise, struct step_sink *sink, uint32_t number)
{
    uint32_t words[ZOO_WORDS_MOST];
    words[0] = number;
    for (uint32_t i = 1; i < noise->words; i++)
        words[i] = (uint32_t)hash_word(((uint64_t)i << 32) + number);
    step_sink_emit(
        sink, &(struct step){.words = words, .length = noise->words, .fairness = FAIRNESS_NONE});
}

static void initial(const struct model *model, void *worker, struct step_sink *sink)
{
    (void)worker;
    emit(model->context, sink, 0);
}

static void expand(const struct model *model, void *worker, const uint32_t *words, uint32_t length,
                   struct step_sink *sink)
{
    (void)worker;
    (void)length;
    const struct noise *noise = model->context;
    const uint32_t number = words[0];
    for (uint32_t child = 2 * number + 1; child <= 2 * number + 2; child++)
        if (child < noise->n)
            emit(noise, sink, child);
    emit(noise, sink, (uint32_t)(hash_word(number) % (number + 1)));
}

static const struct model *create(struct arena *arena, const int32_t *values)
{
    static const char *const actions[] = {"go on"};
    static const struct property properties[] = {
        {.name = "deadlock_free", .kind = PROPERTY_DEADLOCK_FREE},
    };
    struct noise *noise = ARENA_NEW(arena, struct noise);
    *noise = (struct noise){.n = (uint32_t)values[0], .words = (uint32_t)values[1]};
    struct model *model = ARENA_NEW(arena, struct model);
    *model = (struct model){
        .name = zoo_scramble.name,
        .context = noise,
        .length_least = noise->words,
        .length_most = noise->words,
        .actions = actions,
        .action_count = 1,
        .properties = properties,
        .property_count = sizeof(properties) / sizeof(*properties),
        .initial = initial,
        .expand = expand,
    };
    return model;
}

const struct zoo_entry zoo_scramble = {
    .name = "scramble",
    .parameters = {{"n", 1000, 1, 1000000000}, {"words", 10, 1, ZOO_WORDS_MOST}},
    .create = create,
};
