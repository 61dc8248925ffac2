/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Claims whose volume is made in the zone of the first node that a pod with the claim comes to
 * (object/storage_zones.h), and stays there.
 */
#ifndef FATHOM_SETUP_ZONAL_CLAIMS_H
#define FATHOM_SETUP_ZONAL_CLAIMS_H

#include "object/object.h"

#include <stdbool.h>

struct pod_spec;

/* Is the volume of this claim, which is among the objects and names none, made so? */
bool claim_is_zonal(const struct objects *objects, const struct persistent_volume_claim *claim);

struct claim_names {
    const char **items;
    uint32_t count;
    uint32_t capacity;
};

/* The claims of this kind that the StatefulSet makes for its pod of this name, and those that its
 * template names. Claims that are deleted with their pods do not count. */
struct claim_names stateful_pod_zonal_claims(struct arena *arena, const struct objects *objects,
                                             const struct object *stateful_set, const char *pod);

/* Has the pod such a claim? */
bool stateful_pod_is_zonal(struct arena *arena, const struct objects *objects,
                           const struct object *stateful_set, const char *pod);

/* The one such claim of a pod with this spec; NULL: it has none, or several. */
const char *pod_zonal_claim(const struct objects *objects, const char *namespace,
                            const struct pod_spec *spec);

#endif
