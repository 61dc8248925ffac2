/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Claims whose volume is in some place, so that not every node reaches it, and that are not bound
 * yet: where that place is depends on the run. Either the volume is made in the zone of the first
 * node that a pod with the claim comes to (object/storage_zones.h); or it is made as soon as the
 * claim is there (`Immediate`), in any zone; or it is one of the PersistentVolumes that are given.
 */
#ifndef FATHOM_SETUP_CLAIM_PLACES_H
#define FATHOM_SETUP_CLAIM_PLACES_H

#include "base/vec.h"
#include "object/object.h"
#include "object/storage.h"

#include <stdbool.h>

struct pod_spec;

struct claim_place {
    const char *name;                            /* of the claim */
    const struct persistent_volume_claim *claim; /* with the class that it gets by default */
    const struct storage_class *class;           /* NULL: it is not among the objects */
    bool is_given;                               /* the claim is among the objects */
    bool at_once;     /* it is bound as soon as it is there, and no pod can be placed before */
    bool is_made;     /* a volume is made in one zone if no given one can be had */
    bool is_reserved; /* a given volume is for this claim alone (spec.claimRef) */
    VEC(const struct persistent_volume *) volumes; /* given ones that it can be bound to */
};

struct claim_places {
    struct claim_place *items;
    uint32_t count;
    uint32_t capacity;
};

/* Does its class name the zones in which its volume can be made? */
static inline bool claim_place_is_limited(const struct claim_place *place)
{
    return place->is_made && place->class->allowed_topology_count > 0;
}

/* Is the place of the volume known by the zone of the first node alone? The scheduler itself looks
 * at the zones that the class of a given claim names. */
static inline bool claim_place_is_plain(const struct claim_place *place)
{
    return !place->at_once && place->is_made && place->volumes.count == 0 &&
           (place->is_given || !claim_place_is_limited(place));
}

/* Does it matter if all nodes are in one zone? */
static inline bool claim_place_is_of_zones(const struct claim_place *place)
{
    return place->is_made && place->volumes.count == 0 && !claim_place_is_limited(place);
}

/* Finds what a claim without a volume can be bound to, whether that is in some place or not. */
void claim_place_find(struct arena *arena, const struct objects *objects,
                      const struct persistent_volume_claim *claim, struct claim_place *place);

/* Is the claim bound as soon as it is there, and not once a pod comes to a node? */
bool claim_is_at_once(const struct objects *objects, const struct persistent_volume_claim *claim);

/* Has the claim, which is among the objects, such a place? */
bool claim_has_place(struct arena *arena, const struct objects *objects,
                     const struct persistent_volume_claim *claim, struct claim_place *place);

/* The claims of this kind that the StatefulSet makes for its pod of this name, and those that its
 * template names. Claims that are deleted with their pods do not count, unless they are bound at
 * once or to given volumes. */
struct claim_places claim_places_of_ordinal(struct arena *arena, const struct objects *objects,
                                            const struct object *stateful_set, const char *pod);

/* Those of a pod with this spec, each once. */
struct claim_places claim_places_of_spec(struct arena *arena, const struct objects *objects,
                                         const char *namespace, const struct pod_spec *spec);

/* Those of pods of the workload that its model keeps in place: none of those that are for one node,
 * or whose places are too many. `pod` is the name of a pod of a StatefulSet. */
struct claim_places claim_places_modelled(struct arena *arena, const struct objects *objects,
                                          const struct object *workload,
                                          const struct pod_spec *spec, const char *pod);

/* What of a volumeClaimTemplate of the StatefulSet keeps its pods in place, and is not known here;
 * NULL: nothing. `first` is the name of the first pod. */
const char *claim_template_not_modelled(struct arena *arena, const struct objects *objects,
                                        const struct object *stateful_set, const char *first);

/* Does the claim of the workload's generic ephemeral volume of this name come to a place of its
 * own, other than the zone of its pod's node? `zones_differ`: of the nodes. */
bool ephemeral_has_place(const struct objects *objects, const struct object *workload,
                         const char *volume, bool zones_differ);

/* Does the StatefulSet delete claims when it gets smaller? */
bool stateful_set_deletes_claims(const struct object *stateful_set);

#endif
