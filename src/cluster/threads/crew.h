/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A population that is explored, by one thread or by several together.
 *
 * The population's model is the same for all threads, and each of them has a worker of its own
 * (state/worker.h). Workers number what they meet each for itself; the crew's model
 * is the population's with numbers that all workers have in common (numbering.h), so that a
 * state can go from thread to thread.
 *
 * The order of what is in a state follows from what it is and not from numbers
 * (catalog_config_before), so the crew takes the same steps in the same order as one worker.
 *
 * As long as a single thread is at work its numbers are the common ones, and
 * nothing is translated.
 */
#ifndef FATHOM_CLUSTER_THREADS_CREW_H
#define FATHOM_CLUSTER_THREADS_CREW_H

#include "base/bytes.h"
#include "cluster/forward.h"
#include "cluster/population.h"

/* As population_take. The calling thread is the first of the crew. */
struct crew *crew_create(struct population_shelf *shelf, struct memory *memory,
                         const struct scope *scope, const struct setup *setup,
                         const struct check_intent *intents, uint32_t intent_count,
                         const struct population_options *options, struct problems *problems);
void crew_free(struct crew *crew);

const struct model *crew_model(const struct crew *crew);

/* As population_placement. */
uint64_t crew_placement(const struct crew *crew);

/* What any of its workers found out so far, until one of them goes on. No thread explores
 * meanwhile. */
const struct population_findings *crew_findings(struct crew *crew);
/* What another process found out that explored the same setup. */
void crew_add_findings(struct crew *crew, const struct population_findings *found);

/* The calling thread's worker, which describes paths; and a state, translated in
 * place into its numbers. */
struct worker *crew_worker(const struct crew *crew);
void crew_localise(struct crew *crew, uint32_t *words, uint32_t length);

#endif
