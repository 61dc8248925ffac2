/* SPDX-License-Identifier: Apache-2.0 */
/* CPU and memory that pods use, and what autoscalers make of it. */
#ifndef FATHOM_CLUSTER_STORY_STORY_LOAD_H
#define FATHOM_CLUSTER_STORY_STORY_LOAD_H

#include "cluster/story/story_internal.h"

struct hpa_input;

/* Over the pods with a sample of a metric. */
struct metric_sums {
    int64_t pods;
    int64_t used;      /* in thousandths, as the metrics API has it */
    int64_t requested; /* the same */
};

struct metric_sums story_metric_sums(const struct hpa_input *input, uint32_t metric);

/* Fills in the workload's load, use and metrics. */
void story_load(struct storyteller *teller, const struct state *state, uint32_t workload,
                struct story_workload *told);

#endif
