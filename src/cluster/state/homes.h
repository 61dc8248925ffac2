/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Volumes that stay where they are (setup/claim_places.h). Each claim of this kind has a word of
 * the state's notes: its place, plus one; 0: it has no volume yet. A place is
 *
 *   a zone           below zones.count: the volume was made there
 *   a kind of given volumes   behind the zones: the claim is bound to one of them, which nobody
 *                    else gets then
 *   anywhere         the last one, if there may be such: the volume was made by a provisioner of
 * which it is not known from where its volumes can be reached
 *
 * The first node that a pod with the claim comes to decides, or, if the claim is bound at once, the
 * controller of volumes does, which does not look at pods (actor/step_volumes.c).
 */
#ifndef FATHOM_CLUSTER_STATE_HOMES_H
#define FATHOM_CLUSTER_STATE_HOMES_H

#include "cluster/state/state.h"
#include "setup/claim_places.h"

struct volume_kind {
    VEC(const struct persistent_volume *) volumes; /* all alike */
};

struct home {
    const struct claim_place *place;
    uint32_t revision; /* the first one whose pods have the claim */
    uint32_t kinds;    /* of given volumes, as bits */
    uint64_t zones;    /* in which its class lets volumes be made, as bits; 0: in any */
    bool elsewhere;    /* true if a volume may be made that is in no zone that is known */
};

/* Where the volume of pods of the revision is, plus one; 0: they have none that stays, or there is
 * none yet. */
uint32_t home_place(const struct population *population, const struct state *state,
                    uint32_t revision);

/* So many places there are. */
uint32_t home_place_count(const struct population *population);

/* The class of a pod of the revision that waits for a node, with its volume where it is, or with
 * those that its claim can be bound to now. */
uint32_t home_class(const struct population *population, const struct state *state,
                    uint32_t revision);

/* The places that the volume gets when a pod of the revision comes to a node of this config, each
 * plus one, in the worker's scratch; their number. 0: nothing changes. */
uint32_t home_choices(struct worker *worker, const struct state *state, uint32_t revision,
                      uint32_t config, uint32_t **choices);

/* Likewise of a claim that is bound at once. */
uint32_t home_choices_at_once(struct worker *worker, const struct state *state, uint32_t home,
                              uint32_t **choices);

/* Do pods of the revision have to wait until a claim is bound at once? */
bool home_is_awaited(const struct population *population, uint32_t revision);

#endif
