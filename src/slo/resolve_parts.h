/* SPDX-License-Identifier: Apache-2.0 */
/* What resolve.c and resolve_hpa.c have in common. */
#ifndef FATHOM_SLO_RESOLVE_PARTS_H
#define FATHOM_SLO_RESOLVE_PARTS_H

#include "slo/resolve.h"

/* ---- resolve_field.c ---- */

/* Where a field ("spec.load") of an object is written, or what is around it. */
struct place slo_field_place(const struct object *object, const char *field);
/* A problem at a field of the ServiceObjective: `field` as "spec.load". */
__attribute__((format(printf, 3, 4))) void slo_resolve_error(const struct slo_resolving *resolving,
                                                             const char *field, const char *format,
                                                             ...);

/* ---- resolve_load.c ---- */

bool slo_resolve_load(const struct slo_resolving *resolving, struct slo_load *load);

/* ---- resolve_queue.c ---- */

/* The bound on the response time, in milliseconds; 0: a bound on queues is given. */
int64_t slo_resolve_response_ms(const struct slo_resolving *resolving);
/* How many requests may wait at a pod, and how many it handles in a second. */
bool slo_resolve_queue(const struct slo_resolving *resolving, struct slo_service *service);

#endif
