/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Jobs with policies (podFailurePolicy, podReplacementPolicy, backoffLimitPerIndex, successPolicy),
 * as far as the version of Kubernetes honours them. What the model knows of them beyond other
 * Jobs:
 *
 *   ends      A Job that replaces only failed pods looks at a pod when it has ended. How a pod came
 *             to terminate (enum pod_end) is the level of its class meanwhile.
 *   matches   What the first rule that matches says of a pod that was lost in some way (enum
 *             job_loss): the environment chooses the exit code, so there may be several answers.
 *   indexes   Pods are told apart by the kind of their index and by how often the index has failed:
 *             each such pair is a revision of the Job. Indexes are of one kind if the same rules of
 *             the success policy list them. Nothing else reads an index, except that a Job takes
 *             the lowest that is free: as its parallelism stays as it is, those that it has begun
 *             with are always the first ones, so it is known of which kind the next one is.
 *
 * A state's notes have, for each Job that tracks indexes: how many indexes it has begun with, and
 * by kind how many succeeded, how many failed, and how many have no pod now and are tried again,
 * by their failures. When the Job is over all are 0.
 */
#ifndef FATHOM_CLUSTER_STATE_JOB_RULES_H
#define FATHOM_CLUSTER_STATE_JOB_RULES_H

#include "cluster/state/population_model.h"
#include "cluster/state/state.h"
#include "cluster/state/workloads.h"

#include <stdbool.h>
#include <stdint.h>

/* Ways to lose a pod, by what its status says then. */
enum job_loss {
    LOSS_FAILED,    /* a container failed, with any exit code */
    LOSS_REJECTED,  /* nothing but its phase: its kubelet rejected it, or it never got a node */
    LOSS_DISRUPTED, /* the condition DisruptionTarget, and the exit codes of killed containers */
    LOSS_DELETED,   /* such exit codes */
    LOSS_ORPHANED,  /* the condition: its node is gone */
    JOB_LOSS_COUNT
};

enum { JOB_VARIANTS_MOST = 128 };

struct job_rules {
    bool waits_for_ends;  /* true if pods that terminate count when they have ended */
    bool ends_alike;      /* true if it makes no difference who else told a pod to end */
    bool counts_failures; /* true if the Job as a whole has a limit of failures */
    unsigned matches[JOB_LOSS_COUNT]; /* bits of enum job_match */

    bool tracks;            /* true if indexes are told apart; the rest is of such Jobs */
    bool limits;            /* true if each index has a limit of failures, */
    uint32_t failures_most; /* which is this; 0 without */
    uint32_t kind_count;    /* of indexes */
    const uint32_t *kinds;  /* by index */
    uint32_t first_note;    /* of a state */
};

/* The kinds of pods that a Job with such rules has. */
static inline uint32_t job_variants(const struct job_rules *rules)
{
    return rules->kind_count * (rules->failures_most + 1);
}

static inline uint32_t job_note_count(const struct job_rules *rules)
{
    return rules->tracks ? 1 + rules->kind_count * (rules->failures_most + 3) : 0;
}

/* ---- the notes of a state ---- */

static inline uint32_t *job_begun(const struct job_rules *rules, struct state *state)
{
    return &state->notes[rules->first_note];
}

static inline uint32_t *job_note_of_kind(const struct job_rules *rules, struct state *state,
                                         uint32_t kind, uint32_t number)
{
    return &state->notes[rules->first_note + 1 + kind * (rules->failures_most + 3) + number];
}

static inline uint32_t *job_done(const struct job_rules *rules, struct state *state, uint32_t kind)
{
    return job_note_of_kind(rules, state, kind, 0);
}

static inline uint32_t *job_given_up(const struct job_rules *rules, struct state *state,
                                     uint32_t kind)
{
    return job_note_of_kind(rules, state, kind, 1);
}

/* The indexes of a variant that have no pod and are tried again. */
static inline uint32_t *job_idle(const struct job_rules *rules, struct state *state,
                                 uint32_t variant)
{
    const uint32_t failures = rules->failures_most + 1;
    return job_note_of_kind(rules, state, variant / failures, 2 + variant % failures);
}

/* Nothing is known of its indexes any more. */
static inline void job_forget_indexes(const struct job_rules *rules, struct state *state)
{
    for (uint32_t i = 0; i < job_note_count(rules); i++)
        state->notes[rules->first_note + i] = 0;
}

#endif
