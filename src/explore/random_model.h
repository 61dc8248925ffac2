/* SPDX-License-Identifier: Apache-2.0 */
/* Random graphs as models, for tests, and what tests compare paths with. Include
 * after cmocka.h's own headers; seeds make them the same everywhere. */
#ifndef FATHOM_EXPLORE_RANDOM_MODEL_H
#define FATHOM_EXPLORE_RANDOM_MODEL_H

#include "base/hash.h"
#include "explore/explore.h"

#include <string.h>

enum { RANDOM_P = 1, RANDOM_MARK = 1 };

/* A random graph of `size` states with `degree` steps each, of varying length:
 * the state's number in the first word, followed by copies of parts of it. Every
 * 'rare'-th state (by hash) lacks RANDOM_P, every 'rare'-th step bears RANDOM_MARK. */
struct random_graph {
    uint32_t size, degree, rare;
    uint64_t seed;
    uint32_t words_most;
};

static inline uint32_t graph_words(const struct random_graph *graph, uint32_t number,
                                   uint32_t *words)
{
    const uint32_t length = graph->words_most == 1 ? 1 : 1 + number % graph->words_most;
    for (uint32_t i = 0; i < length; i++)
        words[i] = i == 0 ? number : number / (i * 7 + 1) % 11;
    return length;
}

static inline void random_initial(const struct model *model, void *worker, struct step_sink *sink)
{
    (void)worker;
    uint32_t words[64];
    const uint32_t length = graph_words(model->context, 0, words);
    step_sink_emit(sink, &(struct step){.words = words, .length = length});
}

static inline uint32_t fairness_of(uint64_t hash)
{
    const uint32_t choice = (uint32_t)(hash >> 40) % 3;
    return choice == 2 ? FAIRNESS_NONE : choice;
}

static inline void random_expand(const struct model *model, void *worker, const uint32_t *from,
                                 uint32_t from_length, struct step_sink *sink)
{
    (void)worker;
    (void)from_length;
    const struct random_graph *graph = model->context;
    uint32_t words[64];
    for (uint32_t i = 0; i < graph->degree; i++) {
        const uint64_t hash = hash_word(graph->seed + (uint64_t)from[0] * 64 + i);
        const uint32_t length = graph_words(graph, (uint32_t)(hash % graph->size), words);
        step_sink_emit(sink,
                       &(struct step){.words = words,
                                      .length = length,
                                      .action = i % model->action_count,

                                      .fairness = fairness_of(hash),
                                      .marks = (hash >> 20) % graph->rare == 0 ? RANDOM_MARK : 0});
    }
}

static inline uint64_t random_atoms(const struct model *model, void *worker, const uint32_t *words,
                                    uint32_t length)
{
    (void)worker;
    (void)length;
    const struct random_graph *graph = model->context;
    return hash_word(words[0] ^ graph->seed) % graph->rare == 0 ? 0 : RANDOM_P;
}

static inline struct model random_model(const struct random_graph *graph,
                                        const struct property *properties, uint32_t count)
{
    static const char *const actions[] = {"even", "odd"};
    return (struct model){.name = "random",
                          .context = graph,
                          .length_least = 1,
                          .length_most = graph->words_most,
                          .actions = actions,
                          .action_count = 2,
                          .fairness_class_count = 2,
                          .properties = properties,
                          .property_count = count,
                          .initial = random_initial,
                          .expand = random_expand,
                          .atoms = random_atoms};
}

static inline bool same_paths(const struct run_path *a, const struct run_path *b)
{
    if (a->step_count != b->step_count || a->loop_from != b->loop_from ||
        a->loop_rests != b->loop_rests || a->initial_index != b->initial_index)
        return false;
    for (uint32_t i = 0; i < a->step_count; i++) {
        if (a->steps[i].index != b->steps[i].index)
            return false;
    }
    const size_t words = a->offsets[a->step_count + 1];
    return words == b->offsets[b->step_count + 1] &&
           memcmp(a->words, b->words, words * sizeof(uint32_t)) == 0;
}

#endif
