/* SPDX-License-Identifier: Apache-2.0 */
/* The events of a Check. */
#ifndef FATHOM_OBJECT_CHECK_EVENT_H
#define FATHOM_OBJECT_CHECK_EVENT_H

#include "object/check.h"
#include "object/schema.h"

extern const struct field_hook check_events_hook;

/* Reports unknown node groups, patterns that are out of order, and so on. */
void check_events_validate(struct reading *reading, const struct path *path,
                           const struct check *check);

/* All of them, with their parameters. */
extern const struct library check_event_library;

#endif
