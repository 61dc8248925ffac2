/* SPDX-License-Identifier: Apache-2.0 */
/* A pod as the cluster autoscaler sees it: what is found out of it once, when it is listed. */
#ifndef FATHOM_DECIDE_AUTOSCALER_AUTOSCALER_POD_H
#define FATHOM_DECIDE_AUTOSCALER_AUTOSCALER_POD_H

#include "base/map.h"
#include "object/pod.h"

struct value; /* manifest/document.h */

struct autoscaler_pod {
    const struct pod *pod;
    const struct pod *unbound; /* the same without spec.nodeName, for the default scheduler */
    const char *name;          /* "namespace/name" */
    const char *hint_key;      /* its UID; the name if it has none */
    const struct owner_reference *controller;
    uint32_t likeness; /* the same for pods with equal labels and specs */
    uint32_t shape;    /* the same for pods that the scheduler treats alike */
    uint32_t kind;     /* on a node of the world: the same for pods that differ in names alone */
    bool daemon;       /* of a DaemonSet, or to be treated like one */
    bool mirror;
    bool fixed;    /* a static pod */
    uint32_t mark; /* for whoever lists it; 0: none */
};

/* Numbers for likenesses and shapes. */
struct pod_kinds {
    struct map likenesses;
    struct map shapes;
};

void pod_kinds_init(struct pod_kinds *kinds, struct arena *arena);

/* `source` is the pod's document; NULL if it has none, as a pod that a DaemonSet would create. */
struct autoscaler_pod *autoscaler_pod_create(struct arena *arena, struct pod_kinds *kinds,
                                             const struct pod *pod, const struct value *source);

/* Terminating for so long that its grace period and half a minute are over. */
bool autoscaler_pod_is_overdue(const struct autoscaler_pod *pod, int64_t now);

/* A pod with a priority below the cutoff. A pod without priority never is. */
bool autoscaler_pod_is_expendable(const struct autoscaler_pod *pod, int64_t cutoff);

/* The sum of what its containers request (not its init containers). */
int64_t autoscaler_pod_cpu_milli(const struct autoscaler_pod *pod);
int64_t autoscaler_pod_memory(const struct autoscaler_pod *pod);
/* Of one resource, in thousandths. */
int64_t autoscaler_pod_milli(const struct autoscaler_pod *pod, const char *resource);

#endif
