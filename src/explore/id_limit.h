/* SPDX-License-Identifier: Apache-2.0 */
#ifndef FATHOM_EXPLORE_ID_LIMIT_H
#define FATHOM_EXPLORE_ID_LIMIT_H

#include "explore/worker.h"

/* How many ids the states of the next segment may have; called before it begins. */
void search_limit_ids(struct search *search);
/* Does the limit leave no id for the thread's next state? */
bool worker_lacks_ids(const struct search_worker *worker);
/* Finds an id for this thread; all other threads stand still (gate.h). False: there
 * is no id left. */
bool worker_obtain_ids(struct search_worker *worker);

#endif
