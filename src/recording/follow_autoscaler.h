/* SPDX-License-Identifier: Apache-2.0 */
/* What following autoscalers is made of (follow_autoscaler.c, follow_samples.c). */
#ifndef FATHOM_RECORDING_FOLLOW_AUTOSCALER_H
#define FATHOM_RECORDING_FOLLOW_AUTOSCALER_H

#include "object/autoscaler.h"
#include "recording/follow_internal.h"

/* The autoscaler of what the deed scales; NULL: there is none. */
const struct horizontal_pod_autoscaler *autoscaler_of(const struct glimpse *glimpse,
                                                      const struct deed *deed);

/* The cluster as it was when the metrics API answered, with the answer: the pods
 * as of one commit, the rest as of another. */
bool autoscaler_see(struct follower *follower, const struct metrics_answer *answer, int64_t pods,
                    int64_t rest, struct glimpse *glimpse);

#endif
