/* SPDX-License-Identifier: Apache-2.0 */
/* Pods as the controllers make them from their templates: names, owners, and the labels by which
 * revisions are told apart. */
#ifndef FATHOM_CLUSTER_BUILD_BUILD_PODS_H
#define FATHOM_CLUSTER_BUILD_BUILD_PODS_H

#include "cluster/forward.h"
#include "cluster/state/workloads.h"

#include <stdbool.h>
#include <stdint.h>

/* Of a pod template: pods that start and never become ready. */
#define ANNOTATION_NEVER_READY "fathom.dev/never-ready"

/* Of a Job's template: what becomes of its pods. */
#define ANNOTATION_OUTCOME "fathom.dev/outcome"

/* The condition Ready of a pod or node, with this status since then. */
struct conditions ready_condition(struct arena *arena, const char *status, int64_t since);
/* Does the template say that its pods never become ready? */
bool template_is_never_ready(const struct pod_template *template);
/* "succeeds", "fails" or "either"; false if the text is none of them. */
bool pod_outcome_parse(const char *text, enum pod_outcome *outcome);
enum pod_outcome template_outcome(const struct pod_template *template);
/* A pod of the workload's template with this number, as its controller makes it. */
struct pod *pod_of_template(struct population *population, uint32_t workload,
                            const struct pod_template *template, uint32_t number, int32_t ordinal);

#endif
