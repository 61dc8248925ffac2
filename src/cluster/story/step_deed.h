/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What a step does, whichever pod or node it is done to: which action, for which workload, and
 * whether a number of replicas goes up or down by it. Two models of one cluster can be asked
 * whether the same can be done in both.
 */
#ifndef FATHOM_CLUSTER_STORY_STEP_DEED_H
#define FATHOM_CLUSTER_STORY_STEP_DEED_H

#include "cluster/forward.h"

#include <stdbool.h>
#include <stdint.h>

enum deed_change { DEED_RAISES = 1 << 0, DEED_LOWERS = 1 << 1 };

struct step_deed {
    uint32_t action;   /* enum population_action */
    uint32_t workload; /* of the scope; UINT32_MAX: none, or several */
    unsigned changes;  /* of enum deed_change: the replicas of a workload or of a ReplicaSet */
};

struct step_deed step_deed_tell(const struct story_telling *telling);

/* Of a step from a state of the worker's. */
struct step_deed step_deed_of(struct worker *worker, const uint32_t *words, uint32_t length,
                              const struct step *step);

/* Does a controller of the cluster do something by it: is it no event, no mere remark about the
 * state, no passing of time? */
bool step_deed_is_done(const struct step_deed *deed);
/* Does a pod come nearer to being ready, or a Job begin? */
bool step_deed_brings_pods(const struct step_deed *deed);
/* Do pods, nodes or Jobs leave by it, or fewer of them become wanted? */
bool step_deed_takes_away(const struct step_deed *deed);
/* Does something go wrong, so that nobody would miss it? */
bool step_deed_is_mishap(const struct step_deed *deed);

#endif
