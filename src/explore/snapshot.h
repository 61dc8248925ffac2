/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A search that a limit ended, saved so that it can be resumed. A snapshot has the
 * search as it was after its last whole segment.
 */
#ifndef FATHOM_EXPLORE_SNAPSHOT_H
#define FATHOM_EXPLORE_SNAPSHOT_H

#include "explore/search.h"

/* Prepares a search whose options ask for snapshots. False: out of memory. */
bool search_snapshot_init(struct search *search);
void search_snapshot_release(struct search *search);
/* Marks the end of a segment: from now on a snapshot has the search as it is here. */
void search_snapshot_mark(struct search *search);
/* Has anything been marked? */
bool search_snapshot_is_possible(const struct search *search);
void search_snapshot_save(struct search *search, struct bytes_out *out);
/* Fills a search that has just been set up. False: it does not fit (in->bad), or there
 * is no memory. */
bool search_snapshot_load(struct search *search, struct bytes_in *in);

#endif
