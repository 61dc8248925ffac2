/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The node lifecycle controller: it taints nodes whose kubelets stop answering.
 *
 * Nodes come as classes with a count; nodes of one class are in the same zone and
 * have the same conditions, and the controller remembers the same of them. A pass
 * changes all nodes of a class alike, with one exception: the queue of nodes to
 * taint is rate limited, so that one node of a class goes first. Which one of
 * several waiting nodes is next, Kubernetes leaves to the order of a map: every one
 * that is queued in a zone whose limiter has a token is an outcome.
 *
 * The controller's memory is part of the class (`known` and below) and of the zone.
 * All times are ages in nanoseconds; node_lifecycle_age lets time pass. What the
 * kubelets did between two passes is given by flags (`heartbeat`, `lease_new`).
 */
#ifndef FATHOM_DECIDE_CONTROLLER_NODE_LIFECYCLE_H
#define FATHOM_DECIDE_CONTROLLER_NODE_LIFECYCLE_H

#include "base/arena.h"
#include "decide/controller/taint_limiter.h"
#include "decide/features.h"
#include "object/node.h"

/* The settings of the controller. */
struct node_lifecycle_rules {
    int64_t monitor_grace; /* without a sign of life; 40 s, from 1.32 on 50 s */
    int64_t startup_grace; /* for a node that never posted its status */
    float taint_rate;      /* nodes a second and zone */
    float secondary_taint_rate;
    uint32_t large_zone; /* zones of more nodes keep tainting when partly disrupted */
    float unhealthy_share;
    bool taints_at_once;    /* a node that a pass finds silent is queued in the same pass */
    bool forgets_evictions; /* of the taint manager, see taint_manager.h */
};

struct node_lifecycle_rules node_lifecycle_default_rules(const struct features *features);

enum node_condition {
    NODE_READY,
    NODE_MEMORY_PRESSURE,
    NODE_DISK_PRESSURE,
    NODE_PID_PRESSURE,
    NODE_NETWORK_UNAVAILABLE,
    NODE_CONDITION_COUNT
};

const char *node_condition_name(enum node_condition condition);

enum condition_status { STATUS_ABSENT, STATUS_TRUE, STATUS_FALSE, STATUS_UNKNOWN };

/* NULL is absent; what is neither True nor False is Unknown. */
enum condition_status condition_status_parse(const char *text);

/* The taints that this controller sets; as bits of a set. */
enum lifecycle_taint {
    LIFECYCLE_NOT_READY = 1,
    LIFECYCLE_UNREACHABLE = 2,
    LIFECYCLE_MEMORY_PRESSURE = 4,
    LIFECYCLE_DISK_PRESSURE = 8,
    LIFECYCLE_PID_PRESSURE = 16,
    LIFECYCLE_NETWORK_UNAVAILABLE = 32,
    LIFECYCLE_UNSCHEDULABLE = 64,
};

/* "node.kubernetes.io/not-ready" */
const char *lifecycle_taint_key(enum lifecycle_taint taint);
/* The taint of that key, 0 if it is none of these. */
uint32_t lifecycle_taint_find(const char *key);

enum lifecycle_queue {
    LIFECYCLE_NOT_QUEUED,
    LIFECYCLE_QUEUED,
    LIFECYCLE_QUEUE_DONE, /* was served; is not queued again until it is removed */
};

struct lifecycle_node {
    int64_t count;
    uint32_t zone;
    bool excluded; /* label node.kubernetes.io/exclude-disruption: not counted for the zone */
    bool unschedulable;
    enum condition_status conditions[NODE_CONDITION_COUNT];
    uint32_t no_schedule; /* sets of lifecycle taints that are on the node */
    uint32_t no_execute;
    bool heartbeat;   /* the Ready condition was posted since the last pass */
    bool has_lease;   /* there is a lease */
    bool lease_new;   /* it was renewed since the controller saved it */
    bool known;       /* the controller has seen the node */
    bool ready_saved; /* it has seen a Ready condition */
    bool lease_saved;
    int64_t creation_age;
    int64_t probe_age; /* since the last sign of life */
    enum lifecycle_queue queue;
};

enum lifecycle_zone_state {
    ZONE_INITIAL,
    ZONE_NORMAL,
    ZONE_PARTIAL_DISRUPTION,
    ZONE_FULL_DISRUPTION,
};

const char *lifecycle_zone_state_name(enum lifecycle_zone_state state);

struct lifecycle_zone {
    enum lifecycle_zone_state state;
    struct taint_limiter limiter;
};

struct lifecycle_zone lifecycle_zone_initial(const struct node_lifecycle_rules *rules);

/* What a pass did to the queue; a caller that keeps the queue's order needs it. */
enum lifecycle_queue_step {
    LIFECYCLE_QUEUE_KEPT,
    LIFECYCLE_QUEUE_ADDED,   /* if it is not in it */
    LIFECYCLE_QUEUE_RENEWED, /* taken out and added at the end */
    LIFECYCLE_QUEUE_REMOVED,
};

/* What a monitor pass did to each node of a class. */
struct lifecycle_report {
    uint32_t tainted_before; /* NoExecute, at the start of the pass */
    uint32_t made_unknown;   /* bits of enum node_condition: written as Unknown ... */
    uint32_t never_posted;   /* ... of these: because the kubelet never posted them */
    bool pods_not_ready;     /* the pods on it are marked not ready */
    uint32_t taints_added;   /* NoExecute */
    uint32_t taints_removed;
    enum lifecycle_queue_step queue_step;
    bool removed_again; /* left the queue at the end of the pass: all zones are down */
};

/* Time passes. */
void node_lifecycle_age(struct lifecycle_node *nodes, uint32_t node_count,
                        struct lifecycle_zone *zones, uint32_t zone_count, int64_t nanoseconds);

/* One monitor pass (every 5 s) over all nodes and zones. */
void node_lifecycle_monitor(const struct node_lifecycle_rules *rules, struct lifecycle_node *nodes,
                            uint32_t node_count, struct lifecycle_zone *zones, uint32_t zone_count,
                            struct lifecycle_report *reports);

/* The NoSchedule taints that the node should have. */
uint32_t node_lifecycle_no_schedule(const struct lifecycle_node *node);

/* The NoExecute pass serves one queued node (the class has count 1, or was
 * split before): the sets of taints it adds and removes. The caller takes the
 * token first. */
void node_lifecycle_taint(struct lifecycle_node *node, uint32_t *added, uint32_t *removed);

/* The conditions, taints and labels of an object; a new class of count 1. */
struct lifecycle_node lifecycle_node_of(const struct node *node, uint32_t zone);

/* "region:zone", the key of the node's zone; "" for none. */
const char *lifecycle_zone_key(struct arena *arena, const struct node *node);
/* The name of the zone alone; "" for none. */
const char *lifecycle_zone_name(const struct node *node);

#endif
