/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The autoscaler's picture of the cluster, in which it simulates: nodes in a fixed order with the
 * pods on them. Changes since a fork can be taken back.
 *
 * Nodes are interned by what they are, not by their names, unless an object mentions one, and the
 * scheduler's filters see how many there are of each kind with equal pods. Only where a pod is put
 * goes by the order of nodes.
 */
#ifndef FATHOM_DECIDE_AUTOSCALER_SIMULATED_CLUSTER_H
#define FATHOM_DECIDE_AUTOSCALER_SIMULATED_CLUSTER_H

#include "base/text.h"
#include "base/word_lists.h"
#include "decide/autoscaler/autoscaler_pod.h"
#include "decide/scheduler/fit.h"

struct cluster_autoscaler;

struct simulated_node {
    const struct node *node;
    const char *name;  /* differs from those of all other nodes, also of former loops */
    const char *shown; /* as results call it */
    bool upcoming;     /* not registered yet */
    uint32_t alike;    /* as in its record; 0: a new node */
    uint32_t template; /* of the catalog */
    uint32_t config;
    const struct autoscaler_pod **pods; /* in the order in which they came */
    uint32_t pod_count;
    uint32_t capacity; /* of `pods`; 0: others read them, and they are copied when one changes */
    uint32_t class;    /* + 1, as the world has it as long as no pod was added or removed; or 0 */
    uint32_t fork;     /* in which it was copied */
};

/* A node as it was before. */
struct simulation_change {
    uint32_t position;
    struct simulated_node *before;
};

enum { SIMULATION_FORKS_MOST = 2 };

struct simulated_cluster {
    struct arena *arena;
    struct catalog *catalog;
    struct scheduler *scheduler;
    struct filter_fit *fit;
    struct map positions;  /* name -> position + 1; not of nodes that were added in a fork */
    uint32_t found_count;  /* nodes that are in `positions`; it is filled when somebody asks */
    VEC(uint32_t) classes; /* by shape of a pod, and whether it terminates: class + 1 */
    struct simulated_node **nodes; /* by position */
    uint32_t count;
    uint32_t capacity;
    uint32_t *configs;         /* by position */
    struct view_node *entries; /* each config that a node has, and how many have it */
    uint32_t entry_count;
    uint32_t entry_capacity;
    VEC(uint32_t) entry_of;  /* by config: entry + 1; 0: no node has it */
    VEC(uint32_t) last_of;   /* by config: the node that got it last */
    struct word_lists moves; /* config, class of a pod, and whether it comes or goes */
    VEC(uint32_t) moved;     /* the config after it */
    char *answers;           /* by entry: whether the pod that is asked about fits; 0: not known */
    struct cluster_autoscaler *mixes; /* who draws the order of nodes; NULL: they stay in order */
    uint32_t *index; /* where looking for a node goes on; outlives the simulation */
    VEC(struct simulation_change) changes; /* since the first fork */
    uint32_t fork_count;
    uint32_t fork_serial;
    struct simulation_fork {
        uint32_t count; /* of nodes, when it began */
        uint32_t changes;
        uint32_t serial;
    } forks[SIMULATION_FORKS_MOST];
};

enum { SIMULATION_NOWHERE = UINT32_MAX };

struct simulated_cluster *simulation_create(struct arena *arena, const struct features *features,
                                            const struct objects *surroundings, uint32_t *index);
void simulation_release(struct simulated_cluster *simulation);

/* A template for nodes of the catalog that differ in their names alone. */
uint32_t simulation_template(struct simulated_cluster *simulation, const struct node *node,
                             bool anonymous);

/* The nodes with their pods as a text, in which those that are interchangeable may stand for each
 * other. */
void simulation_tell(const struct simulated_cluster *simulation, struct text *text);

/* Adds a node behind all others; gives its position. Its pods are not copied as long as they stay.
 * A node with a class has its config already. */
uint32_t simulation_add_node(struct simulated_cluster *simulation,
                             const struct simulated_node *node);
void simulation_add_pod(struct simulated_cluster *simulation, uint32_t position,
                        const struct autoscaler_pod *pod);
/* The last pod of the node takes its place. */
void simulation_remove_pod(struct simulated_cluster *simulation, uint32_t position,
                           const struct autoscaler_pod *pod);

/* SIMULATION_NOWHERE if there is no such node. */
uint32_t simulation_find(struct simulated_cluster *simulation, const char *name);

void simulation_fork(struct simulated_cluster *simulation);
void simulation_revert(
    struct simulated_cluster *simulation); /* takes back what was done since the last fork */
void simulation_commit(struct simulated_cluster *simulation); /* keeps it */

/* May the pod run on this node? */
struct verdict simulation_check(struct simulated_cluster *simulation,
                                const struct autoscaler_pod *pod, uint32_t position);

/* Which nodes a pod may be put on. */
struct acceptable {
    uint32_t first; /* nodes before this position are not acceptable */
    bool (*accepts)(const void *context, uint32_t position); /* NULL: all are */
    const void *context;
};

/* The first node from the index on, once around, that the pod may run on; the index moves behind
 * it. SIMULATION_NOWHERE, and the index stays, if there is none. */
uint32_t simulation_fit_any(struct simulated_cluster *simulation, const struct autoscaler_pod *pod,
                            const struct acceptable *acceptable);

#endif
