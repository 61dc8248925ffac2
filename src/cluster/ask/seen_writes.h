/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Whether the controller of a workload has seen what an autoscaler wrote (INTERLEAVING_FULL).
 *
 * An autoscaler acts every 15 s, and a Deployment is synced within milliseconds of a write. That
 * the autoscaler writes twice in between is left to INTERLEAVING_RACING.
 */
#ifndef FATHOM_CLUSTER_ASK_SEEN_WRITES_H
#define FATHOM_CLUSTER_ASK_SEEN_WRITES_H

#include "cluster/forward.h"

#include <stdbool.h>
#include <stdint.h>

struct happening;

/* Do states say it? */
bool writes_may_be_unseen(const struct population *population);
/* Notes which writes are seen once the step to `next` is taken, which is not an autoscaler's;
 * `prompt`: by a prompt actor. */
void note_seen_writes(const struct population *population, const struct state *state,
                      struct state *next, const struct happening *happening, bool prompt);

#endif
