/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Requested and allocatable amounts of the resources that a score looks at.
 *
 * Shared by NodeResourcesFit, which counts a container without a request as
 * 100m and 200 MiB, and NodeResourcesBalancedAllocation, which counts it as
 * nothing. Mirrors noderesources/resource_allocation.go @ v1.26.15.
 */
#ifndef FATHOM_DECIDE_SCHEDULER_RESOURCE_SCORE_H
#define FATHOM_DECIDE_SCHEDULER_RESOURCE_SCORE_H

#include "decide/scheduler/plan.h"

struct scored_resource {
    enum { SCORED_CPU, SCORED_MEMORY, SCORED_EPHEMERAL_STORAGE, SCORED_SCALAR } kind;
    uint32_t resource; /* scalar ones */
    int64_t weight;
    int64_t request;  /* of the incoming pod */
    uint32_t counter; /* what the pods of a node request */
};

struct scored_resources {
    struct scored_resource *items; /* a scalar resource only if the pod requests it */
    uint32_t count;
    bool nonzero;
};

struct scored_resources *
resource_score_prepare(struct plan *plan, const struct resource_weights *weights, bool nonzero);
void resource_score_relate(const struct scored_resources *resources, const struct pod_shape *pod,
                           int64_t *counters);

/* The node's allocatable amount; 0: the resource does not take part. */
int64_t resource_score_allocatable(const struct scored_resource *resource,
                                   const struct node_template *template);

/* What others hold of the resource, at most. */
int64_t resource_score_beside(const struct scored_resource *resource, const struct beside *beside);
/* The same, at least. */
int64_t resource_score_at_least(const struct scored_resource *resource,
                                const struct beside *beside);

/* What plugins that go by resources read: those that pods request, and any that a
 * profile's arguments may name. */
extern const struct plugin_reads resource_reads;

#endif
