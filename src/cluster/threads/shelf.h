/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Models that one thread has done with, for the next setups.
 *
 * Most setups of a scope differ in how many nodes and replicas there are and in
 * nothing else: pods and nodes look the same, and so what was computed about them
 * (node configs, where pods go, what syncs decide) serves all of them. Nothing that is
 * kept can be seen in an outcome: numbers of configs are no part of it, and the rest
 * are answers to questions that are put in full.
 */
#ifndef FATHOM_CLUSTER_THREADS_SHELF_H
#define FATHOM_CLUSTER_THREADS_SHELF_H

#include "cluster/population.h"

enum { SHELF_PLACES = 4 };

/* All zero: empty. */
struct population_shelf {
    struct population *items[SHELF_PLACES]; /* the one used last comes first */
};

/* As population_create; `shelf` may be NULL. */
struct population *population_take(struct population_shelf *shelf, struct memory *memory,
                                   const struct scope *scope, const struct setup *setup,
                                   const struct check_intent *intents, uint32_t intent_count,
                                   const struct population_options *options,
                                   struct problems *problems);
/* In place of population_free. */
void population_put(struct population_shelf *shelf, struct population *population);
void population_shelf_release(struct population_shelf *shelf);

#endif
