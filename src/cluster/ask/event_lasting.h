/* SPDX-License-Identifier: Apache-2.0 */
/* Whether what an event did to the cluster still lasts. */
#ifndef FATHOM_CLUSTER_ASK_EVENT_LASTING_H
#define FATHOM_CLUSTER_ASK_EVENT_LASTING_H

#include "cluster/forward.h"

#include <stdbool.h>

/*
 * Has the event come, and is what it did not undone yet? Of an event that takes nodes: is a node
 * that it is about in the condition that it brings nodes into? States do not say by which event a
 * node went down, so that two events which bring nodes into the same condition last together once
 * both have come. Of an apply: is one of its manifests in force? Of a suspend: is the CronJob
 * suspended? Other events are not undone, and rules always apply.
 */
bool event_lasts(struct worker *worker, const struct state *state,
                 const struct population_event *event);

#endif
