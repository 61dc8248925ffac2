/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What controllers remember, without clocks, and what they wrote that may be outdated.
 *
 *   autoscaler a   the highest number of replicas that it recommended and that may count still; 0:
 *                  none. Only what is more than the workload has is kept, unless somebody else may
 *                  change its replicas. With INTERLEAVING_FULL, too: whether its workload's
 *                  controller has not seen yet what it wrote last (ask/seen_writes.h)
 *   budget b       with options.budgets_lag: its status as the disruption controller wrote it last,
 *                  less what was evicted since (ask/budgets.h)
 *   revision r     with options.sets_lag: how many pods its ReplicaSet believes to have, if that is
 *                  more than there are; 0: as many as there are (ask/set_views.h)
 *   tries          a bit a revision, 32 to a word: the scheduler has tried a pod of it that still
 *                  waits, so that the pod may be in the back-off queue. Only where priorities
 *                  differ: otherwise any pod may be next
 */
#ifndef FATHOM_CLUSTER_STATE_NOTES_H
#define FATHOM_CLUSTER_STATE_NOTES_H

#include "cluster/state/population_model.h"
#include "cluster/state/state.h"
#include "cluster/state/workloads.h"

enum { NOTE_OF_UNSEEN_WRITE = 1U << 30 };

/* The highest recommendation of an autoscaler's note. */
static inline int32_t note_recommended(uint32_t note)
{
    return (int32_t)(note & (NOTE_OF_UNSEEN_WRITE - 1));
}

/* May the status of a budget be outdated? */
static inline bool notes_have_budgets(const struct population *population)
{
    return population->note_of_budgets < population->note_of_views;
}

/* May what ReplicaSets know of their pods be outdated? */
static inline bool notes_have_views(const struct population *population)
{
    return population->note_of_views < population->note_of_tries;
}

static inline bool notes_have_tries(const struct population *population)
{
    return population->note_of_tries < population->note_count;
}

/* Was a pod of the revision tried that waits for a node? */
static inline bool state_was_tried(const struct population *population, const struct state *state,
                                   uint32_t revision)
{
    return state->notes[population->note_of_tries + revision / 32] >> revision % 32 & 1;
}

static inline void state_note_try(const struct population *population, struct state *state,
                                  uint32_t revision)
{
    state->notes[population->note_of_tries + revision / 32] |= 1U << revision % 32;
}

/* Pods that do not wait any more were not tried. */
static inline void state_forget_tries(const struct population *population, struct state *state)
{
    for (uint32_t r = 0; r < population->revisions.count; r++)
        if (state->pending[r] == 0)
            state->notes[population->note_of_tries + r / 32] &= ~(1U << r % 32);
}

#endif
