/* SPDX-License-Identifier: Apache-2.0 */
/* A Deployment's sync and an autoscaler's go by numbers of pods, and states that differ in where
 * pods are look the same to them. */
#ifndef FATHOM_CLUSTER_ASK_KNOWN_SYNCS_H
#define FATHOM_CLUSTER_ASK_KNOWN_SYNCS_H

#include "cluster/forward.h"

#include <stdint.h>

struct known_sync;
struct known_syncs;
struct sync_seen;

/* What came of a sync that saw the same; NULL: it is not known. Until the next one is
 * remembered. */
const struct known_sync *sync_recall(const struct known_syncs *known, const struct sync_seen *seen);
void sync_remember(struct arena *arena, struct known_syncs *known, const struct sync_seen *seen,
                   const uint32_t *answer, uint32_t answer_count);

#endif
