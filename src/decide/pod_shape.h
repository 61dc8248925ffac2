/* SPDX-License-Identifier: Apache-2.0 */
/* How a pod becomes a shape: for the catalog, and for plugins that need the same arithmetic. */
#ifndef FATHOM_DECIDE_POD_SHAPE_H
#define FATHOM_DECIDE_POD_SHAPE_H

#include "decide/view.h"

/* Without a number; the catalog gives it one. */
struct pod_shape *pod_shape_create(struct catalog *catalog, const struct pod *pod);

/* Extended resources, huge pages, attachable volumes: counted in whole units. */
bool resource_is_scalar(const char *name);

/* Adds each resource of the list; what the scheduler does not count is skipped. */
void amounts_add_list(struct catalog *catalog, struct amounts *amounts,
                      const struct resource_list *list);

/* The selector with the requirement `key in (value)` for each key that the labels have. */
const struct label_selector *selector_with_label_keys(struct catalog *catalog,
                                                      const struct label_selector *selector,
                                                      const struct string_list *keys,
                                                      const struct labels *labels);

#endif
