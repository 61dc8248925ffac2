/* SPDX-License-Identifier: Apache-2.0 */
/* What the files that look for hints have in common. */
#ifndef FATHOM_SETUP_HINTING_H
#define FATHOM_SETUP_HINTING_H

#include "base/vec.h"
#include "object/workload.h"
#include "setup/hints.h"

struct hinting {
    struct arena *arena;
    const struct objects *objects;
    struct hints found;
};

/* A hint at `path` of the object ("spec.template.spec.tolerations[1]"), or at what comes nearest.
 */
void hint_add(struct hinting *hinting, const struct object *object, const char *path,
              const char *text, const char *remedy);

bool hint_same_space(const struct object *left, const struct object *right);
/* Of the pods that a manifest makes, or is; NULL: it makes none, or is a ReplicaSet that a
 * Deployment owns. */
const struct labels *hint_labels_of_pods(const struct object *object);
/* Are there workloads in the namespace of the object, and nothing there that might make further
 * pods? Then the manifests are to be complete; else what is missing may come from elsewhere. */
bool hint_is_complete(const struct hinting *hinting, const struct object *object);
/* A hint about a selector that selects no pod, if the manifests are to be complete. */
void hint_look_for_nobody(struct hinting *hinting, const struct object *object, const char *name,
                          const char *remedy);

/* Hints about the pods that a Service selects (hints_services.c). */
void hints_look_at_service(struct hinting *hinting, const struct object *object);

/* Hints about the labels that pods are to be spread over (hints_spread.c). */
void hints_look_at_spread(struct hinting *hinting, const struct object *object);

/* Hints about the pods of a workload and how they are replaced (hints_pods.c). */
void hints_look_at_pods(struct hinting *hinting, const struct object *object);

#endif
