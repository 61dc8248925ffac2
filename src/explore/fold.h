/* SPDX-License-Identifier: Apache-2.0 */
#ifndef FATHOM_EXPLORE_FOLD_H
#define FATHOM_EXPLORE_FOLD_H

#include "explore/cycle.h"

/* Takes out what is not fair to all; `again` judges what is left. False: no
 * memory, or a limit. */
bool fold_refine(struct cycle_search *cycle, bool (*again)(struct cycle_search *cycle));

#endif
