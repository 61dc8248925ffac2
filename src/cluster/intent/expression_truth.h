/* SPDX-License-Identifier: Apache-2.0 */
/* What all intents in users' own words have in common (expressions.c): how they are compiled, what
 * they look at, and whether their expressions are true in a state. */
#ifndef FATHOM_CLUSTER_INTENT_EXPRESSION_TRUTH_H
#define FATHOM_CLUSTER_INTENT_EXPRESSION_TRUTH_H

#include "cluster/intent_class.h"
#include "expression/expression.h"

struct intent_expressions {
    const struct expression *first;
    const struct expression *condition; /* NULL: it counts everywhere */
    const struct expression *to;        /* NULL: there is none */
    struct expression_value workloads;
};

/* Compiles the expressions of an intent, all but its map of workloads. */
struct intent_expressions expressions_read(struct arena *arena, const struct scope *scope,
                                           const struct check_intent *source,
                                           struct problems *problems);

/* ---- members of their classes (intent_class.h) ---- */

const struct intent_expressions *expressions_compile(struct population *population,
                                                     const struct check_intent *source);
void expressions_check(const struct scope *scope, const struct check_intent *intent,
                       struct problems *problems);
uint32_t expressions_parts(const struct judged *judged, struct arena *arena,
                           struct expression_part *parts, uint32_t most);

#define NEVER_ASKED  "its condition was never true"
#define NEVER_WAITED "the first expression was never true"

/* ---- truth ---- */

/* One that takes too many steps fails, too, and nothing counts then (cli/cmd_verify.c). */
enum truth { IS_FALSE, IS_TRUE, FAILS, IS_TOO_COSTLY };

enum truth expressions_truth(const struct judged *judged, const struct state *state,
                             const struct expression *expression);

/* Does the intent count here? A condition that fails makes it count. */
bool expressions_ask(const struct judged *judged);
/* The same, if it is a state that is judged. */
bool expressions_ask_of_state(const struct judged *judged);
/* Does it count, and is its first expression not true, or not false? */
bool expressions_not_true(const struct judged *judged);
bool expressions_not_false(const struct judged *judged);
bool expressions_true(const struct judged *judged);
/* Is it an example? A state in which the expression fails is none; one in which it takes too many
 * steps ends the search, so that nobody takes the expression for one that no run makes true. */
bool expressions_reached(const struct judged *judged);

/* ---- monitors ---- */

uint32_t expressions_one_word(const struct population *population, const struct intent *intent);
/* The first monitor word of the intent in a state. */
uint32_t *expressions_monitor(const struct judged *judged, const struct state *state);
/* until is over from a state on in which its second expression is true; where runs have not begun
 * nothing counts. */
void expressions_note_over(const struct judged *judged);
bool expressions_are_not_held(const struct judged *judged);
/* leadsTo waits from a state in which the first expression is true up to one in which the second
 * is. */
void expressions_note_waiting(const struct judged *judged);
bool expressions_wait(const struct judged *judged);
bool expressions_begin_to_wait(const struct judged *judged);

#endif
