/* SPDX-License-Identifier: Apache-2.0 */
/* For checks whether the model can do what a Check asks for: where problems are reported, and
 * whether what the Check names is there. */
#ifndef FATHOM_CLUSTER_ASK_SUPPORT_H
#define FATHOM_CLUSTER_ASK_SUPPORT_H

#include "base/error.h"
#include "cluster/forward.h"
#include "setup/setup.h"

struct object_name;
struct setup_group;

struct support {
    struct arena *arena; /* of the problems */
    const struct scope *scope;
    const struct object *check; /* the Check's object; NULL: there is none */
    struct problems *problems;
};

/* The workload of this name; UINT32_MAX: there is none. */
uint32_t workload_named(const struct scope *scope, const struct object_name *name);
/* Reports a workload that is named but is not there. */
void support_workload(const struct support *support, struct place place,
                      const struct object_name *name);
/* The node group, or the Node object, of this name; NULL: there is none. */
const struct setup_group *support_group(const struct support *support, const char *name);
/* Does any node have the label, with this value if it is given? */
bool support_has_label(const struct support *support, const char *key, const char *wanted);

#endif
