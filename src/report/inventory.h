/* SPDX-License-Identifier: Apache-2.0 */
/* What was understood of manifests: every object, and what they ask for and offer in all. */
#ifndef FATHOM_REPORT_INVENTORY_H
#define FATHOM_REPORT_INVENTORY_H

#include "report/describe_object.h"
#include "setup/hints.h"

struct inventory {
    struct catalog *catalog;
    const struct problems *problems;
    struct description *items;
    uint32_t count;
    uint32_t modelled;
    uint32_t daemon_sets; /* whose pods depend on the nodes, and are not counted */
    uint32_t nodes;
    struct amounts offered; /* by all nodes */
    int64_t pods;           /* of what is not owned by something else */
    struct amounts asked;
    struct hints hints;
};

struct inventory inventory_take(struct arena *arena, const struct objects *objects,
                                const struct problems *problems);

#endif
