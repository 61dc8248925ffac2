/* SPDX-License-Identifier: Apache-2.0 */
/* The HorizontalPodAutoscaler, one sync at rest. */
#ifndef FATHOM_CLUSTER_ACTOR_STEP_AUTOSCALERS_H
#define FATHOM_CLUSTER_ACTOR_STEP_AUTOSCALERS_H

#include "decide/controller/hpa.h"

struct autoscaler;
struct hpa_input;
struct population_state;
struct population_worker;

/* What it would do, and what it saw. */
struct hpa_decision autoscaler_decide(struct population_worker *worker,
                                      const struct population_state *state,
                                      const struct autoscaler *autoscaler, struct hpa_input *input);

#endif
