/* SPDX-License-Identifier: Apache-2.0 */
/* A scope while it is built, for the files that build it. */
#ifndef FATHOM_SETUP_SCOPE_BUILDING_H
#define FATHOM_SETUP_SCOPE_BUILDING_H

#include "base/vec.h"
#include "setup/setup.h"

struct scope_building {
    struct arena *arena;
    struct scope *scope;
    const struct scope_options *options;
    struct problems *problems;
    VEC(struct setup_group) groups;
    VEC(struct setup_workload) workloads;
    VEC(const char *) assumptions;
    struct string_list volume_limits; /* volume_limits.h */
    bool takes_nodes; /* some group leaves it to the options how many nodes it has */
};

/* The Node objects, the groups of the Check, or some nodes if neither gives any. What is
 * read of nodes is known. */
void scope_add_groups(struct scope_building *building);

#endif
