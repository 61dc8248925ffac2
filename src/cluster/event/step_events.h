/* SPDX-License-Identifier: Apache-2.0 */
/* The steps of events: each comes at any time, at most as often as the Check says. */
#ifndef FATHOM_CLUSTER_EVENT_STEP_EVENTS_H
#define FATHOM_CLUSTER_EVENT_STEP_EVENTS_H

#include "cluster/forward.h"

void step_events(struct expansion *expansion);

#endif
