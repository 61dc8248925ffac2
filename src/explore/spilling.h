/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What of a search goes to files when memory is used up (region.h, base/spill.h).
 *
 * Steps are written in the order in which states are expanded, and read again when cycles are
 * looked for: they go first, and by themselves. If that is not enough, the atoms and the records
 * of the roots follow. A level reads its records in order; a look-up reads a record when the tag
 * of its slot fits, so these are read at random, too.
 */
#ifndef FATHOM_EXPLORE_SPILLING_H
#define FATHOM_EXPLORE_SPILLING_H

#include "explore/search.h"

/* Moves the next things to files; no other thread may write to them meanwhile. False: there is
 * nothing left to move, or nowhere to move it. */
bool search_spill(struct search *search);

/* Makes that much room in the budget, as far as this helps. No other thread is at work. */
void search_spill_for(struct search *search, size_t bytes);

/* After steps were read: their pages are left to the system. */
void search_relax(const struct search *search);

#endif
