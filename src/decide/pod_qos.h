/* SPDX-License-Identifier: Apache-2.0 */
/* The quality of service class of a pod, as its requests and limits make it. */
#ifndef FATHOM_DECIDE_POD_QOS_H
#define FATHOM_DECIDE_POD_QOS_H

#include "decide/features.h"
#include "object/pod.h"

enum pod_qos { POD_BEST_EFFORT, POD_BURSTABLE, POD_GUARANTEED };

enum pod_qos pod_qos_of(const struct features *features, const struct pod_spec *spec);

#endif
