/* SPDX-License-Identifier: Apache-2.0 */
/* Whom an event concerns, and which objects are gone because of one. Asked by events
 * and by controllers; it only looks at states. */
#ifndef FATHOM_CLUSTER_ASK_EVENT_SCOPE_H
#define FATHOM_CLUSTER_ASK_EVENT_SCOPE_H

#include "object/check.h"

struct check_event;
struct object_meta;
struct population;
struct population_state;
struct population_worker;

/* Does the event concern nodes of this config: its group, or the very node? */
bool event_concerns(struct population_worker *worker, const struct check_event *event,
                    uint32_t config);
bool name_matches(const char *pattern, const char *name);
/* A budget or autoscaler: is it gone? */
bool object_is_deleted(const struct population *population, const struct population_state *state,
                       const char *kind, const struct object_meta *meta);

#endif
