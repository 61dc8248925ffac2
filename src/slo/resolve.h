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

#endif
