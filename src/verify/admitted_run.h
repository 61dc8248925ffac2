/* SPDX-License-Identifier: Apache-2.0 */
/* Runs of models in which a silent webhook may refuse steps that the model takes
 * (population_findings.webhooks_refuse). */
#ifndef FATHOM_VERIFY_ADMITTED_RUN_H
#define FATHOM_VERIFY_ADMITTED_RUN_H

#include "cluster/population.h"
#include "explore/explore.h"

/* Does the run violate the property whatever such webhooks refuse? The words of the path are those
 * of the worker. */
bool is_admitted_run(struct worker *worker, const struct property *property,
                     const struct run_path *path);

#endif
