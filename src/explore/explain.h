/* SPDX-License-Identifier: Apache-2.0 */
#ifndef FATHOM_EXPLORE_EXPLAIN_H
#define FATHOM_EXPLORE_EXPLAIN_H

#include "explore/search.h"

/* Finds the paths of all safety properties that are decided and have none yet. One that
 * cannot be shown for lack of memory or time is not claimed: it becomes undecided. */
void explain_safety(struct search *search);

#endif
