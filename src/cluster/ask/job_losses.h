/* SPDX-License-Identifier: Apache-2.0 */
/* Pods that Jobs with policies lose by a step, and what their policies make of it
 * (state/job_rules.h): there may be several outcomes, by the exit codes. */
#ifndef FATHOM_CLUSTER_ASK_JOB_LOSSES_H
#define FATHOM_CLUSTER_ASK_JOB_LOSSES_H

#include "base/vec.h"
#include "cluster/forward.h"
#include "cluster/state/actions.h"

#include <stdbool.h>
#include <stdint.h>

/* Pods of one revision that are lost in one way. */
struct job_lost {
    uint32_t revision;
    uint32_t count;
    unsigned matches;    /* that are possible */
    uint32_t counted[4]; /* so many of them count as losses, are ignored, fail their index, or fail
                            the Job */
    bool leaves;         /* true if the pods stay as objects */
};

struct job_losses {
    VEC(struct job_lost) items;
};

/* The pods that Jobs with policies have in `state` and not in `next`, in the worker's scratch
 * space. */
struct job_losses job_losses_between(struct worker *worker, const struct state *state,
                                     const struct state *next, enum population_action action);

/* Fills in `counted` in every way that is possible. */
void job_losses_each(struct job_losses *losses, void (*visit)(void *context), void *context);

/* Writes what was counted into the statuses and notes of `next`. */
void job_losses_count(const struct population *population, const struct job_losses *losses,
                      struct state *next);

#endif
