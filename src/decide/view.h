/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The view: how every controller of the model sees a cluster.
 *
 * A cluster is classes with multiplicities, not an array of named things:
 *
 *     pod class      pods that are alike but for their names
 *     node template  nodes that are alike but for their names and load
 *     node config    a template with the multiset of pods on each such node
 *     view           a multiset of node configs, and the pods on no node
 *
 * Each level is interned in a `struct catalog` and known by a small number, so
 * that whatever a controller derives from a node config is computed once and
 * not once a node a state. A view itself is a few short arrays of numbers and
 * owns nothing. A concrete cluster is the view in which every count is 1 (and
 * every pod a class of its own, so that it keeps its name); a population is one
 * in which counts are large. The code that decides is the same for both.
 *
 * Identity. A label that names the node itself (kubernetes.io/hostname) makes
 * every node a domain of its own. A template is either
 *
 *     named      one certain node: its name and its labels count as they are;
 *                two nodes may even share a hostname label. Count 1.
 *     anonymous  any node of a group: each node of it has a hostname that no
 *                other node has, and no object mentions it by its name. (Nodes
 *                that are mentioned need a named template.)
 *
 * Ownership and threads. Everything lives in the catalog's arena, objects are
 * borrowed and must live as long (as must the catalog that it is a copy of). A catalog grows while
 * it is used, also by decisions; it belongs to one thread. Numbers depend on the order of
 * interning: compare them inside one catalog only.
 */
#ifndef FATHOM_DECIDE_VIEW_H
#define FATHOM_DECIDE_VIEW_H

#include "base/map.h"
#include "base/vec.h"
#include "decide/controller/eviction.h"
#include "decide/features.h"
#include "object/node.h"
#include "object/object.h"
#include "object/pod.h"

enum { VIEW_NONE = UINT32_MAX }; /* no class, no domain, no entry */

/* Amounts of resources: cpu in thousandths, everything else in units. */
struct scalar_amount {
    uint32_t resource; /* into catalog.resources */
    int64_t amount;
};

struct amounts {
    int64_t cpu_milli;
    int64_t memory;
    int64_t ephemeral_storage;
    struct scalar_amount *scalars; /* extended resources, huge pages: sorted by name */
    uint32_t scalar_count;
};

/* The amount of a scalar resource, 0 when it is not there. */
int64_t amounts_scalar(const struct amounts *amounts, uint32_t resource);

/* A required or preferred term of pod affinity or anti-affinity. */
struct affinity_term {
    uint32_t topology_key; /* into catalog.topology_keys */
    const struct label_selector
        *selector;                 /* NULL: matches nothing; (mis)matchLabelKeys are in it */
    struct string_list namespaces; /* the owner's own when the term names none */
    const struct label_selector *namespace_selector; /* NULL: none; empty: all namespaces */
    int32_t weight;                                  /* preferred terms only */
};

struct affinity_terms {
    struct affinity_term *items;
    uint32_t count;
};

/* What is the same for all pods made from one template: pods with equal
 * shapes are treated alike by every scheduler plugin, but for their age,
 * their place and whether they are terminating. */
struct pod_shape {
    uint32_t id;
    const struct pod *pod; /* the first pod of this shape */
    int32_t priority;
    bool preempts;             /* preemptionPolicy is not Never */
    struct amounts requests;   /* what it takes of a node that it is on */
    struct amounts asked;      /* what a node must have free; differs while the pod is resized */
    int64_t nonzero_cpu_milli; /* with 100m and 200 MiB where a container has no request */
    int64_t nonzero_memory;
    int64_t scored_cpu_milli; /* the same for the score of a node that it may come to */
    int64_t scored_memory;
    struct container_port *host_ports; /* those of containers with host_port > 0 */
    uint32_t host_port_count;
    struct affinity_terms required_affinity;
    struct affinity_terms required_anti_affinity;
    struct affinity_terms preferred_affinity;
    struct affinity_terms preferred_anti_affinity;
};

struct pod_class {
    uint32_t id;
    const struct pod *pod; /* the representative */
    const struct pod_shape *shape;
    bool terminating;
    int64_t start_time; /* TIME_NONE: not started */
};

struct pod_count {
    uint32_t pod; /* class */
    uint32_t count;
};

/* The domain of a template for one topology key. */
enum { DOMAIN_OWN = UINT32_MAX - 1 }; /* an anonymous node: each is a domain of its own */

struct node_template {
    uint32_t id;
    const struct node *node; /* the representative */
    bool anonymous;
    struct amounts allocatable;
    int64_t allocatable_pods;
    VEC(uint32_t) domains; /* by topology key: number, DOMAIN_OWN or VIEW_NONE (label missing) */
};

struct node_config {
    uint32_t id;
    const struct node_template *template;
    const struct pod_count *pods; /* on each node of this config; sorted by class */
    uint32_t pod_entry_count;
    const struct pod_count *nominated; /* pending pods that wait for a place on this node */
    uint32_t nominated_entry_count;
    const struct pod_count
        *waiting; /* pending pods that are for this node alone; they hold nothing */
    uint32_t waiting_entry_count;
    uint32_t pod_count; /* sum of the counts of `pods` */
};

struct topology_key {
    const char *key;
    bool identity;      /* names the node itself */
    struct map domains; /* label value -> number + 1 */
    uint32_t domain_count;
};

/* The objects around nodes and pods that decisions look at. They do not
 * change while a catalog lives; what changes of a budget is in the view. */
struct surroundings {
    VEC(const struct namespace_object *) namespaces;
    VEC(const struct service *) services;
    VEC(const struct replica_set *) replica_sets;
    VEC(const struct stateful_set *) stateful_sets;
    VEC(const struct replication_controller *) replication_controllers;
    VEC(const struct pod_disruption_budget *) budgets;
    VEC(const struct persistent_volume *) volumes;
    VEC(const struct persistent_volume_claim *) claims;
    VEC(const struct storage_class *) storage_classes;
};

/* Gives a config its number, the same for equal configs, so that several catalogs can
 * have numbers in common. */
typedef uint32_t config_numbering(void *context, const struct node_config *config);

struct catalog {
    struct arena *arena;
    struct features features;
    struct surroundings surroundings;

    struct map resource_numbers; /* name -> number + 1 */
    VEC(const char *) resources; /* scalar ones only */
    struct map topology_key_numbers;
    VEC(struct topology_key *) topology_keys;

    struct map shape_numbers; /* fingerprint -> shape */
    VEC(struct pod_shape *) shapes;
    VEC(struct pod_class *) pods;
    VEC(struct node_template *) templates;
    VEC(struct node_config *) configs; /* NULL: a number given to one that was not met here */
    VEC(uint64_t) config_ranks;        /* by config: see catalog_config_before */
    uint32_t *config_slots;            /* open addressing by content: config number + 1 */
    uint32_t config_slot_count;
    config_numbering *number_config; /* for a config that is new; NULL: they are counted */
    void *number_context;
    /* While many pods are compared with each other (default_selectors_keep); NULL: each selector is
     * made when it is asked for. */
    struct default_selectors *default_selectors;
    /* Where reads of numbers of nodes are noted (node_reads.h); NULL: nowhere. */
    struct node_reads *node_reads;
    struct map images; /* name (normalised) -> size + 1, of the first template that has it */
};

struct catalog *catalog_create(struct arena *arena, const struct features *features);

/* A catalog of its own that begins with all that another one knows, by the same numbers. What
 * never changes is shared: the other one has to live as long, and may be read meanwhile. */
struct catalog *catalog_copy(struct arena *arena, const struct catalog *other);

/* Adds the objects that belong to the surroundings; nodes, pods and all the
 * rest are left alone. To be called before the first pod is added. */
void catalog_surround(struct catalog *catalog, const struct objects *objects);

/* Adds a class that has only this pod. */
uint32_t catalog_add_pod(struct catalog *catalog, const struct pod *pod);
/* The same for a pod that differs from those of a class in its status, and in
 * whether it is terminating, alone. */
uint32_t catalog_add_pod_like(struct catalog *catalog, const struct pod *pod, uint32_t class);

uint32_t catalog_add_named_node(struct catalog *catalog, const struct node *node);
uint32_t catalog_add_anonymous_node(struct catalog *catalog, const struct node *node);

/* The number of this config. The lists need no order; equal classes add up. */
uint32_t catalog_intern_config(struct catalog *catalog, uint32_t template,
                               const struct pod_count *pods, uint32_t pod_entry_count,
                               const struct pod_count *nominated, uint32_t nominated_entry_count);

/* The same with pods that wait for such a node and no other (a DaemonSet's). */
uint32_t catalog_intern_config_waiting(struct catalog *catalog, uint32_t template,
                                       const struct pod_count *pods, uint32_t pod_entry_count,
                                       const struct pod_count *nominated,
                                       uint32_t nominated_entry_count,
                                       const struct pod_count *waiting,
                                       uint32_t waiting_entry_count);

/* Is there a config of this number here? */
static inline bool catalog_has_config(const struct catalog *catalog, uint32_t number)
{
    return number < catalog->configs.count && catalog->configs.items[number];
}

/* A config that comes before another one by what it is (template, number of pods,
 * which pods), so that lists of configs have the same order whatever numbers they
 * were given. Of one config and itself neither comes first. */
bool catalog_config_content_before(const struct catalog *catalog, uint32_t left, uint32_t right);
static inline bool catalog_config_before(const struct catalog *catalog, uint32_t left,
                                         uint32_t right)
{
    const uint64_t *ranks = catalog->config_ranks.items;
    if (ranks[left] != ranks[right])
        return ranks[left] < ranks[right];
    return left != right && catalog_config_content_before(catalog, left, right);
}

/* The number of the key; what templates know of it is filled in. */
uint32_t catalog_topology_key(struct catalog *catalog, const char *key);
/* The domain of the key that nodes of the template are in; VIEW_NONE without the label. */
uint32_t catalog_domain(const struct node_template *template, struct topology_key *key);
uint32_t catalog_resource(struct catalog *catalog, const char *name);

/* What a pod takes of a node that it is on (decide/pod_requests.h). */
void catalog_pod_requests(struct catalog *catalog, const struct pod *pod, struct amounts *requests);

struct view_node {
    uint32_t config;
    uint32_t count;
};

/* A budget, and its status in this state. */
struct view_budget {
    const struct pod_disruption_budget *budget;
    struct eviction_budget status;
};

struct view {
    struct catalog *catalog;
    const struct view_node *nodes;
    uint32_t node_count;             /* entries, not nodes */
    const struct pod_count *pending; /* pods on no node, nominated ones included */
    uint32_t pending_count;
    const struct view_budget *budgets;
    uint32_t budget_count;
};

/* The number of nodes: the sum of the counts. */
uint64_t view_total_nodes(const struct view *view);

/* The view of a concrete cluster: every node and every pod a class of its own,
 * entry i is the i-th node. Finished pods (Succeeded, Failed) are left out, as
 * are pods on nodes that are not there. `arena` holds the view. */
struct view view_of_objects(struct arena *arena, struct catalog *catalog,
                            const struct objects *objects);

/* The budgets among the surroundings, as their objects say they are. */
const struct view_budget *view_collect_budgets(struct arena *arena, const struct catalog *catalog,
                                               uint32_t *count);

/* The entry of the node with this name; VIEW_NONE when there is none. */
uint32_t view_find_node(const struct view *view, const char *name);

#endif
