/* SPDX-License-Identifier: Apache-2.0 */
#ifndef FATHOM_EXPLORE_LASSO_H
#define FATHOM_EXPLORE_LASSO_H

#include "explore/cycle.h"
#include "explore/trail.h"

/* Finds a way into an accepting component and around in it. False: no memory. */
bool lasso_find(const struct cycle_search *cycle, struct trail *trail);

#endif
