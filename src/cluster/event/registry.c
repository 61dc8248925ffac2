/* SPDX-License-Identifier: Apache-2.0 */
/* All events, by kind (registry.def). */
#include "cluster/event/registry.h"
#include "cluster/event_type.h"

#define EVENT_TYPE(kind, descriptor) extern const struct event_type descriptor;
#include "cluster/event/registry.def"
#undef EVENT_TYPE

static const struct event_type *const types[] = {
#define EVENT_TYPE(kind, descriptor) [kind] = &descriptor,
#include "cluster/event/registry.def"
#undef EVENT_TYPE
};

enum {
    TYPE_COUNT = 0
#define EVENT_TYPE(kind, descriptor) +1
#include "cluster/event/registry.def"
#undef EVENT_TYPE
};

_Static_assert((int)TYPE_COUNT == (int)EVENT_KIND_COUNT, "every kind of event has a descriptor");

const struct event_type *event_type(enum event_kind kind)
{
    return types[kind];
}
