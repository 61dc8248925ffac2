/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A state as the cluster autoscaler lists it: every node and every pod with a name. Nodes of one
 * entry of the state are interchangeable, and are known to be (`alike` of their records is the
 * entry plus one).
 */
#ifndef FATHOM_CLUSTER_ASK_SCALING_PICTURE_H
#define FATHOM_CLUSTER_ASK_SCALING_PICTURE_H

#include "cluster/forward.h"
#include "decide/autoscaler/autoscaler.h"

/* What of all states is the same: a pod of each revision, and one of each zone in which its volume
 * may be. */
struct scaling_prototypes {
    struct pod_kinds kinds;
    struct autoscaler_pod **pods;     /* by revision */
    struct autoscaler_pod ***at_home; /* by revision and place; NULL: its volumes follow it */
};

struct picture_node {
    const struct node *node;
    uint32_t entry;
    uint32_t group;  /* the scaled group; UINT32_MAX: none */
    bool is_timed;   /* with clocks: it is not needed, or not ready, */
    bool is_due;     /* and has been so for long enough */
    bool leaving;    /* it is being removed */
    bool has_movers; /* and has pods that have to go first */
};

struct scaling_picture {
    struct world_lists lists;
    struct autoscaler_world world;
    VEC(struct picture_node) nodes;
    int64_t *targets;  /* by scaled group */
    int64_t *ordered;  /* by scaled group: those that have not come */
    int64_t *lost;     /* by scaled group: those whose Node object was deleted */
    int64_t *given_up; /* with clocks: those of them that are not expected to register any more */
};

/* In the worker's own arena; the same in every call. */
struct scaling_prototypes *scaling_prototypes(struct worker *worker);

/* The revision of a pod of a picture; UINT32_MAX: of none. */
static inline uint32_t scaling_revision_of(const struct autoscaler_pod *pod)
{
    return pod->mark - 1;
}

/* Does a node of the config have pods that have to go before it is removed? */
bool config_has_movers(const struct worker *worker, const struct node_config *config);

/* With clocks: has the node of the entry not been needed, or not been ready, for so long that it
 * may be removed? */
bool removal_is_due(struct worker *worker, const struct state *state, uint32_t entry);

/* With clocks: is it a machine whose Node was deleted so long ago that it is not expected to
 * register any more? */
bool instance_is_given_up(struct worker *worker, const struct state *state, uint32_t entry);

/* In the scratch arena. */
void scaling_picture(struct worker *worker, const struct state *state,
                     struct scaling_picture *picture);

#endif
