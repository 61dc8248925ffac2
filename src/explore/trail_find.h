/* SPDX-License-Identifier: Apache-2.0 */
#ifndef FATHOM_EXPLORE_TRAIL_FIND_H
#define FATHOM_EXPLORE_TRAIL_FIND_H

#include "explore/search.h"
#include "explore/trail.h"

/* The first shortest path to the violation (or witness) of a safety property that is
 * decided. False: out of memory, or out of time. */
bool trail_find(struct search *search, uint32_t property_index, struct trail *trail);

#endif
