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
 *   Job j          what it knows of its indexes, if it tells them apart (job_rules.h)
 *   tries          a bit a revision, 32 to a word: the scheduler has tried a pod of it that still
 *                  waits, so that the pod may be in the back-off queue. Only where priorities
 *                  differ: otherwise any pod may be next
 *   home h         the place of a volume that stays where it is (homes.h)
 *   back-offs      two bits a group of the cluster autoscaler, 16 apart: the provider could not
 *                  create a node of it, so that the group may be kept off still; and no loop has
 *                  come since, so that it is (step_scale_up.c)
 *   templates      a bit a group of the cluster autoscaler: it has seen a node of it, and goes by
 *                  that one from then on, whatever the provider says. Only where the provider says
 *                  something else
 */
#ifndef FATHOM_CLUSTER_STATE_NOTES_H
#define FATHOM_CLUSTER_STATE_NOTES_H

#include "cluster/state/population_model.h"
#include "cluster/state/state.h"
#include "cluster/state/workloads.h"

enum { NOTE_OF_UNSEEN_WRITE = 1U << 30 };

/* The bits of a group that is backed off, and has just been so. */
enum { BACKOFF_GROUPS_MOST = 16 };
#define BACKOFF_OF(group)  (UINT32_C(1) << (group))
#define BACKOFF_NEW(group) (UINT32_C(1) << ((group) + BACKOFF_GROUPS_MOST))
#define BACKOFFS_OLD       ((UINT32_C(1) << BACKOFF_GROUPS_MOST) - 1)

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
    return population->note_of_views < population->note_of_jobs;
}

static inline bool notes_have_tries(const struct population *population)
{
    return population->note_of_tries < population->note_of_homes;
}

static inline bool notes_have_backoffs(const struct population *population)
{
    return population->note_of_backoffs < population->note_of_templates;
}

static inline bool notes_have_templates(const struct population *population)
{
    return population->note_of_templates < population->note_count;
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
