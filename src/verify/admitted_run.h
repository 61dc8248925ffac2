/* SPDX-License-Identifier: Apache-2.0 */
/* Runs of models in which a silent webhook may refuse steps that the model takes
 * (population_findings.webhooks_refuse, webhooks_refuse_users). */
#ifndef FATHOM_VERIFY_ADMITTED_RUN_H
#define FATHOM_VERIFY_ADMITTED_RUN_H

#include "cluster/population.h"
#include "explore/explore.h"

/* Was some step possible that such a webhook may refuse? */
static inline bool steps_are_refused(const struct population_findings *findings)
{
    return findings->webhooks_refuse || findings->webhooks_refuse_users;
}

/* Does the run violate the property whatever such webhooks refuse? The words of the path are those
 * of the worker. */
bool is_admitted_run(struct worker *worker, const struct population_findings *findings,
                     const struct property *property, const struct run_path *path);

#endif
