/* SPDX-License-Identifier: Apache-2.0 */
/* CPU that pods use, and the load that workloads bear. */
#ifndef FATHOM_CLUSTER_ASK_USAGE_H
#define FATHOM_CLUSTER_ASK_USAGE_H

#include "cluster/forward.h"
#include "cluster/state/nodes.h"
#include "decide/view.h"
#include "object/check.h"

struct cpu_level;

struct usage {
    struct worker *worker;
    int64_t *shares; /* by workload, of its load; -1: it bears none; NULL: none does */
};

struct usage usage_of(struct worker *worker, const struct state *state);
/* What a ready pod of the class uses, on a node in this condition. */
int64_t usage_of_pod(const struct usage *usage, const struct class_info *info,
                     enum node_condition condition);

/* CPU that the ready pods of a node use, in thousandths. */
int64_t node_cpu_used(const struct usage *usage, const struct node_config *config);

/* An amount of CPU, or a percentage of `whole`. */
int64_t level_amount(const struct cpu_level *level, int64_t whole);
int64_t pod_cpu_request(const struct features *features, const struct pod_spec *spec);

#endif
