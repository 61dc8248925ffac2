/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Random transition systems as plain tables, so that one which shows a mistake
 * can be shrunk by striking out rows.
 *
 * A state's vector is drawn from few words and has a length of its own, so that
 * vectors are prefixes of each other, differ in one word or share all pairs:
 * what a compressing store could confuse. Everything follows from the seed.
 */
#ifndef FATHOM_TEST_NAIVE_RANDOM_SYSTEM_H
#define FATHOM_TEST_NAIVE_RANDOM_SYSTEM_H

#include "base/text.h"
#include "explore/model.h"

enum {
    RANDOM_STATES_MOST = 160,
    RANDOM_EDGES_MOST = 640,
    RANDOM_INITIAL_MOST = 4,
    RANDOM_PROPERTIES_MOST = 6,
    RANDOM_WORDS_MOST = 9,
    RANDOM_ACTIONS = 4,
    RANDOM_MARKS = 3,
    RANDOM_ATOMS = 4, /* the last is the end atom */
};

struct random_state {
    uint32_t words[RANDOM_WORDS_MOST];
    uint32_t length;
    uint64_t atoms;
    uint64_t enabled; /* declared besides what the steps enable */
    uint32_t open;    /* gates, as bits */
};

struct random_edge {
    uint32_t from, to, action, fairness;
    uint64_t marks;
};

struct random_system {
    struct random_state states[RANDOM_STATES_MOST];
    uint32_t state_count;
    struct random_edge edges[RANDOM_EDGES_MOST];
    uint32_t edge_count;
    uint32_t initial[RANDOM_INITIAL_MOST];
    uint32_t initial_count;
    struct property properties[RANDOM_PROPERTIES_MOST];
    uint32_t property_count;
    uint32_t class_count, gate_count;
    uint64_t finite_marks;
    uint32_t length_least, length_most;
    struct model model; /* filled by random_system_model */
};

/* The source of chance (SplitMix64): the same seed, the same sequence. */
uint64_t random_next(uint64_t *seed);
uint32_t random_below(uint64_t *seed, uint32_t bound);
bool random_chance(uint64_t *seed, uint32_t percent);

/* A property of any kind over so many atoms and marks. */
struct property random_property(uint64_t *seed, uint32_t atom_count, uint32_t mark_count);

void random_system_draw(struct random_system *system, uint64_t seed);

/* The system as a model; good as long as the system stays where and as it is. */
const struct model *random_system_model(struct random_system *system);

/* All of it, readable. */
void random_system_describe(const struct random_system *system, struct text *text);

#endif
