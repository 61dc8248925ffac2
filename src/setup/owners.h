/* SPDX-License-Identifier: Apache-2.0 */
/* Which workload of a scope an object is, or belongs to: a workload itself, a set of its pods, or
 * the autoscaler that targets it. */
#ifndef FATHOM_SETUP_OWNERS_H
#define FATHOM_SETUP_OWNERS_H

#include "setup/setup.h"

/* The first such workload, found by going through all of them; UINT32_MAX: none. */
uint32_t owner_find(const struct scope *scope, const struct object *object);

/* The same for all objects of the scope, by their place among them, in time linear in objects and
 * workloads. */
const uint32_t *owners_find(struct arena *arena, const struct scope *scope);

#endif
