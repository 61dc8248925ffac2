/* SPDX-License-Identifier: Apache-2.0 */
/* The events of the Check, as the model has them. */
#ifndef FATHOM_CLUSTER_STATE_EVENTS_H
#define FATHOM_CLUSTER_STATE_EVENTS_H

#include "base/vec.h"
#include "cluster/forward.h"
#include "object/check.h"

struct apply_effect {
    uint32_t spec;         /* which of the workload's `specs` holds afterwards */
    bool gives_replicas;   /* true if the manifest has the field */
    bool changes_replicas; /* true if it has, or takes back what was applied before */
    int32_t replicas;
    uint32_t revision; /* the workload's present one afterwards */
    bool differs;      /* true if the workload differs afterwards from what it was at the start */
    uint32_t workload;
};

struct population_event {
    uint32_t number; /* in the list of the population */
    const struct check_event *event;
    const struct event_type *type;           /* of its kind (event/event.h) */
    const struct event_condition *condition; /* NULL: it may come anywhere (event_conditions.h) */
    uint32_t workload;                       /* UINT32_MAX: none */
    bool uncounted;                          /* true if states only say whether it has come */
    bool lost_together;   /* true if it makes no difference which of the nodes that it takes
                             has which pods */
    uint32_t first_level; /* of a CPU change or load: where its levels or totals begin */
    VEC(struct apply_effect) effects;
};

#endif
