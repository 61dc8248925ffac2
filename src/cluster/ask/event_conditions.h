/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Conditions of events in users' own words (`when`): an event comes only in states in which its
 * expression is true.
 *
 * An expression that fails in a state is neither true nor false there. The event does not come
 * then, and nothing that was explored counts as complete (findings.conditions_fail): what may have
 * been left out could violate something.
 */
#ifndef FATHOM_CLUSTER_ASK_EVENT_CONDITIONS_H
#define FATHOM_CLUSTER_ASK_EVENT_CONDITIONS_H

#include "cluster/forward.h"
#include "object/check.h"

struct support;
struct expression;

/* Reports what is wrong with the condition of an event. */
void event_condition_check(const struct support *support, const struct check_event *event);
/* The condition, for a model; NULL: the event has none. */
const struct event_condition *event_condition_compile(struct population *population,
                                                      const struct check_event *event);
const struct expression *event_condition_expression(const struct event_condition *condition);
/* May the event come in this state? */
bool event_condition_allows(struct worker *worker, const struct state *state,
                            const struct population_event *event);

#endif
