/* SPDX-License-Identifier: Apache-2.0 */
#ifndef FATHOM_DECIDE_AUTOSCALER_ESTIMATOR_H
#define FATHOM_DECIDE_AUTOSCALER_ESTIMATOR_H

#include "decide/autoscaler/autoscaler.h"

/* How many new nodes of the option's group its pods need. The pods that find no place on new nodes
 * leave the option. */
void estimate_nodes(struct cluster_autoscaler *autoscaler, struct scale_option *option);

#endif
