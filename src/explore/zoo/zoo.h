/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The zoo: small models whose answers are known, to judge the checker core by.
 *
 * Each is one file with one `zoo_entry`; the catalogue lists them. A model is
 * made from whole numbers (its size and variant), lives in the arena given and
 * is immutable. Most keep one byte per variable, four to a word, in the order
 * their file draws; unused bytes are zero. `test/referee/` holds the same
 * models for other checkers, written so that every step there is one step
 * here: states, transitions and depths are equal.
 *
 * The zoo is built for tests and benchmarks only, never into the product.
 */
#ifndef FATHOM_EXPLORE_ZOO_ZOO_H
#define FATHOM_EXPLORE_ZOO_ZOO_H

#include "base/arena.h"
#include "explore/model.h"

#include <string.h>

enum { ZOO_PARAMETERS_MOST = 5, ZOO_WORDS_MOST = 64 };

struct zoo_parameter {
    const char *name;
    int32_t usual, low, high;
};

struct zoo_entry {
    const char *name;
    struct zoo_parameter parameters[ZOO_PARAMETERS_MOST]; /* ended by a NULL name */
    /* One value for each parameter, each between its low and high. */
    const struct model *(*create)(struct arena *arena, const int32_t *values);
};

extern const struct zoo_entry zoo_alternating_bit;
extern const struct zoo_entry zoo_bounded_buffer;
extern const struct zoo_entry zoo_broken_mutex;
extern const struct zoo_entry zoo_counters;
extern const struct zoo_entry zoo_fairness_zoo;
extern const struct zoo_entry zoo_hanoi;
extern const struct zoo_entry zoo_leader_election;
extern const struct zoo_entry zoo_peterson;
extern const struct zoo_entry zoo_philosophers;
extern const struct zoo_entry zoo_queens;
extern const struct zoo_entry zoo_scramble;
extern const struct zoo_entry zoo_stabilising_ring;
extern const struct zoo_entry zoo_token_ring;

extern const struct zoo_entry *const zoo_entries[]; /* ended by NULL */

/* NULL when there is none of this name. */
const struct zoo_entry *zoo_find(const char *name);

/* Makes a model from texts like "n=3", missing ones taking their usual value.
 * NULL, with the text that is wrong in `*wrong`, if one does not fit. */
const struct model *zoo_create(struct arena *arena, const struct zoo_entry *entry,
                               const char *const *settings, uint32_t setting_count,
                               const char **wrong);

/* The model with only the property of this name and, if wanted, judged over
 * unfair runs too; NULL as name: without any. NULL if it has no such property. */
const struct model *zoo_with_property(struct arena *arena, const struct model *model,
                                      const char *name, bool without_fairness);

/*
 * Building the steps out of one state: `zoo_turn_begin` gives a fresh copy of
 * the state as bytes, the caller changes what the step changes, and
 * `zoo_turn_emit` hands it on.
 */
struct zoo_turn {
    struct step_sink *sink;
    const uint32_t *from;
    uint32_t length;
    uint32_t next[ZOO_WORDS_MOST];
};

static inline uint8_t *zoo_turn_begin(struct zoo_turn *turn)
{
    memcpy(turn->next, turn->from, turn->length * sizeof(*turn->next));
    return (uint8_t *)turn->next;
}

static inline void zoo_turn_emit(struct zoo_turn *turn, uint32_t action, uint32_t argument,
                                 uint32_t fairness)
{
    step_sink_emit(turn->sink, &(struct step){.words = turn->next,
                                              .length = turn->length,
                                              .action = action,
                                              .argument = argument,
                                              .fairness = fairness});
}

/* How many words hold so many bytes. */
static inline uint32_t zoo_words(uint32_t bytes)
{
    return (bytes + 3) / 4;
}

/* Emits the one initial state that is all zero. */
void zoo_initial_zero(const struct model *model, void *worker, struct step_sink *sink);

/* How many of the bytes have this value. */
static inline uint32_t zoo_count_byte(const uint8_t *bytes, uint32_t count, uint8_t value)
{
    uint32_t found = 0;
    for (uint32_t i = 0; i < count; i++)
        found += bytes[i] == value;
    return found;
}

/* A queue in the state: a byte for the count, then the items, oldest first,
 * then zeros. */
static inline void zoo_queue_push(uint8_t *queue, uint8_t item)
{
    queue[++queue[0]] = item;
}

static inline uint8_t zoo_queue_pop(uint8_t *queue)
{
    const uint8_t item = queue[1];
    memmove(queue + 1, queue + 2, queue[0] - 1U);
    queue[queue[0]--] = 0;
    return item;
}

#endif
