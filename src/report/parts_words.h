/* SPDX-License-Identifier: Apache-2.0 */
/* The words for what verify/parts.h records. */
#ifndef FATHOM_REPORT_PARTS_WORDS_H
#define FATHOM_REPORT_PARTS_WORDS_H

#include "verify/parts.h"

/* "budget" */
const char *coupling_rule_name(enum coupling_rule rule);
/* "PodDisruptionBudget/shop/web", "the scheduler's plugin NodePorts" */
const char *coupling_words(struct arena *arena, const struct coupled *coupled);
/* What would take the coupling away; NULL: nothing in particular. */
const char *coupling_advice(enum coupling_rule rule);

/* "room" */
const char *obstacle_name(enum part_obstacle obstacle);
/* What is in the way; the culprit may be NULL, and `itself` says that it is the component. */
const char *obstacle_words(struct arena *arena, enum part_obstacle obstacle, const char *culprit,
                           bool itself);
/* What would take it out of the way; NULL: nothing in particular. */
const char *obstacle_advice(enum part_obstacle obstacle);

/* Why workloads were explored together from the start; NULL: they were not. */
const char *together_words(enum together_because because);
/* What would have them explored by themselves; NULL: nothing in particular. */
const char *together_advice(enum together_because because);

#endif
