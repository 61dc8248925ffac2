/* SPDX-License-Identifier: Apache-2.0 */
/* From a ServiceObjective and the objects beside it to the service in numbers. */
#ifndef FATHOM_SLO_RESOLVE_H
#define FATHOM_SLO_RESOLVE_H

#include "base/vec.h"
#include "object/object.h"
#include "object/service_objective.h"
#include "slo/slo.h"

/* What was rounded, assumed or left out, in sentences. */
struct slo_notes {
    const char **items;
    uint32_t count;
    uint32_t capacity;
};

struct slo_resolving {
    struct arena *arena;
    const struct object *object; /* the ServiceObjective */
    const struct objects *objects;
    const struct features *features; /* of Kubernetes' version */
    struct slo_notes *notes;
    struct problems *problems;
};

/* False, with problems at the places that are to blame, if it cannot be asked. */
bool slo_resolve(const struct slo_resolving *resolving, struct slo_service *service);

/* Where a field ("spec.load") of an object is written, or what is around it. */
struct place slo_field_place(const struct object *object, const char *field);
/* A problem at a field of the ServiceObjective: `field` as "spec.load". */
__attribute__((format(printf, 3, 4))) void slo_resolve_error(const struct slo_resolving *resolving,
                                                             const char *field, const char *format,
                                                             ...);

/* resolve_load.c */
bool slo_resolve_load(const struct slo_resolving *resolving, struct slo_load *load);
/* The bound on the response time, in milliseconds; 0: a bound on queues is given. */
int64_t slo_resolve_response_ms(const struct slo_resolving *resolving);
/* How many requests may wait at a pod, and how many it handles in a second. */
bool slo_resolve_queue(const struct slo_resolving *resolving, struct slo_service *service);

#endif
