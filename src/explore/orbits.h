/* SPDX-License-Identifier: Apache-2.0 */
#ifndef FATHOM_EXPLORE_ORBITS_H
#define FATHOM_EXPLORE_ORBITS_H

#include "explore/cycle.h"

/* Removes cycles that are not fair to each of the things that are alike
 * (cycle.h); `again` judges the states that are left. False: no memory, or a
 * limit. */
bool orbits_refine(struct cycle_search *cycle, bool (*again)(struct cycle_search *cycle));

#endif
