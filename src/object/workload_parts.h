/* SPDX-License-Identifier: Apache-2.0 */
/* What the kinds that make pods have in common, for their files. Paths are
 * those of the workload's spec. */
#ifndef FATHOM_OBJECT_WORKLOAD_PARTS_H
#define FATHOM_OBJECT_WORKLOAD_PARTS_H

#include "object/schemas.h"
#include "object/workload.h"

extern const struct schema job_spec_schema;

/* What the API server fills in; a Job without a name, which is that of a CronJob's template, gets
 * no selector. */
void job_set_defaults(struct arena *arena, void *object);
/* `path` is that of the Job or of the template of one. */
void job_spec_validate(struct reading *reading, const struct path *path, const struct job *job);

/* A template of pods that run until they are deleted: labels, spec, restart
 * policy Always, no deadline. */
void service_template_validate(struct reading *reading, const struct path *path,
                               const struct pod_template *template);
/* The same for pods of any restart policy. */
void template_validate(struct reading *reading, const struct path *path,
                       const struct pod_template *template);

/* Reports a selector that is empty or does not match the template's labels. */
void workload_selector_validate(struct reading *reading, const struct path *path,
                                const struct label_selector *selector,
                                const struct pod_template *template);

/* More than 100 % is refused where it would mean more pods than there are. */
void percent_most_validate(struct reading *reading, const struct path *path,
                           struct int_or_percent value);

/* Reports a mapping of another strategy than the chosen one. */
void strategy_forbids(struct reading *reading, const struct path *path, const char *strategy);

/* Policies of a Job. */
extern const struct schema pod_failure_policy_schema;
extern const struct schema success_policy_schema;

#endif
