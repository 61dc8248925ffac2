/* SPDX-License-Identifier: Apache-2.0 */
/* What the model does not do with Jobs. */
#ifndef FATHOM_CLUSTER_BUILD_SUPPORTS_JOBS_H
#define FATHOM_CLUSTER_BUILD_SUPPORTS_JOBS_H

#include "cluster/forward.h"

#include <stdint.h>

struct setup_workload;

/* Reports what is not modelled of the Job, of what happens to it, and of what is asked about it. */
void supports_job(const struct scope *scope, const struct setup_workload *workload,
                  const struct check_intent *intents, uint32_t intent_count,
                  struct problems *problems);

#endif
