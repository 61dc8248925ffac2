/* SPDX-License-Identifier: Apache-2.0 */
/* Finds the storage objects that a pod's volumes refer to. */
#ifndef FATHOM_DECIDE_SCHEDULER_VOLUME_LOOKUP_H
#define FATHOM_DECIDE_SCHEDULER_VOLUME_LOOKUP_H

#include "decide/view.h"
#include "object/storage.h"

/* The name of the claim that a volume uses; NULL if it uses none. */
const char *volume_claim_name(struct arena *arena, const struct pod *pod,
                              const struct volume *volume);

/* NULL when there is no such object. */
const struct persistent_volume_claim *volume_find_claim(const struct catalog *catalog,
                                                        const char *namespace, const char *name);
const struct persistent_volume *volume_find(const struct catalog *catalog, const char *name);
const struct storage_class *volume_find_class(const struct catalog *catalog, const char *name);

/* The storage class by the beta annotation or by the field; "" when there is none. */
const char *volume_class_of_claim(const struct persistent_volume_claim *claim);
const char *volume_class_of(const struct persistent_volume *volume);

/* For struct plugin_reads. A disk or a claim that one pod uses may not be free for
 * another, so the places of pods with volumes may depend on each other, unless all claims of both
 * are bound, to different volumes. */
bool volume_looks_at(struct catalog *catalog, const struct pod *own, const struct pod *other);
bool volume_only_room(const struct pod_shape *shape);

#endif
