/* SPDX-License-Identifier: Apache-2.0 */
/* What the world may do: the events of the Check, and what they concern. */
#ifndef FATHOM_CLUSTER_STATE_EVENTS_H
#define FATHOM_CLUSTER_STATE_EVENTS_H

#include "base/vec.h"
#include "object/check.h"

struct check_event;
struct event_type;
struct population;
struct population_state;

struct apply_effect {
    uint32_t spec;         /* of the workload's `specs` */
    bool gives_replicas;   /* the manifest has the field */
    bool changes_replicas; /* or takes back what was applied before */
    int32_t replicas;
    uint32_t revision; /* the workload's present one afterwards */
    bool differs;      /* from what the manifests gave it in the beginning */
    uint32_t workload;
};

struct population_event {
    const struct check_event *event;
    const struct event_type *type; /* of its kind (event/event.h) */
    uint32_t workload;             /* UINT32_MAX: none */
    uint32_t first_level;          /* of a CPU change or load: where its levels or totals begin */
    VEC(struct apply_effect) effects;
};

#endif
