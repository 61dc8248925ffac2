/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What Kubernetes' admission does to pods when they are created, as far as it
 * takes several objects to know: priorities from PriorityClass objects, limits
 * and requests from LimitRange objects, and the tolerations that let pods stay
 * on a failing node for five minutes.
 *
 * Admission applies to pods and to the templates of workloads, since the pods
 * made from a template pass through it as well. A DaemonSet's pods get their
 * tolerations from its controller.
 */
#ifndef FATHOM_OBJECT_ADMISSION_H
#define FATHOM_OBJECT_ADMISSION_H

#include "object/object.h"

struct admission_options {
    bool no_default_tolerations;
    int64_t not_ready_seconds; /* 0 means the default, 300 */
    int64_t unreachable_seconds;
};

/* Called once, when all objects have been read. False if a pod would be refused. */
bool objects_admit(struct arena *arena, struct objects *objects,
                   const struct admission_options *options, struct problems *problems);

/* An object is admitted only into a namespace that exists: adds the Namespace
 * objects that none was given for. */
void objects_add_namespaces(struct arena *arena, struct objects *objects);

/* The same for objects that come to a cluster later: its classes and limit
 * ranges count for them, too. */
bool objects_admit_into(struct arena *arena, struct objects *objects, const struct objects *cluster,
                        const struct admission_options *options, struct problems *problems);

#endif
