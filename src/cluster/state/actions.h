/* SPDX-License-Identifier: Apache-2.0 */
/* What can happen in a cluster, by name (actions.def). */
#ifndef FATHOM_CLUSTER_STATE_ACTIONS_H
#define FATHOM_CLUSTER_STATE_ACTIONS_H

#include <stdbool.h>

/* The actions, for people; fairness tells their subjects apart, too. */
enum population_action {
#define ACTION(constant, actor, verb, fair) constant,
#include "cluster/state/actions.def"
#undef ACTION
    POPULATION_ACTION_COUNT
};

/* With clocks: nothing but time and the memories of controllers change by it. */
bool action_is_quiet(enum population_action action);

/* May it never come, so that nobody counts on it? */
bool action_is_outside(enum population_action action);
/* Does something happen to this because of the world, whatever it is? */
bool action_is_event(enum population_action action);

/* "Scheduler bind", by action. */
extern const char *const population_action_names[POPULATION_ACTION_COUNT];

#endif
