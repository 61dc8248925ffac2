/* SPDX-License-Identifier: Apache-2.0 */
/* How long a Job waits after failures before it creates the next pod: 10 s, twice as
 * long after each further failure. Mirrors pkg/controller/job/backoff_utils.go @ v1.36.4. */
#ifndef FATHOM_DECIDE_CONTROLLER_JOB_BACKOFF_H
#define FATHOM_DECIDE_CONTROLLER_JOB_BACKOFF_H

#include "decide/features.h"
#include "object/pod.h"

#include <stdbool.h>
#include <stdint.h>

/* Does it still wait, so long after the last of so many failures? */
bool job_backoff_waits(const struct features *features, int64_t failures, int64_t age);

/* When a pod ended: when its last container did, or when it became unready, or was
 * deleted; else its creation. */
int64_t job_pod_finish_time(const struct features *features, const struct pod *pod);

#endif
