/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Clocked time of intents in users' own words: `after` and `within`.
 *
 * A monitor word is an age: ticks since runs began, or since something was waited for. It grows
 * when time passes, up to where nothing depends on it any more, so that states recur. Time stops
 * where an age comes to a limit (until_due), so that no instant that counts is passed over.
 */
#ifndef FATHOM_CLUSTER_INTENT_EXPRESSION_TIMES_H
#define FATHOM_CLUSTER_INTENT_EXPRESSION_TIMES_H

#include "cluster/intent_class.h"

/* Does the intent say after how long, or within what time? */
bool intent_is_timed(const struct check_intent *source);
/* Lets the age grow, if the step is one of time. */
void intent_age_pass(const struct judged *judged, uint32_t *age);
/* Is it too early yet, or too late? */
bool intent_age_is_early(const struct intent *intent, uint32_t age);
bool intent_age_is_late(const struct intent *intent, uint32_t age);
/* Ticks until the age comes to where it is not too early any more, or is too late; UINT32_MAX: it
 * never does. */
uint32_t intent_age_until_due(const struct intent *intent, uint32_t age);

#endif
