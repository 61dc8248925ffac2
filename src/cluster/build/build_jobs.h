/* SPDX-License-Identifier: Apache-2.0 */
/* Jobs with policies (state/job_rules.h). */
#ifndef FATHOM_CLUSTER_BUILD_BUILD_JOBS_H
#define FATHOM_CLUSTER_BUILD_BUILD_JOBS_H

#include "cluster/forward.h"
#include "object/meta.h"

#include <stdint.h>

struct features;
struct job;

/* The rules of a Job with so many completions, as this version of Kubernetes honours them; NULL: it
 * has no policy that is honoured. */
struct job_rules *job_rules_make(struct arena *arena, const struct features *features,
                                 const struct job *job, struct optional_int completions);

/* Gives the Jobs their notes, from this one on; gives the next that is free. */
uint32_t number_job_notes(struct population *population, uint32_t first);

#endif
