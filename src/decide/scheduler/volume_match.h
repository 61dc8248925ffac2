/* SPDX-License-Identifier: Apache-2.0 */
/* Which volumes a claim can be bound to, and which nodes a volume can be used on. */
#ifndef FATHOM_DECIDE_SCHEDULER_VOLUME_MATCH_H
#define FATHOM_DECIDE_SCHEDULER_VOLUME_MATCH_H

#include "object/node.h"
#include "object/storage.h"

#include <stdbool.h>

/* Labels of volumes and nodes that have to agree, once the volume is bound. */
enum { VOLUME_ZONE_LABELS = 4 };
extern const char *const volume_zone_labels[VOLUME_ZONE_LABELS];

/* The amount of storage that a claim requests, or a volume has; 0 where nothing is said. */
const struct quantity *volume_storage(const struct resource_list *list);

/* Is the volume reserved for the claim (spec.claimRef)? */
bool volume_is_for_claim(const struct persistent_volume *volume,
                         const struct persistent_volume_claim *claim);
/* Do the claim and the volume fit each other, regardless of the node? */
bool volume_is_possible(const struct persistent_volume *volume,
                        const struct persistent_volume_claim *claim);
/* Is the volume Available, and what the claim asks for? */
bool volume_is_free(const struct persistent_volume *volume,
                    const struct persistent_volume_claim *claim);

/* Does the volume's node affinity allow the node? */
bool volume_reaches(const struct persistent_volume *volume, const struct node *node);
/* Do its labels of zones and regions allow a node with these labels? */
bool volume_zone_reaches(const struct persistent_volume *volume, const struct labels *labels);

#endif
