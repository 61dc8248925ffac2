/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The ResourceQuotas that pods of the model are charged to.
 *
 * Where pods of workloads that are not modelled (others.h) are charged to a quota, too, it is not
 * known what it has left. It is *shared* then: a creation may be refused at any time, for ever if
 * nothing is known of the others, and for a while if all of them together leave enough of it in the
 * end (verify/modular_quotas.c).
 */
#ifndef FATHOM_CLUSTER_STATE_QUOTAS_H
#define FATHOM_CLUSTER_STATE_QUOTAS_H

#include "object/policy.h"

/* One name of a quota that some pods use. */
struct quota_line {
    const char *name;
    uint32_t number; /* among the names of all ResourceQuotas */
    quantity_nanos hard;
    quantity_nanos *uses; /* by revision: what a pod of it is charged; 0: nothing */
};

struct population_quota {
    const struct resource_quota *quota; /* with status.hard as its controller writes it */
    struct quota_line *lines;
    uint32_t line_count;
    bool *charges;   /* by revision: true if its pods use something that the quota limits */
    uint32_t number; /* among the ResourceQuotas of the manifests */
};

#endif
