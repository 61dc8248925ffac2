/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Models that one thread has done with, with the worker that it had, for the next setups.
 *
 * Most setups of a scope differ in how many nodes and replicas there are and in nothing
 * else: pods and nodes look the same, and so what was computed about them (node configs,
 * where pods go, what syncs decide) serves all of them. What is kept never changes an
 * outcome: an outcome has no numbers of configs, and everything else that is kept is a
 * cache with complete keys.
 */
#ifndef FATHOM_CLUSTER_THREADS_SHELF_H
#define FATHOM_CLUSTER_THREADS_SHELF_H

#include "cluster/forward.h"

#include <stdint.h>

enum { SHELF_PLACES = 4 };

/* A model, and the worker that explored it. */
struct population_kept {
    struct population *population; /* This is the model; NULL: the place is free. */
    struct worker *worker;         /* This has what was computed about it. */
};

/* All zero: empty. */
struct population_shelf {
    struct population_kept items[SHELF_PLACES]; /* The one used last comes first. */
};

/* As population_create, with a worker for the calling thread (NULL: there is not enough memory);
 * `shelf` may be NULL. */
struct population *population_take(struct population_shelf *shelf, struct memory *memory,
                                   const struct scope *scope, const struct setup *setup,
                                   const struct check_intent *intents, uint32_t intent_count,
                                   const struct population_options *options,
                                   struct problems *problems, struct worker **worker);
/* In place of population_worker_free and population_free; `worker` may be NULL. */
void population_put(struct population_shelf *shelf, struct population *population,
                    struct worker *worker);
void population_shelf_release(struct population_shelf *shelf);

#endif
