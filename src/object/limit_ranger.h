/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What the admission plugin LimitRanger does to a new pod: it fills in limits and requests from
 * the LimitRanges of the namespace, and refuses a pod that is outside of their bounds.
 */
#ifndef FATHOM_OBJECT_LIMIT_RANGER_H
#define FATHOM_OBJECT_LIMIT_RANGER_H

#include "base/vec.h"
#include "object/policy.h"

typedef VEC(const char *) limit_messages;

/* Fills in what the containers do not say, and gives the annotation about it; NULL: nothing was
 * filled in. */
const char *limit_range_complete(struct arena *arena, const struct limit_range *range,
                                 struct pod_spec *spec);

/* Adds what is wrong with the pod, as the API server words it; nothing: the range admits it. */
void limit_range_judge(struct arena *arena, const struct limit_range *range,
                       const struct pod_spec *spec, enum pod_totals rule, limit_messages *messages);

/* The same for the requests of a PersistentVolumeClaim. */
void limit_range_judge_claim(struct arena *arena, const struct limit_range *range,
                             const struct resource_list *requests, limit_messages *messages);

/* Adds the containers whose requests exceed their limits once both are filled in: the API server
 * refuses such a pod as invalid. */
void pod_requests_judge(struct arena *arena, const struct pod_spec *spec, limit_messages *messages);

#endif
