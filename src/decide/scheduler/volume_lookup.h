/* SPDX-License-Identifier: Apache-2.0 */
/* Finding the storage objects that a pod's volumes speak of. */
#ifndef FATHOM_DECIDE_SCHEDULER_VOLUME_LOOKUP_H
#define FATHOM_DECIDE_SCHEDULER_VOLUME_LOOKUP_H

#include "decide/view.h"
#include "object/storage.h"

/* The name of the claim behind a volume; NULL if there is none behind it. */
const char *volume_claim_name(struct arena *arena, const struct pod *pod,
                              const struct volume *volume);

/* NULL when there is no such object. */
const struct persistent_volume_claim *volume_find_claim(const struct catalog *catalog,
                                                        const char *namespace, const char *name);
const struct persistent_volume *volume_find(const struct catalog *catalog, const char *name);
const struct storage_class *volume_find_class(const struct catalog *catalog, const char *name);

/* The storage class by annotation (as of old) or by field; "" when there is none. */
const char *volume_class_of_claim(const struct persistent_volume_claim *claim);
const char *volume_class_of(const struct persistent_volume *volume);

/* For struct plugin_reads. A disk that one has, and a claim that is bound for one, is
 * not there for another: pods with volumes may get into each other's way. */
bool volume_looks_at(struct catalog *catalog, const struct pod *own, const struct pod *other);
bool volume_only_room(const struct pod_shape *shape);

#endif
