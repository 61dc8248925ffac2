/* SPDX-License-Identifier: Apache-2.0 */
/* What the world may do: each event at most so many times, whenever it likes. */
#ifndef FATHOM_CLUSTER_EVENT_STEP_EVENTS_H
#define FATHOM_CLUSTER_EVENT_STEP_EVENTS_H

#include <stdbool.h>

struct expansion;

/* ---- step_events.c ---- */
void step_events(struct expansion *expansion, bool settled);

#endif
