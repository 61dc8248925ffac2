/* SPDX-License-Identifier: Apache-2.0 */
/* HorizontalPodAutoscalers: what they see, and what they decide. */
#ifndef FATHOM_CLUSTER_ASK_AUTOSCALERS_H
#define FATHOM_CLUSTER_ASK_AUTOSCALERS_H

#include "decide/controller/hpa.h"

struct population;
struct population_state;

struct autoscaler {
    const struct horizontal_pod_autoscaler *object;
    uint32_t workload; /* its target */
    int32_t min_replicas;
    int32_t max_replicas;
    bool *selects; /* by revision: does the target's selector find its pods? */
};

/* ---- autoscaler_input.c ---- */
/* What one sync would see; lives in the scratch arena. */
struct hpa_input autoscaler_input(struct population *population,
                                  const struct population_state *state,
                                  const struct autoscaler *autoscaler);

/* ---- step_autoscalers.c ---- */
/* What it would do, and what it saw. */
struct hpa_decision autoscaler_decide(struct population *population,
                                      const struct population_state *state,
                                      const struct autoscaler *autoscaler, struct hpa_input *input);

#endif
