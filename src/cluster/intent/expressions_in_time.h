/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Intents in users' own words with clocked time: `after` and `within`.
 *
 * What has not come in time is late for ever. So a run in which the time is over violates the
 * intent, and so does one in which time stands still, because fast steps never end.
 */
#ifndef FATHOM_CLUSTER_INTENT_EXPRESSIONS_IN_TIME_H
#define FATHOM_CLUSTER_INTENT_EXPRESSIONS_IN_TIME_H

#include "cluster/intent_class.h"

extern const struct intent_class intent_always_in_time, intent_never_in_time, intent_until_in_time,
    intent_reachable_in_time, intent_eventually_in_time, intent_leads_to_in_time;

#endif
