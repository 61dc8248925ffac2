/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What ReplicaSets know of their pods, where that may be outdated (options.sets_lag).
 *
 * A ReplicaSet knows of its own creations and deletions (upstream's expectations). That somebody
 * else took a pod it sees later, in a step of its own. Until then it believes to have more pods
 * than there are: it replaces none, and if it gets smaller it deletes one too many.
 */
#ifndef FATHOM_CLUSTER_ASK_SET_VIEWS_H
#define FATHOM_CLUSTER_ASK_SET_VIEWS_H

#include "cluster/forward.h"
#include "cluster/state/actions.h"

#include <stdbool.h>
#include <stdint.h>

/* How many active pods the ReplicaSet of the revision believes to have. */
uint32_t set_believes(struct worker *worker, const struct state *state, uint32_t revision);

/* Does a ReplicaSet of the workload believe to have more pods than there are? */
bool sets_are_outdated(const struct population *population, const struct state *state,
                       uint32_t workload);

/* Notes in `next`, which comes of `state` by a step of this action about this revision (UINT32_MAX:
 * none), what ReplicaSets believe then. */
void set_views_follow(struct worker *worker, const struct state *state, struct state *next,
                      enum population_action action, uint32_t revision);

#endif
