/* SPDX-License-Identifier: Apache-2.0 */
#ifndef FATHOM_DECIDE_AUTOSCALER_SCALE_UP_H
#define FATHOM_DECIDE_AUTOSCALER_SCALE_UP_H

#include "decide/autoscaler/autoscaler.h"

/* Grows the group that helps the pods best. */
void scale_up(struct cluster_autoscaler *autoscaler, const pod_list *pods);

/* Grows groups that are smaller than their minimum. */
void scale_up_to_min_size(struct cluster_autoscaler *autoscaler);

#endif
