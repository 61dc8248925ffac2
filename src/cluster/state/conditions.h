/* SPDX-License-Identifier: Apache-2.0 */
/* The conditions of nodes, and which of them the events can bring about. */
#ifndef FATHOM_CLUSTER_STATE_CONDITIONS_H
#define FATHOM_CLUSTER_STATE_CONDITIONS_H

#include "cluster/forward.h"
#include "cluster/state/nodes.h"

#include <stdbool.h>

/* The condition of a node that has failed and is sure to come back. */
enum node_condition failed_condition(const struct population *population);
/* The condition that the event brings a node into; it is an event that does. */
enum node_condition event_condition(const struct population *population,
                                    const struct population_event *event);
/* The condition before a node in this one is noticed; the same if there is no such. */
enum node_condition condition_unnoticed(enum node_condition condition);
/* Can a node come into the condition in this model? */
bool condition_is_possible(const struct population *population, enum node_condition condition);

#endif
