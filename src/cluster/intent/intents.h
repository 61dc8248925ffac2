/* SPDX-License-Identifier: Apache-2.0 */
/* The intents of a model: its properties, the atoms of its states and the
 * marks of its steps. */
#ifndef FATHOM_CLUSTER_INTENT_INTENTS_H
#define FATHOM_CLUSTER_INTENT_INTENTS_H

#include "cluster/forward.h"
#include "cluster/intent_class.h"

#include <stdbool.h>
#include <stdint.h>

/* Adds an intent of the class that is about this workload (UINT32_MAX: about all). */
void intents_add(struct population *population, const struct intent_class *class,
                 const struct check_intent *source, uint32_t workload);
/* Makes the properties of the model. */
void intents_compile(struct population *population);
/* Does every intent ignore this (enum intent_ignores)? */
bool intents_ignore(const struct population *population, enum intent_ignores what);

/* Sets the monitors of a state in which runs begin. */
void intents_begin(struct worker *worker, struct state *state);
/* Does the state have the intent's atom? */
bool intent_has_atom(const struct judged *judged);
/* Is it this workload because of which the state is not as the intent wants it? While another
 * workload is in focus the answer is false: this one is judged in states in which it is in
 * focus. */
bool intent_displeased_by(const struct judged *judged, uint32_t workload);
/* Notes which intents apply in the state (intent_class.applies). */
void intents_apply(struct worker *worker, const struct state *state);
/* The atoms of the state, of those that are wanted. */
uint64_t intents_atoms(struct worker *worker, const struct state *state, uint64_t wanted);
/* How near the state is to a violation of the intent (intent_class.nearness). */
int64_t intent_nearness(struct worker *worker, const struct state *state, uint32_t number);
/* Are there autoscalers, or does a controller change the desired replicas? */
bool intent_replicas_may_change(const struct judged *judged);
/* The mark of events that states do not count (population_event.uncounted). */
uint64_t intents_finite_mark(const struct population *population);
/* The mark of a step where loops are looked for (population.looks_for_loops): `loops`, if loops of
 * such steps may count as rest. */
uint64_t intents_loop_mark(const struct population *population, bool loops);
/* Updates the monitors of `next` and gives the marks of the step. */
uint64_t intents_marks(struct worker *worker, const struct state *state, struct state *next,
                       const struct happening *happening);

/* With clocks: ticks until time alone changes what an intent remembers; UINT32_MAX: it never does.
 */
uint32_t intents_until_due(struct worker *worker, const struct state *state);
/* Is some intent violated if the cluster rests in this state? `settled`: what rests. */
bool intents_mind_rest(struct worker *worker, const struct state *state,
                       const struct happening *settled);
/* Is the workload as the intents want it? Intents that ignore the focus do not count. */
bool intents_content_with(struct worker *worker, const struct state *state, uint32_t workload);
/* The first workload because of which the state is not as the intent wants it; UINT32_MAX:
 * there is none, or the intent does not name any. */
uint32_t intent_whose(struct worker *worker, const struct state *state, uint32_t number);
/* The values of the parts of its expression in the state, in the arena; 0: it has none. */
struct expression_part;
uint32_t intent_parts(struct worker *worker, const struct state *state, uint32_t number,
                      struct arena *arena, struct expression_part *parts, uint32_t most);

#endif
