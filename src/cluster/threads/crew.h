/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A population that several threads explore together.
 *
 * A population belongs to one thread: whatever it meets (node configs, what
 * autoscalers remember, cohorts) it numbers in tables of its own, and it works out
 * much about these once. A crew is one population for each thread, all of the same
 * setup, and one more numbering that all have in common, of which the states that the
 * crew's model hands out bear the numbers. What a number stands for is looked up in
 * the common tables, with a lock, the first time that a thread meets it and never
 * again. Node configs, of which every state has many, have their common numbers in
 * every thread's catalog, with gaps for what it has not met; the others are few and
 * are translated on the way in and out.
 *
 * The order of what is in a state follows from what it is and not from numbers
 * (catalog_config_before), so the crew takes the very steps, in the very order,
 * that one population takes.
 *
 * As long as a single thread is at work its numbers are the common ones, and
 * nothing is translated.
 */
#ifndef FATHOM_CLUSTER_THREADS_CREW_H
#define FATHOM_CLUSTER_THREADS_CREW_H

#include "base/bytes.h"
#include "cluster/threads/shelf.h"

struct crew;

/* As population_take. The calling thread is the first of the crew. */
struct crew *crew_create(struct population_shelf *shelf, struct memory *memory,
                         const struct scope *scope, const struct setup *setup,
                         const struct check_intent *intents, uint32_t intent_count,
                         const struct population_options *options, struct problems *problems);
void crew_free(struct crew *crew);

const struct model *crew_model(const struct crew *crew);

/* Of any of its populations, once the exploration is over. */
bool crew_judged(const struct crew *crew);
bool crew_overflowed(const struct crew *crew);
bool crew_needs_all(const struct crew *crew);

/* The calling thread's population, to tell of paths with; and a state, in place, in
 * its numbers. */
struct population *crew_population(const struct crew *crew);
void crew_localise(struct crew *crew, uint32_t *words, uint32_t length);

/* What the numbers in saved states stand for, and what else the crew has found out.
 * To be loaded into a new crew of the same setup; false: it does not fit (in->bad). */
void crew_save(struct crew *crew, struct bytes_out *out);
bool crew_load(struct crew *crew, struct bytes_in *in);

#endif
