/* SPDX-License-Identifier: Apache-2.0 */
/* Sums of resource lists, as Kubernetes' quotas compute them (apiserver/pkg/quota/v1). All lists
 * are sorted by name, and what is returned is new. */
#ifndef FATHOM_DECIDE_QUOTA_RESOURCE_MATH_H
#define FATHOM_DECIDE_QUOTA_RESOURCE_MATH_H

#include "object/quantity.h"

/* Of each name that either list has. */
struct resource_list resources_add(struct arena *arena, const struct resource_list *a,
                                   const struct resource_list *b);
struct resource_list resources_max(struct arena *arena, const struct resource_list *a,
                                   const struct resource_list *b);

/* a - b, but not below zero. */
struct resource_list resources_less(struct arena *arena, const struct resource_list *a,
                                    const struct resource_list *b);

/* The names of `list` that `names` has, too. */
struct resource_list resources_mask(struct arena *arena, const struct resource_list *list,
                                    const struct resource_list *names);

/* Adds a name, or replaces its quantity. */
void resources_put(struct arena *arena, struct resource_list *list, const char *name,
                   struct quantity quantity);

#endif
