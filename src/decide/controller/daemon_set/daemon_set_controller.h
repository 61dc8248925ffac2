/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The DaemonSet controller: one sync of one DaemonSet.
 *
 * Nodes come in classes: nodes that do not differ for the controller, with
 * equal pods of the set. What it does on a node depends on that node alone,
 * with one exception: how many available old pods a rolling update may replace.
 * Which nodes of the candidates those are is not decided by any rule (upstream
 * walks a map), so the decision gives their number, and every choice of that
 * many candidates is an outcome.
 */
#ifndef FATHOM_DECIDE_CONTROLLER_DAEMON_SET_CONTROLLER_H
#define FATHOM_DECIDE_CONTROLLER_DAEMON_SET_CONTROLLER_H

#include "base/vec.h"
#include "decide/features.h"
#include "object/node.h"
#include "object/workload.h"

/* A pod of the set that is not both finished and being deleted. */
struct daemon_pod {
    bool assigned; /* spec.nodeName is set */
    bool terminating;
    bool failed;
    bool succeeded;
    bool ready;
    bool available;        /* ready for minReadySeconds */
    bool updated;          /* made from the present template */
    bool backing_off;      /* failed before, so it is left alone for a while */
    int64_t creation_time; /* only compared */
    const char *name;      /* decides between pods of the same age; NULL: any */
};

struct daemon_node_class {
    uint32_t count;
    bool present;                  /* false: pods that are meant for a node which is gone */
    bool should_run;               /* a pod belongs here */
    bool should_continue;          /* a pod that is here may stay */
    const struct daemon_pod *pods; /* on each node of the class */
    uint32_t pod_count;
};

struct daemon_set_facts {
    const struct features *features;
    bool on_delete;
    struct int_or_percent max_unavailable;
    struct int_or_percent max_surge;
    const struct daemon_node_class *nodes;
    uint32_t node_class_count;
};

/* What happens on each node of a class, or may happen. */
struct daemon_node_decision {
    bool create;
    bool *removed;       /* by pod: deleted for sure */
    bool create_updated; /* a surge beside an old pod that is not available: for sure */
    /* An available old pod that a rolling update would replace, by deleting it
     * or by a surge beside it; on `replacements` nodes of all candidates. */
    bool candidate;
};

struct daemon_set_decision {
    bool rolls; /* nothing else was to be done, so a rolling update goes on */
    struct daemon_node_decision *nodes; /* by class */
    uint32_t replacements;
    bool surges;              /* replacements are created beside the old pods, not after them */
    uint32_t max_unavailable; /* resolved */
    uint32_t max_surge;
    int32_t current_scheduled; /* the status */
    int32_t misscheduled;
    int32_t desired_scheduled;
    int32_t ready;
    int32_t updated_scheduled;
    int32_t available;
    int32_t unavailable;
};

struct daemon_set_decision *daemon_set_sync(struct arena *arena,
                                            const struct daemon_set_facts *facts);

/* The template's tolerations and those that every pod of a DaemonSet gets. */
void daemon_set_tolerations(struct arena *arena, const struct pod_spec *spec,
                            struct toleration **tolerations, uint32_t *count);

/* Does a pod of the set belong on the node, and may one that is there stay?
 * Resources and spec.unschedulable do not count; taints do. */
void daemon_set_should_run(const struct daemon_set *set, const struct toleration *tolerations,
                           uint32_t toleration_count, const struct node *node, bool *should_run,
                           bool *should_continue);

#endif
