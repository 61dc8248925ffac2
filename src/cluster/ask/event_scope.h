/* SPDX-License-Identifier: Apache-2.0 */
/* Which nodes an event concerns, and which objects an event has deleted. Events and controllers
 * ask this; it only reads states. */
#ifndef FATHOM_CLUSTER_ASK_EVENT_SCOPE_H
#define FATHOM_CLUSTER_ASK_EVENT_SCOPE_H

#include "cluster/forward.h"
#include "object/check.h"

/* Does the event concern nodes of this config: its group, or the very node? */
bool event_concerns(struct worker *worker, const struct population_event *event, uint32_t config);
/* Is the name the pattern, or does it begin with what the pattern has before its star? */
bool name_matches(const char *pattern, const char *name);
/* Has an event deleted this budget or autoscaler? */
bool object_is_deleted(const struct population *population, const struct state *state,
                       const char *kind, const struct object_meta *meta);

#endif
