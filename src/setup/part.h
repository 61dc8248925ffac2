/* SPDX-License-Identifier: Apache-2.0 */
/* A part of a scope: some of its workloads with all that belongs to them, on the same nodes. */
#ifndef FATHOM_SETUP_PART_H
#define FATHOM_SETUP_PART_H

#include "setup/setup.h"

struct scope_part {
    struct scope scope;
    struct check check;        /* the scope's, if there is one */
    const uint32_t *workloads; /* by workload of the part: its number in the whole scope */
    const uint32_t *events;    /* by event of the part: likewise */
};

/* The part with the workloads w for which `in[w]` is true. Events about other workloads are left
 * out. Runs that begin with a certain placement begin with any that the part can come to. */
void scope_part(struct arena *arena, const struct scope *scope, const bool *in,
                struct scope_part *part);
/* Does the object belong to workloads of the part, and not to every part? */
bool scope_part_owns(const struct scope_part *part, const struct object *object);
/* What is left of a setup in the part. */
const struct setup *setup_part(struct arena *arena, const struct scope_part *part,
                               const struct setup *setup);

#endif
