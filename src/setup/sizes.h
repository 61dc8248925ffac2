/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Which numbers of replicas of a workload are explored with which nodes.
 *
 * With `mode: exact` all that its range has. Incremental scaling leaves sizes out, and
 * the report says which (sizes_left_out):
 *
 *   - Pods that fit on no node only wait, and one waiting pod has the same effect as
 *     many. So all sizes are explored up to one more than fits, and a rollout's surge
 *     beyond that (and the few that suffice for one node, which cost nothing).
 *   - With fewer nodes than there may be, no more pods per node than the sufficient scale
 *     has: known failures showed with no more (the Kivi paper, section 4.2.3). With the
 *     most nodes only a sufficient scale that the Check gives counts.
 *   - Neither is a proof where a rule counts pods. So the sizes at the numbers of such
 *     rules (size_marks.h) are explored beyond these bounds, and in any case the least of
 *     the range.
 */
#ifndef FATHOM_SETUP_SIZES_H
#define FATHOM_SETUP_SIZES_H

#include "base/vec.h"
#include "setup/setup.h"

struct sizes {
    int32_t least;
    int32_t dense;    /* every size from the least to here ... */
    int32_t *further; /* ... and these, rising */
    uint32_t further_count;
    int64_t fitting; /* pods that the nodes hold, were the workload alone */
    bool by_scale;   /* the sufficient scale is the bound, not what fits */
};

struct sizing_workload {
    VEC(const struct object *) versions; /* as it is, and as it is applied later */
    int64_t *fitting;                    /* pods on one node, by group */
    struct sizes sizes;                  /* with the nodes of sizing_choose */
};

struct sizing {
    const struct scope *scope;
    struct sizing_workload *workloads;
};

void sizing_init(struct arena *arena, const struct scope *scope, struct sizing *sizing);
void sizing_choose(struct sizing *sizing, const int32_t *nodes);

/* The first choice of numbers of nodes, and the next one; false: there is none. */
void nodes_choose_first(const struct scope *scope, int32_t *nodes);
bool nodes_choose_next(const struct scope *scope, int32_t *nodes);

/* The bounds of its autoscaler with so many replicas; 0 if it has none. */
struct autoscaler_bounds {
    int32_t least;
    int32_t most;
};
struct autoscaler_bounds sizing_bounds(const struct sizing *sizing, uint32_t workload,
                                       int32_t replicas);

/* What is not explored, and what autoscalers do not do: a sentence each for the report. */
struct string_list sizes_left_out(struct arena *arena, const struct scope *scope);

#endif
