/* SPDX-License-Identifier: Apache-2.0 */
/* Events and intents, with the workloads that they name; what an apply makes of each workload. */
#ifndef FATHOM_CLUSTER_BUILD_BUILD_EVENTS_H
#define FATHOM_CLUSTER_BUILD_BUILD_EVENTS_H

#include "cluster/forward.h"

#include <stdint.h>

/* Whatever the check names; how wide states have to be follows from it. */
void add_events_and_intents(struct population *population, const struct check_intent *intents,
                            uint32_t intent_count);
/* What the apply events do to the workload, which has been added last. */
void add_effects(struct population *population, uint32_t number);

#endif
