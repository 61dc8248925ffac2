/* SPDX-License-Identifier: Apache-2.0 */
/* HorizontalPodAutoscalers of the model, with their bounds. */
#ifndef FATHOM_CLUSTER_BUILD_BUILD_AUTOSCALERS_H
#define FATHOM_CLUSTER_BUILD_BUILD_AUTOSCALERS_H

#include "cluster/forward.h"

/* Adds all autoscalers of the workloads; the revisions are known. */
void add_autoscalers(struct population *population, struct problems *problems);
/* Gives the autoscaler the bounds of the setup. */
void autoscaler_resize(const struct population *population, struct autoscaler *autoscaler);

#endif
