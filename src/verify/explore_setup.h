/* SPDX-License-Identifier: Apache-2.0 */
/* One setup, explored. The outcome depends on nothing that was explored before: what is
 * kept of that are answers to questions that are put in full (shelf.h). */
#ifndef FATHOM_VERIFY_EXPLORE_SETUP_H
#define FATHOM_VERIFY_EXPLORE_SETUP_H

#include "verify/setup_query.h"

/* `memory` is the thread's own; the outcome's arena takes from `stories`. */
void setup_explore(const struct setup_query *query, struct memory *memory, struct memory *stories,
                   struct setup_outcome *outcome);
void setup_outcome_release(struct setup_outcome *outcome);

#endif
