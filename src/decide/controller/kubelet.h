/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The kubelet: which pods it admits, when a container is ready, and which pods it
 * evicts when the node runs low on a resource.
 *
 * Every function is a pure decision: facts in, decision out. Pods are given as
 * classes with a count (decide/view.h); where Kubernetes leaves the choice to the
 * order of a map, the decision says which classes are equal, and each is an
 * outcome.
 *
 *   kubelet_admission.c   admission and its reasons
 *   kubelet_preemption.c  which pods a critical pod preempts on admission
 *   kubelet_probe.c       readiness
 *   kubelet_eviction.c    the order of victims
 */
#ifndef FATHOM_DECIDE_CONTROLLER_KUBELET_H
#define FATHOM_DECIDE_CONTROLLER_KUBELET_H

#include "decide/view.h"

/* ---- admission ---- */

enum kubelet_pressure {
    KUBELET_MEMORY_PRESSURE = 1,
    KUBELET_DISK_PRESSURE = 2,
    KUBELET_PID_PRESSURE = 4,
};

enum kubelet_rejection {
    KUBELET_OUT_OF, /* ... a resource: "OutOfcpu" */
    KUBELET_NODE_AFFINITY,
    KUBELET_NODE_NAME,
    KUBELET_NODE_PORTS,
    KUBELET_TAINT_TOLERATION,
    KUBELET_UNDER_PRESSURE,
    KUBELET_CANNOT_PREEMPT, /* a critical pod, and preempting all other pods would not make enough
                               room */
};

struct kubelet_reason {
    enum kubelet_rejection rejection;
    const char *resource; /* of KUBELET_OUT_OF */
    int64_t requested;
    int64_t used;
    int64_t capacity;
    uint32_t pressures; /* of KUBELET_UNDER_PRESSURE */
};

/* A node as its kubelet sees it: only pods that it has admitted and that have
 * not ended hold anything. The kubelet is of the catalog's version. */
struct kubelet_node {
    const struct catalog *catalog;
    const struct node_template *template;
    const struct pod_count *pods;
    uint32_t pod_entry_count;
    uint32_t pressures;
};

struct kubelet_admission {
    bool admitted;
    /* The reasons against the pod; a critical pod may be admitted in spite of them. The
     * first one is reported. */
    VEC(struct kubelet_reason) reasons;
    /* By entry of the node's pods: how many are killed to make room for a
     * critical pod. NULL: none. */
    uint32_t *preempted;
    bool preemption_tied; /* other pods could have been chosen: upstream's choice depends on the
                             order of a map */
};

void kubelet_admit(struct arena *arena, const struct kubelet_node *node,
                   const struct pod_class *comes, struct kubelet_admission *admission);

/* The reason in the pod's status ("OutOfcpu"), and its message. */
const char *kubelet_reason_name(struct arena *arena, const struct kubelet_reason *reason);
const char *kubelet_reason_message(struct arena *arena, const struct features *features,
                                   const struct kubelet_reason *reason);

/* Static, mirrored, or of system-critical priority. */
bool kubelet_pod_is_critical(const struct pod *pod);

/* Finds victims that free what every KUBELET_OUT_OF reason asks for; false:
 * there are not enough. */
bool kubelet_preempt(struct arena *arena, const struct kubelet_node *node,
                     const struct pod_class *comes, struct kubelet_admission *admission);

/* ---- readiness ---- */

/* When a container whose probes all succeed is ready, counted from its start.
 * Either probe may be NULL. Between the two any instant is possible. */
void kubelet_ready_window(const struct probe *startup, const struct probe *readiness,
                          int64_t *earliest, int64_t *latest);

/* ---- eviction when the node runs low ---- */

enum kubelet_signal {
    KUBELET_MEMORY_AVAILABLE,
    KUBELET_ALLOCATABLE_MEMORY_AVAILABLE,
    KUBELET_NODEFS_AVAILABLE,
    KUBELET_NODEFS_INODES_FREE,
    KUBELET_IMAGEFS_AVAILABLE,
    KUBELET_IMAGEFS_INODES_FREE,
    KUBELET_PID_AVAILABLE,
    KUBELET_SIGNAL_COUNT
};

/* Pods that run on the node. */
struct kubelet_eviction_pod {
    uint32_t count;
    int32_t priority;
    bool critical;
    bool measured; /* its usage is known */
    int64_t memory_used;
    int64_t memory_requested;
    int64_t disk_used; /* on the file system of the signal */
    int64_t disk_requested;
    int64_t inodes_used;
    int64_t processes;
};

/* Marks the classes of which one pod is evicted, any of them; false if there is
 * none. Budgets do not count. */
bool kubelet_victims(enum kubelet_signal signal, const struct kubelet_eviction_pod *pods,
                     uint32_t pod_count, bool *victims);

#endif
