/* SPDX-License-Identifier: Apache-2.0 */
/* Which workloads have to be verified together, because more than room on nodes is between them. */
#ifndef FATHOM_CLUSTER_REDUCE_COUPLINGS_H
#define FATHOM_CLUSTER_REDUCE_COUPLINGS_H

#include "cluster/forward.h"
#include "cluster/others.h"

#include <stdbool.h>
#include <stdint.h>

enum coupling_rule {
    COUPLED_BY_SCHEDULER, /* a plugin looks at pods of the other */
    COUPLED_BY_DISK,
    COUPLED_BY_BUDGET,
    COUPLED_BY_SERVICE,
    COUPLED_BY_AUTOSCALER,
    COUPLED_BY_QUOTA,
    COUPLED_BY_WEBHOOK,
    COUPLED_BY_APPLY,
    /* All workloads are coupled. */
    COUPLED_BY_DESCHEDULER,
    COUPLED_BY_CLUSTER_AUTOSCALER,
    COUPLED_BY_PRESSURE,
    COUPLED_BY_ADMISSION,
    COUPLED_BY_PANIC,
    COUPLED_BY_DELETE,
    COUPLED_BY_CONDITION,
    COUPLING_RULE_COUNT
};

/* Two workloads that are coupled. */
struct coupled {
    enum coupling_rule rule;
    const char *namespace; /* of the object that couples them; NULL: it has none */
    const char *name;      /* of the object, the plugin or the disk; NULL: it has none */
    uint32_t one, other;   /* of the scope */
};

/* The priorities of the pods of a component, as priority_rank gives them. */
struct component_ranks {
    uint64_t lowest;
    uint64_t highest;
    bool preempts; /* true if each of its pods that finds no node preempts others */
};

struct components {
    uint32_t *of; /* by workload of the scope: the number of its component */
    uint32_t count;
    bool whole;             /* true if something looks at all pods of the cluster or of a node, so
                               that no component can be explored beside others */
    const char **resources; /* extended ones that pods ask for */
    uint32_t resource_count;
    uint32_t nodes_back;          /* nodes that can have been away and come back, at most */
    struct zones_back zones_back; /* which ones, if outages take whole zones */
    uint64_t lowest_rank;         /* of the priority of all pods (priority_rank) */
    uint64_t highest_rank;
    struct component_ranks *ranks; /* by component */
    /* True if a pod that is preempted by another component makes no difference to anybody but its
     * own, and the room that is made is kept for the pod that preempts. */
    bool preempts_apart;
    /* Why workloads are in one component: as few couplings as make it one. */
    struct coupled *couplings;
    uint32_t coupling_count;
    uint64_t shared_quotas; /* bit q: workloads of several components may be charged to the
                               ResourceQuota with this number */
};

/* Finds the components of the model's workloads: those that are coupled are in one. There is only
 * one if something looks at all pods of the cluster. `tied`, bit q: the ResourceQuota with this
 * number couples those that are charged to it. Others are shared if they can be. */
void population_components(struct arena *arena, const struct population *population, uint64_t tied,
                           struct components *components);

#endif
