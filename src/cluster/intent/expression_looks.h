/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What intents in users' own words look at, as far as their texts show. Reductions and modular
 * verification go by it: what is said here to be ignored is left out, so that a wrong answer is a
 * wrong verdict. Whatever a text does not show is taken to be seen.
 */
#ifndef FATHOM_CLUSTER_INTENT_EXPRESSION_LOOKS_H
#define FATHOM_CLUSTER_INTENT_EXPRESSION_LOOKS_H

#include "cluster/intent_class.h"

/* Does an expression of an intent, or the condition of an event, read this field of pods? */
bool expressions_read_pods(const struct population *population, const char *field);
/* May one of them tell how many pods wait for a node? */
bool expressions_count_waiting(const struct population *population);

/* ---- members of their classes (intent_class.h) ---- */

unsigned expressions_ignore(const struct intent_expressions *own);
/* Of what must be true in every state, or in every state from some state on. */
enum intent_reach expressions_reach_each(struct arena *arena, const struct scope *scope,
                                         const struct check_intent *source, uint32_t *workload);
/* Of what must be false in every state. */
enum intent_reach expressions_reach_some(struct arena *arena, const struct scope *scope,
                                         const struct check_intent *source, uint32_t *workload);
/* Of what must come true, or stay so up to something: parts may do so at different times. */
enum intent_reach expressions_reach_one(struct arena *arena, const struct scope *scope,
                                        const struct check_intent *source, uint32_t *workload);

#endif
