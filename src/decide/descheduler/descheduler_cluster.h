/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The cluster as one descheduling cycle works on it.
 *
 * A cycle looks at pods and nodes one by one and evicts one pod after the other,
 * so classes with multiplicities are unfolded here: every node and every pod is
 * there, with the number of its kind. Two pods of a kind on one node are
 * interchangeable, and so are two nodes of a kind to which the same has happened
 * so far; of interchangeable ones the first is chosen. What can be computed from
 * a kind is computed once.
 *
 * Canonical order: nodes by name, pods of a node by namespace and name; pods and
 * nodes without names (those of a population) in the order of their kinds.
 */
#ifndef FATHOM_DECIDE_DESCHEDULER_CLUSTER_H
#define FATHOM_DECIDE_DESCHEDULER_CLUSTER_H

#include "decide/controller/eviction.h"
#include "decide/descheduler/choice.h"
#include "decide/descheduler/pod_kind.h"
#include "decide/node_reads.h"
#include "decide/view.h"

enum pod_presence { POD_PRESENT, POD_GONE, POD_MARKED /* terminating since this cycle */ };

struct cluster_pod {
    uint32_t kind;
    uint32_t node;      /* VIEW_NONE: on no node that is there */
    uint32_t name_rank; /* by namespace and name, or by place when names are not known */
    const char *name;   /* NULL: not known */

    /* What happened to it in this cycle. */
    enum pod_presence presence;
    bool chosen; /* waits for its eviction at the end of a plugin */
    bool tried;  /* a plugin is done with it */
    struct signature evictions;
    struct signature hidden; /* what is known of its place in an order that nobody sees */
};

struct cluster_node {
    const struct node *node;
    uint32_t kind;
    uint32_t entry;    /* of the view */
    uint32_t template; /* nodes that fit the same pods but for room */
    bool anonymous;
    bool ready;
    bool in_cycle;       /* ready and selected by the policy */
    uint32_t stands_for; /* nodes: 1, but for the last of pristine ones (cluster_sizes.h) */
    bool last_alike;     /* of those of its kind */
    uint32_t first_pod;
    uint32_t pod_count;
    int64_t *allocatable;  /* by resource */
    bool *has_allocatable; /* the node mentions the resource at all */
    int64_t allocatable_pods;

    int64_t *usage; /* of pods that are not finished */
    uint32_t active_pods;
    uint32_t evicted;
    uint32_t mark;            /* how far a plugin is with it */
    struct signature hidden;  /* of its place among nodes; see cluster_pod */
    struct signature history; /* of its pods */
};

/* The domains of a topology key: for every node a number, VIEW_NONE without the
 * label. `values` has the label's value, NULL where it is not known. */
struct domain_map {
    const char *key;
    uint32_t *of_node;
    VEC(const char *) values;
};

struct cluster {
    struct arena *arena;
    const struct catalog *catalog; /* of the view; NULL: it was made of objects */
    struct features kubernetes;    /* of the API server, which answers evictions */
    struct resource_names resources;
    VEC(struct pod_kind) kinds;
    struct cluster_node *nodes;
    uint32_t node_count;
    struct node_sum cycle_nodes; /* that are in the cycle */
    uint32_t node_kind_count;
    uint32_t template_count;
    struct cluster_pod *pods; /* by node, those on no node last */
    uint32_t pod_count;
    uint32_t *by_name; /* all pods in the order of name_rank */
    bool names_known;
    bool kinds_unique; /* every pod is a kind of its own: nothing is interchangeable */

    struct map namespaces; /* name -> number + 1 */
    VEC(const char *) namespace_names;
    VEC(const struct namespace_object *) namespace_objects; /* by name */
    VEC(const struct pod_disruption_budget *) budget_objects;
    int64_t *initial_usage;
    struct eviction_budget *initial_budgets;

    uint32_t *namespace_evicted;
    struct eviction_budget *budgets;
    uint8_t *fits; /* kind x template: 0 not known, 1 no, 2 yes */
    struct map duplicate_groups;
    struct map owners; /* key -> number + 1 */
    VEC(struct owner_key) owner_keys;
    VEC(struct domain_map *) domain_maps;
};

struct owner_key {
    const char *namespace;
    const char *kind;
    const char *name;
    const char *images; /* sorted, joined by # */
};

/* A cluster from objects. Pods of one kind are distinguished only if `merge` is false. */
struct cluster *cluster_of_objects(struct arena *arena, const struct features *kubernetes,
                                   const struct objects *objects, struct kind_readers readers,
                                   bool merge);

/* A cluster from a view, with the features of its catalog; the names of pods and
 * nodes are not known. */
struct cluster *cluster_of_view(struct arena *arena, const struct view *view);

/* Undoes everything that a cycle did. */
void cluster_reset(struct cluster *cluster);

/* Every change of a pod stands between these two calls, which keep signatures up to date. */
void cluster_touch_begin(struct cluster *cluster, uint32_t pod);
void cluster_touch_end(struct cluster *cluster, uint32_t pod);

/* Equal for pods of one kind on one node to which the same has happened. */
struct signature cluster_pod_signature(const struct cluster *cluster, uint32_t pod);
struct signature cluster_node_signature(const struct cluster *cluster, uint32_t node);

static inline const struct pod_kind *cluster_kind(const struct cluster *cluster, uint32_t pod)
{
    return &cluster->kinds.items[cluster->pods[pod].kind];
}

/* The map is made once and stays. */
const struct domain_map *cluster_domains(struct cluster *cluster, const char *key);

#endif
