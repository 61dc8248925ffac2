/* SPDX-License-Identifier: Apache-2.0 */
/* The HorizontalPodAutoscaler, one sync at rest. */
#ifndef FATHOM_CLUSTER_ACTOR_STEP_AUTOSCALERS_H
#define FATHOM_CLUSTER_ACTOR_STEP_AUTOSCALERS_H

#include "cluster/forward.h"
#include "decide/controller/hpa.h"

struct hpa_input;

/* What it would do, and what it saw. */
struct hpa_decision autoscaler_decide(struct worker *worker, const struct state *state,
                                      const struct autoscaler *autoscaler, struct hpa_input *input);

#endif
