/* SPDX-License-Identifier: Apache-2.0 */
/* The templates of all pods that controllers of a scope can make: those of its workloads, and those
 * that events bring. */
#ifndef FATHOM_SETUP_TEMPLATE_WALK_H
#define FATHOM_SETUP_TEMPLATE_WALK_H

#include "setup/setup.h"

struct template_walk {
    const struct scope *scope;
    uint32_t event; /* 0: the workload's own templates; otherwise those of event - 1 */
    uint32_t item;

    /* ---- where it is ---- */

    const struct pod_template *template;
    const struct object *object; /* that has it */
    uint32_t workload;           /* whose pods they are; UINT32_MAX: not known */
};

static inline struct template_walk templates_of(const struct scope *scope)
{
    return (struct template_walk){.scope = scope};
}

/* False: there is no more. */
bool templates_next(struct template_walk *walk);

/* Do controllers give this label to their pods, whatever the template says? */
bool label_is_of_controllers(const char *key);

#endif
