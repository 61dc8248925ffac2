/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The pod garbage collector: every 20 s it deletes, without grace,
 *
 *   pods on nodes that are gone      for more than a quarantine of 40 s
 *   terminating pods without a node  that no kubelet will ever finish
 *   terminating pods on nodes that an operator has declared out of service
 *   finished pods                    beyond 12,500 in the cluster, oldest first
 *
 * Pods come in classes. Which of equally old finished pods go is decided by
 * their names; in a class that has none any of them may.
 */
#ifndef FATHOM_DECIDE_CONTROLLER_POD_GARBAGE_COLLECTOR_H
#define FATHOM_DECIDE_CONTROLLER_POD_GARBAGE_COLLECTOR_H

#include "base/arena.h"
#include "decide/features.h"
#include "object/pod.h"

enum { POD_GC_PERIOD_SECONDS = 20, POD_GC_QUARANTINE_SECONDS = 40, POD_GC_THRESHOLD = 12500 };

/* The quarantine of a node that is not there but has pods. Zeroed: none. */
struct pod_gc_quarantine {
    bool begun;
    int64_t age; /* nanoseconds since the pass that missed the node */
};

enum pod_gc_verdict {
    POD_GC_NOT_YET,
    POD_GC_EITHER, /* the quarantine ends at the very instant of the pass: a race */
    POD_GC_GONE,
};

/* A pass sees the node (or does not): what it concludes. */
enum pod_gc_verdict pod_gc_look(struct pod_gc_quarantine *quarantine, bool present);
/* Time passes; beyond its end the quarantine grows no older. */
void pod_gc_age(struct pod_gc_quarantine *quarantine, int64_t nanoseconds);

enum pod_gc_node {
    POD_GC_NO_NODE,       /* not assigned */
    POD_GC_NODE_THERE,    /* or missing, but in quarantine still */
    POD_GC_NODE_GONE,     /* the pass concluded so */
    POD_GC_OUT_OF_SERVICE /* not ready, and tainted node.kubernetes.io/out-of-service */
};

struct pod_gc_class {
    uint32_t count;
    enum pod_phase phase;
    bool terminating;
    bool evicted; /* Failed, with the reason Evicted */
    enum pod_gc_node node;
    int64_t creation_time; /* only compared */
    const char *name;      /* NULL: any */
};

enum pod_gc_rule {
    POD_GC_KEPT,
    POD_GC_TERMINATED,  /* too many finished pods */
    POD_GC_TERMINATING, /* on a node out of service */
    POD_GC_ORPHANED,    /* its node is gone */
    POD_GC_UNSCHEDULED, /* terminating without a node */
};

struct pod_gc_decision {
    enum pod_gc_rule rule; /* the first that applies */
    uint32_t removed;      /* of the class */
    bool marked_failed;    /* the phase becomes Failed before the pod goes */
    bool tied;             /* pods of other classes would have done as well */
};

/* One pass; `decisions` has an entry for each class. `threshold` 0: no limit. */
void pod_gc_pass(struct arena *scratch, const struct features *features, uint32_t threshold,
                 const struct pod_gc_class *pods, uint32_t pod_count,
                 struct pod_gc_decision *decisions);

#endif
