/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The objects that the autoscaler lists. They change between loops; lists are by name, which is the
 * order that the recordings have where the real program goes by the order of a cache.
 *
 * As informers do, the world keeps its lists up to date as objects come and go: which pods are on
 * which node, and of which class a node is with them. A loop that follows costs by nodes and
 * classes of nodes, not by pods.
 */
#ifndef FATHOM_DECIDE_AUTOSCALER_AUTOSCALER_WORLD_H
#define FATHOM_DECIDE_AUTOSCALER_AUTOSCALER_WORLD_H

#include "base/vec.h"
#include "base/word_lists.h"
#include "decide/autoscaler/autoscaler_pod.h"
#include "object/node.h"
#include "object/object.h"
#include "object/policy.h"
#include "object/workload.h"

struct known_node;

struct world_item {
    const char *key;   /* "Kind/namespace/name" */
    const char *order; /* "namespace/name" */
    bool controller;   /* of pods; of its object only this is known: */
    struct optional_int replicas;
    struct object object;
    struct autoscaler_pod *pod; /* of a Pod */
    struct known_node *node;    /* of a Node */
    bool gone;
    bool listed; /* in the list of its kind, whether it is gone or not */
};

/* Items by name, but for those that have come since they were last sorted. */
struct world_item_list {
    VEC(struct world_item *) items;
    uint32_t sorted;
};

struct node_record; /* autoscaler.h */

/* A node, or the name of one that is not there. */
struct known_node {
    const char *name;
    const struct node *node;                 /* NULL: only pods name it */
    VEC(const struct autoscaler_pod *) pods; /* that are on it and not finished, by name */
    bool changed;                            /* since its class was found */
    uint32_t class;
    struct node_record *record; /* of the autoscaler that the world belongs to; NULL: none yet */
};

/* Nodes that differ in their names only, with pods that differ in their names only. */
struct world_class {
    const struct autoscaler_pod **pods;
    uint32_t pod_count;
};

struct autoscaler_world {
    struct arena *arena;
    struct pod_kinds kinds;
    struct map index; /* key -> struct world_item */
    VEC(struct world_item *) items;

    struct world_item_list node_items;
    struct world_item_list waiting_items; /* pods without a node */
    struct world_item_list other_items;   /* that are neither nodes nor pods nor controllers */
    struct map nodes;                     /* name -> struct known_node */
    struct map hostnames;                 /* -> how many nodes have it */
    uint32_t shared_hostnames;            /* nodes with a hostname that others have, too */
    struct map node_kinds, pod_texts;     /* text -> number + 1 */
    struct word_lists class_words;        /* the kind of the node, and those of its pods */
    VEC(struct world_class) classes;
};

/* What is there now, each by name. */
struct world_lists {
    VEC(const struct node *) nodes;
    VEC(struct known_node *) known; /* the same nodes with their pods; if not, none and */
    VEC(const struct autoscaler_pod *) scheduled;     /* on a node, and not finished */
    VEC(const struct autoscaler_pod *) unschedulable; /* the scheduler found no node */
    VEC(const struct pod_disruption_budget *) budgets;
    VEC(const struct daemon_set *) daemon_sets;
    struct objects objects; /* all others, for the scheduler's filters */
};

void autoscaler_world_init(struct autoscaler_world *world, struct arena *arena);

/* Objects that are new, or replace those of the same name. */
void autoscaler_world_set(struct autoscaler_world *world, const struct objects *objects);

/* The same for a list of a scenario, in which a ReplicaSet, ReplicationController, StatefulSet or
 * Job need not have more than a name: nothing else but spec.replicas is looked at. */
bool autoscaler_world_read(struct autoscaler_world *world, const struct value *list,
                           const char *path, struct problems *problems);

/* A controller of pods, of which nothing but spec.replicas is known. */
void autoscaler_world_add_controller(struct autoscaler_world *world, const char *kind,
                                     const char *namespace, const char *name,
                                     struct optional_int replicas);

/* "Kind/namespace/name", "Kind/name" for kinds without namespace. False if there is none. */
bool autoscaler_world_delete(struct autoscaler_world *world, const char *key);

/* With `flat` the scheduled pods are one list, else they are with their nodes. */
void autoscaler_world_list(struct autoscaler_world *world, struct arena *arena, bool flat,
                           struct world_lists *lists);

/* NULL when there is none. */
const struct world_item *autoscaler_world_find(const struct autoscaler_world *world,
                                               const char *kind, const char *namespace,
                                               const char *name);

#endif
