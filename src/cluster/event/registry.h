/* SPDX-License-Identifier: Apache-2.0 */
/* All events, by kind. */
#ifndef FATHOM_CLUSTER_EVENT_REGISTRY_H
#define FATHOM_CLUSTER_EVENT_REGISTRY_H

#include "cluster/forward.h"
#include "object/check.h"

/* The descriptor of the kind. */
const struct event_type *event_type(enum event_kind kind);
/* Do events of the kind come, or are they rules? */
bool event_kind_comes(enum event_kind kind);

#endif
