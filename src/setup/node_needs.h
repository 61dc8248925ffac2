/* SPDX-License-Identifier: Apache-2.0 */
/* What manifests need of nodes while it is found out: node_wishes.c has what they ask for,
 * node_counts.c how many nodes that makes, and default_nodes.c makes them. */
#ifndef FATHOM_SETUP_NODE_NEEDS_H
#define FATHOM_SETUP_NODE_NEEDS_H

#include "base/vec.h"
#include "object/node.h"
#include "object/pod.h"
#include "setup/default_nodes.h"

#define LABEL_ZONE          "topology.kubernetes.io/zone"
#define LABEL_ZONE_BETA     "failure-domain.beta.kubernetes.io/zone"
#define LABEL_REGION        "topology.kubernetes.io/region"
#define LABEL_REGION_BETA   "failure-domain.beta.kubernetes.io/region"
#define LABEL_INSTANCE      "node.kubernetes.io/instance-type"
#define LABEL_INSTANCE_BETA "beta.kubernetes.io/instance-type"

/* Nodes with the same labels but for those of their place. */
struct node_pool {
    struct labels labels; /* that the manifests ask for */
    bool single;          /* a hostname is among them */
};

/* What the pods of one template ask of a node. */
struct node_wish {
    const struct pod_spec *spec;
    struct labels labels; /* none: any node will do */
    uint32_t pool;
};

typedef VEC(struct resource) resources;

struct node_needs {
    struct arena *arena;
    const struct objects *objects;
    VEC(struct node_pool) pools;  /* the first is the usual one */
    VEC(struct node_wish) wishes; /* of each template */
    VEC(const char *) zones;
    VEC(const char *) keys; /* of other domains that pods are spread over */
    const char *region;
    resources extended; /* that a node has because pods ask for it */
    struct node_size size;
    struct quantity disk; /* that the largest pod asks for */
    double nodes_by_room; /* that the pods fill */
    int32_t nodes_apart;  /* so many pods keep away from each other's nodes */
    int32_t zones_apart;  /* ... and from each other's zones */
    uint32_t zones_least; /* of `zones`, the first so many are needed; one more is for pods that a
                             lost node keeps */
    bool zones_count;     /* a rule that must be kept is about zones */
};

/* Adds what the pods ask of a node: labels, domains, resources. */
void node_wishes_add(struct node_needs *needs, const struct pod_spec *spec);
void node_wish_zone(struct node_needs *needs, const char *zone);
bool node_label_is_zone(const char *key);
/* A label that every node has with this value. */
bool node_label_is_usual(const struct label *label);

/* What a node has, `times` over. */
struct resource_list node_allocatable(struct arena *arena, const struct node_needs *needs,
                                      int32_t times);
/* Makes nodes so large that each pod fits on one. Then counts how many are needed. */
void node_counts_find(struct node_needs *needs);

/* So many nodes are needed for the pods of those workloads that `is_asked` is true of. */
typedef bool node_asked(const struct node_wish *wish, const void *what);
int32_t node_counts_of(const struct node_needs *needs, node_asked *is_asked, const void *what);

#endif
