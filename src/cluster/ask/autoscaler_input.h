/* SPDX-License-Identifier: Apache-2.0 */
/* HorizontalPodAutoscalers: what they see, and what they decide. */
#ifndef FATHOM_CLUSTER_ASK_AUTOSCALER_INPUT_H
#define FATHOM_CLUSTER_ASK_AUTOSCALER_INPUT_H

#include "cluster/forward.h"
#include "decide/controller/hpa.h"

struct horizontal_pod_autoscaler;

struct autoscaler {
    const struct horizontal_pod_autoscaler *object;
    uint32_t workload; /* its target */
    int32_t min_replicas;
    int32_t max_replicas;
    bool is_alone; /* true if nothing else changes the target's replicas */
    bool *selects; /* by revision: does the target's selector find its pods? */
};

/* What one sync would see; lives in the scratch arena. */
struct hpa_input autoscaler_input(struct worker *worker, const struct state *state,
                                  const struct autoscaler *autoscaler);

/* The same without the pods that it sees, and as if no other autoscaler saw them. */
struct hpa_input autoscaler_input_of_target(struct worker *worker, const struct state *state,
                                            const struct autoscaler *autoscaler);

/* Does the autoscaler leave the replicas alone whatever happens? Each pod that is ready uses what
 * is within the tolerance of the target, always, and the replicas are within their bounds. Any
 * mixture of such pods is within the tolerance, too. What is assumed of pods without samples never
 * speaks for the direction in which the samples point: it brings the ratio back, or to the other
 * side, and both changes nothing. This is so for utilization only. */
bool autoscaler_is_calm(struct worker *worker, const struct autoscaler *autoscaler);

#endif
