/* SPDX-License-Identifier: Apache-2.0 */
/* All events, by kind. */
#include "cluster/event/registry.h"
#include "cluster/event_type.h"

#define EVENT(constant, descriptor, name, takes, needs, facts, clocks) \
    extern const struct event_type descriptor;
#include "object/events.def"
#undef EVENT

static const struct event_type *const types[] = {
#define EVENT(constant, descriptor, name, takes, needs, facts, clocks) [constant] = &descriptor,
#include "object/events.def"
#undef EVENT
};

const struct event_type *event_type(enum event_kind kind)
{
    return types[kind];
}

bool event_kind_comes(enum event_kind kind)
{
    return event_type(kind)->emit != NULL;
}
