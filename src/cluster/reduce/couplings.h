/* SPDX-License-Identifier: Apache-2.0 */
/* Which workloads have to be verified together, because more than room on nodes is between them. */
#ifndef FATHOM_CLUSTER_REDUCE_COUPLINGS_H
#define FATHOM_CLUSTER_REDUCE_COUPLINGS_H

#include "cluster/forward.h"
#include "cluster/others.h"

#include <stdint.h>

enum coupling_rule {
    COUPLED_BY_SCHEDULER, /* a plugin looks at pods of the other */
    COUPLED_BY_DISK,
    COUPLED_BY_BUDGET,
    COUPLED_BY_SERVICE,
    COUPLED_BY_AUTOSCALER,
    COUPLED_BY_APPLY,
    /* All workloads are coupled. */
    COUPLED_BY_DESCHEDULER,
    COUPLED_BY_PRESSURE,
    COUPLED_BY_ADMISSION,
    COUPLED_BY_PANIC,
    COUPLED_BY_DELETE,
    COUPLING_RULE_COUNT
};

/* Two workloads that are coupled. */
struct coupled {
    enum coupling_rule rule;
    const char *namespace; /* of the object that couples them; NULL: it has none */
    const char *name;      /* of the object, the plugin or the disk; NULL: it has none */
    uint32_t one, other;   /* of the scope */
};

struct components {
    uint32_t *of; /* by workload of the scope: the number of its component */
    uint32_t count;
    const char **resources; /* extended ones that pods ask for */
    uint32_t resource_count;
    uint32_t nodes_back;          /* nodes that can have been away and come back, at most */
    struct zones_back zones_back; /* which ones, if outages take whole zones */
    uint64_t lowest_rank;         /* of the priority of all pods (priority_rank) */
    uint64_t highest_rank;
    /* Why workloads are in one component: as few couplings as make it one. */
    struct coupled *couplings;
    uint32_t coupling_count;
};

/* Finds the components of the model's workloads: those that are coupled are in one. There is only
 * one if something looks at all pods of the cluster. */
void population_components(struct arena *arena, const struct population *population,
                           struct components *components);

#endif
