/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A small world for the node lifecycle controller and the taint manager: named
 * nodes with their kubelets, pods, and a clock that ticks in tenths of seconds.
 * `fathom decide nodelifecycle` runs it forward and tells what happens.
 *
 * At every instant, in this order: due evictions fire; edits of the timeline;
 * kubelets renew leases (every 10 s) and post their status (every 300 s); the
 * NoSchedule taints and the taint manager follow changed nodes; the monitor
 * pass (every 5 s); followers again; the NoExecute pass; followers again.
 *
 * Nodes to taint wait in the order in which the monitor pass found them, and it
 * goes by their names. (Upstream goes by the order of a map: that nodes that
 * fail together are tainted in this order is one of many outcomes.)
 */
#ifndef FATHOM_DECIDE_CONTROLLER_NODE_LIFECYCLE_WORLD_H
#define FATHOM_DECIDE_CONTROLLER_NODE_LIFECYCLE_WORLD_H

#include "base/vec.h"
#include "decide/controller/node_lifecycle.h"
#include "decide/controller/taint_manager.h"
#include "object/pod.h"

enum { WORLD_TICKS_PER_SECOND = 10 };

enum world_kubelet { KUBELET_UP, KUBELET_NOT_READY, KUBELET_DOWN };

/* A change of a node at some instant. */
struct world_edit {
    int64_t tick;
    uint32_t node;
    bool has_kubelet;
    enum world_kubelet kubelet;
    bool has_unschedulable;
    bool unschedulable;
    enum condition_status conditions[NODE_CONDITION_COUNT]; /* absent: not touched */
    struct taint *add_taints;
    uint32_t add_taint_count;
    struct string_list remove_taints; /* keys */
};

struct world_node {
    const char *name;
    enum world_kubelet kubelet;
    VEC(struct taint) other_taints; /* all but those of the lifecycle controller */
    bool execute_changed;           /* the taint manager has to look */
    int64_t execute_since;          /* the first NoExecute taint came then; TIME_NONE */
};

struct world_pod {
    const char *name;
    uint32_t node;
    const struct toleration *tolerations;
    uint32_t toleration_count;
    bool ready;
    struct taint_eviction eviction;
};

struct world_zone {
    const char *key;
    const char *name;
    VEC(uint32_t) queue; /* nodes to taint, the next one first */
};

enum world_event_type {
    WORLD_CONDITION,
    WORLD_TAINT_ADD,
    WORLD_TAINT_REMOVE,
    WORLD_POD_NOT_READY,
    WORLD_EVICT,
    WORLD_ZONE,
};

struct world_event {
    int64_t tick;
    enum world_event_type type;
    uint32_t node; /* or zone */
    uint32_t pod;
    const char *what;
};

struct world {
    struct arena *arena;
    struct node_lifecycle_rules rules;
    int64_t tick;
    VEC(struct lifecycle_node) states;
    VEC(struct world_node) nodes; /* by name, in the order of upstream's list */
    VEC(struct lifecycle_zone) zone_states;
    VEC(struct world_zone) zones;
    VEC(struct world_pod) pods;
    VEC(struct world_edit) edits; /* by tick */
    VEC(struct world_event) events;
    struct lifecycle_report *reports;
    struct lifecycle_zone *zones_before;
};

void world_init(struct world *world, struct arena *arena, struct node_lifecycle_rules rules);
/* Gives the node's number. Nodes are to be added in the order of their names. */
uint32_t world_add_node(struct world *world, const struct node *node);
/* Pods on no node of this world are left out. */
void world_add_pod(struct world *world, const struct pod *pod);

/* The controller has been running for long before `now`: it knows nodes and
 * taints. Without this it has just been started. */
void world_settle(struct world *world, int64_t now);

/* From tick 0 to `ticks`, both included. */
void world_run(struct world *world, int64_t ticks);

/* "key:NoExecute" or "key=value:NoExecute" of all taints of a node, sorted. */
struct string_list world_taints(struct world *world, uint32_t node);

#endif
