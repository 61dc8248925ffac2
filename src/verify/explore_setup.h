/* SPDX-License-Identifier: Apache-2.0 */
/* One setup, explored. The outcome does not depend on what was explored before: what is
 * kept of that is a cache with complete keys (shelf.h). */
#ifndef FATHOM_VERIFY_EXPLORE_SETUP_H
#define FATHOM_VERIFY_EXPLORE_SETUP_H

#include "verify/setup_query.h"

/* `memory` is the thread's own; the outcome's arena takes from `stories`. */
void setup_explore(const struct setup_query *query, struct memory *memory, struct memory *stories,
                   struct setup_outcome *outcome);
void setup_outcome_release(struct setup_outcome *outcome);

#endif
