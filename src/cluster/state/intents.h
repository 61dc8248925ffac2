/* SPDX-License-Identifier: Apache-2.0 */
/* What must hold: intents as monitors of steps and as atoms of states. */
#ifndef FATHOM_CLUSTER_STATE_INTENTS_H
#define FATHOM_CLUSTER_STATE_INTENTS_H

#include "object/check.h"

struct happening;
struct population;
struct population_state;

struct intent {
    const struct check_intent *source;
    uint32_t workload; /* UINT32_MAX: all */
    uint32_t monitor;  /* its first monitor word */
};

/* ---- intents.c ---- */
/* How many monitor words the intent needs. */
uint32_t intent_monitors(const struct population *population, const struct intent *intent);
/* What they know of the initial state, if that is not an empty cluster. */
void intents_begin(struct population *population, struct population_state *state);
/* The properties of the model; false if an intent is not supported. */
bool intents_compile(struct population *population);
/* Is there nothing that an intent about states at rest has against this workload? */
bool intents_content_with(const struct population *population, const struct population_state *state,
                          uint32_t workload);
/* The first workload that the intent is not content with as things are; UINT32_MAX: none, or
 * it is not about states. */
uint32_t intent_whose(const struct population *population, const struct population_state *state,
                      uint32_t number);
uint64_t intents_atoms(struct population *population, const struct population_state *state);
/* Updates the monitors of `next` and gives the marks of the step. */
uint64_t intents_observe(struct population *population, const struct population_state *state,
                         struct population_state *next, const struct happening *happening);

/* ---- misplaced.c ---- */
/* onlyOn, neverOn: does the step bring a pod to where it is not wanted? */
bool pod_is_misplaced(const struct population *population, const struct population_state *state,
                      const struct population_state *next, const struct intent *intent,
                      const struct happening *happening);

#endif
