/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What workloads that are not modelled may do to those that are.
 *
 * Workloads that share nothing but the nodes can be verified one after the other
 * (verify/modular.c). The model of one of them then allows everything that the others could do to
 * it, and more:
 *
 *   - A pod may be bound to any node that fits, because the others decide which is the best, but
 *     for nodes to which there is a better one whatever the others do (ask/best_beside.c).
 *   - The others may take so much room that the pod fits nowhere, for a while or for ever, as far
 *     as the room that they can hold reaches.
 *   - A drain of a node ends when the others have left it, too.
 *   - Pods of others of a higher priority may preempt a pod (actor/step_preemptions.c).
 *   - The others may use up what a ResourceQuota leaves to new pods (state/quotas.h).
 *
 * Whatever a run of the whole cluster does to the modelled workloads is then a run of the model, so
 * what holds of the model holds of the cluster.
 */
#ifndef FATHOM_CLUSTER_OTHERS_H
#define FATHOM_CLUSTER_OTHERS_H

#include "object/quantity.h"

#include <stdbool.h>
#include <stdint.h>

/* The resources of which nodes run out. After these come extended ones, by `others.resources`. */
enum room_resource {
    ROOM_CPU, /* in thousandths */
    ROOM_MEMORY,
    ROOM_EPHEMERAL_STORAGE,
    ROOM_PODS,
    /* What scores count: 100m and 200 MiB for containers that request none. Nothing runs out of
     * it. */
    ROOM_SCORED_CPU,
    ROOM_SCORED_MEMORY,
    ROOM_EXTENDED,
    ROOM_MOST = ROOM_EXTENDED + 12
};

/* Amounts of resources, by enum room_resource. */
struct room {
    int64_t amounts[ROOM_MOST];
};

/* Groups of nodes are told apart up to this number; ROOM_ANYWHERE stands for all nodes. */
enum { ROOM_ANYWHERE, ROOM_PLACES = 16 };

/* The place of the nodes of a group (number of the scope); ROOM_ANYWHERE: it has none of its own.
 */
static inline uint32_t room_place(uint32_t group)
{
    return group + 1 < ROOM_PLACES ? group + 1 : ROOM_ANYWHERE;
}

/* The places of the nodes of a group, as bits; `mixed`: of several groups (struct setup_group). */
static inline uint32_t room_places(uint32_t group, uint64_t mixed)
{
    uint32_t places = 0;
    for (uint32_t g = 0; g < 64; g++)
        places |= (mixed >> g & 1) != 0 ? 1U << room_place(g) : 0;
    return mixed ? places : 1U << room_place(group);
}

/* Pods that request the same, and how many of them are on nodes that are up, at most. */
struct pods_held {
    struct room request;
    uint32_t most[ROOM_PLACES];    /* by place, at any moment */
    uint32_t lasting[ROOM_PLACES]; /* by place, in states in which they can be for ever */
    uint32_t on_node;              /* on one node */
};

/* Pods of more kinds than this are taken together: each requests as much as the greatest. */
enum { ROOM_KINDS = 8 };

/* The names of all ResourceQuotas are numbered, in the order of the manifests. Those of which no
 * more than this are before them are shared by several components; others couple workloads. */
enum { SHARED_QUOTAS = 32, SHARED_QUOTA_LINES = 32 };

/* What the workloads of a component hold. */
struct room_held {
    uint32_t kind_count;
    struct pods_held kinds[ROOM_KINDS]; /* all pods */
    /* Those of them that do not terminate, by kind and place, at any moment. */
    uint32_t staying[ROOM_KINDS][ROOM_PLACES];
    /* All of them, while another one of its pods waits for a node. */
    uint32_t beside_waiting[ROOM_KINDS][ROOM_PLACES];
    uint32_t leaving; /* pods that terminate on nodes that are up, at any moment */
    bool ends;        /* true if some of them began to terminate on a node that was up */
    bool binds;       /* true if one of them came to a node after the start */
    /* What the pods that neither terminate nor are about to be deleted by their ReplicaSet are
     * charged to quotas that components share, by number of the name, at any moment. */
    quantity_nanos charged[SHARED_QUOTA_LINES];
};

/* The nodes that can come back where outages take whole zones: those of so many zones, each with
 * one value of a label, and so many single ones. */
struct zones_back {
    const char *key; /* of the label; NULL: nobody knows which nodes can */
    uint32_t zones;
    uint32_t nodes;
};

/* In which order pods of the cluster fill nodes (ask/fill_order.h). */
struct fill_order {
    struct room least; /* that a pod of the cluster requests */
    struct room most;
    uint32_t made; /* so many pods are made at most, before an event takes a node */
    /* No pod fills a node while another one of the group has at most so many pods, and none of its
     * own ReplicaSet. */
    uint32_t avoided;
};

struct others {
    /* The names of extended resources. */
    const char *const *resources;
    uint32_t resource_count;
    /* True if it need not be said which of the nodes that are up has which pods (state/pool.h), and
     * what the modelled workloads hold is part of what the others hold. */
    bool pools;
    /* True if it need not be said how often an event has come (population_event.uncounted). */
    bool uncounted;
    /* Bit q: pods of the others are charged to the ResourceQuota with this number, too. */
    uint64_t shared_quotas;
    uint64_t scarce_quotas; /* ... and may leave nothing of it for ever */
    /* True if nothing is known of the others: they may take all room, for ever. */
    bool unknown;
    /* The pods that all of them together have on nodes that are up ... */
    struct pods_held *pods;
    uint32_t pod_kinds;
    /* (the last so many kinds are pods of the model itself, while one of them waits) */
    uint32_t own_kinds;
    /* (true if each pod that is shown on a node, of those that are asked for, is among these) */
    bool shown;
    /* ... but for those that are where they were in the dump that runs start from: they hold at
     * most this of one node, by group of the scope (NULL: there are none) ... */
    const struct room *staying;
    uint32_t group_count;
    /* At most so many pods of the model that do not terminate are on one node that is up, by
     * revision and group of the scope (ask/gathering.h); UINT32_MAX: nobody knows. NULL: of none it
     * is known. */
    const uint32_t *gathered;
    uint32_t gathered_count;
    /* True if that rests on what is assumed of images. */
    bool gathered_by_images;
    /* In which order pods fill nodes, if that is known of all of them; NULL: it is not. */
    const struct fill_order *order;
    /* ... and but for pods that began to terminate while their node was not: these are on at most
     * so many nodes. */
    uint32_t nodes_back;
    /* ... and only on such nodes. */
    struct zones_back zones_back;
    /* What the pods of each revision request; NULL: what the model says. */
    const struct room *requests;
    /* Others of components that are like the modelled one but for the requests of their pods. A pod
     * is crowded out if that of one of them is. */
    const struct others *siblings;
    uint32_t sibling_count;
    /* True if they may go on for ever, so that what waits for the cluster to rest may wait for
     * ever. */
    bool restless;
    /* True if they leave every node that is drained, in the end. */
    bool leave_drained_nodes;
    /* The highest priority of all pods of the cluster, as priority_rank gives it. */
    uint64_t highest_rank;
    /* Pods of the model whose priority is lower than this (priority_rank) may be preempted by
     * others, finitely often; 0: none. */
    uint64_t preempted_from;
};

/* The number of the kind of pods that request this; it is added if it is new. Where there are too
 * many kinds, the last one stands for all that are left. */
uint32_t room_kind_add(struct room_held *held, const struct room *request);
/* Keeps the most of both, by place. */
void room_keep_most(uint32_t *most, const uint32_t *held);
/* Keeps the most of both, which are measured with the same model. */
void room_held_join(struct room_held *all, const struct room_held *found);
/* Adds what so many nodes hold, each as it was found of one, to what other nodes hold. They are
 * measured with the same workloads. */
void room_held_add(struct room_held *all, const struct room_held *found, uint32_t nodes);

/* Whether others can keep a step from being taken: that a pod finds room, that a drain ends. */
enum crowding {
    CROWDING_NONE,
    CROWDING_PASSING, /* for a while, and the cluster does not rest meanwhile: they move on */
    CROWDING_LENGTHY, /* for a while, in which the cluster may come to rest */
    CROWDING_LASTING, /* for ever */
};

/* What others did to the modelled workloads somewhere, because nothing rules it out. */
enum hindrance {
    HINDERED_BY_PASSING_ROOM = 1 << 0, /* they kept a pod from every node that fits, for a while */
    HINDERED_BY_LASTING_ROOM = 1 << 1, /* ... for ever */
    HINDERED_BY_STAYING = 1 << 2,      /* they stayed on a node that is drained */
    HINDERED_BY_UNREST = 1 << 3,     /* they kept what waits for the cluster to rest from coming */
    HINDERED_BY_PREEMPTION = 1 << 4, /* they preempted a pod */
};

#endif
