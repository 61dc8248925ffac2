/* SPDX-License-Identifier: Apache-2.0 */
#ifndef FATHOM_EXPLORE_REPLAY_H
#define FATHOM_EXPLORE_REPLAY_H

#include "explore/search.h"
#include "explore/trail.h"

/* Executes the trail on the model and fills `path`; bug() if the trail does not
 * lead to a violation of the property. False: out of memory. */
bool replay_trail(struct search *search, const struct property *property, const struct trail *trail,
                  struct run_path *path);
void path_release(struct run_path *path, struct memory *memory);

#endif
