/* SPDX-License-Identifier: Apache-2.0 */
#ifndef FATHOM_EXPLORE_BFS_H
#define FATHOM_EXPLORE_BFS_H

#include "explore/search.h"

/* Searches level after level, until everything is decided or a limit is reached. */
void bfs_run(struct search *search);

#endif
