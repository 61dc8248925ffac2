/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Room for the states of the next level, made by all threads before they begin with it.
 *
 * While a level is expanded, one thread makes room and the others wait (worker.c). With
 * many threads that would be a large share of the time. The size of the next level is
 * seldom a surprise, so most of the room can be made between two levels, by all.
 */
#ifndef FATHOM_EXPLORE_ROOM_H
#define FATHOM_EXPLORE_ROOM_H

#include "explore/search.h"

/* Before so many threads expand the current level. What cannot be made for lack of memory is
 * left to them. */
void search_make_room(struct search *search, uint32_t threads);

#endif
