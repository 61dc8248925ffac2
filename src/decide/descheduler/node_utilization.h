/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What LowNodeUtilization and HighNodeUtilization share: usage against
 * thresholds, and moving pods from source nodes as long as destinations have
 * room in every resource.
 *
 * Usage is what pods request, of cpu, memory, the number of pods, and every
 * other resource that the thresholds name.
 */
#ifndef FATHOM_DECIDE_DESCHEDULER_NODE_UTILIZATION_H
#define FATHOM_DECIDE_DESCHEDULER_NODE_UTILIZATION_H

#include "decide/descheduler/descheduler_plugins.h"

enum { UTILIZATION_PODS = UINT32_MAX - 1 }; /* the resource "pods" */

struct utilized_resource {
    const char *name;
    uint32_t resource; /* of the cluster, UTILIZATION_PODS, or VIEW_NONE: no pod requests it */
    double low_percent;
    double high_percent;
};

struct utilized_node {
    uint32_t node;
    int64_t *capacity; /* by resource below, as are the others */
    int64_t *usage;
    int64_t *low;
    int64_t *high;
};

/* Room that is left, and how it depends on the number of nodes. */
struct utilization_room {
    int64_t available;
    int64_t of_each;       /* of each of these pristine nodes */
    struct node_sum nodes; /* pristine destinations; mixed: not all of them have as much room */
};

struct utilization {
    struct cycle *cycle;
    const struct string_list *exclude_namespaces;
    VEC(struct utilized_resource) resources;
    VEC(struct utilized_node) nodes; /* of the cycle */
    VEC(uint32_t) sources;           /* into nodes */
    VEC(uint32_t) destinations;
    struct utilization_room *room; /* by resource: of all destinations */
    bool down_to_target; /* stop with a source that is no longer above its high threshold */
};

/* The resources of the thresholds, with cpu, memory and pods in any case. */
void utilization_init(struct utilization *utilization, struct cycle *cycle,
                      const struct resource_percentages *low,
                      const struct resource_percentages *high, double absent);
/* Usage and thresholds of every node; with deviation thresholds lie about the average. */
void utilization_measure(struct utilization *utilization, bool deviation);

bool utilization_is_low(const struct utilization *utilization, const struct utilized_node *node);
bool utilization_is_above(const struct utilization *utilization, const struct utilized_node *node);

/* Evicts from the sources, the most used first or last. */
void utilization_move(struct utilization *utilization, bool most_used_first);

/* Tells what was measured. False, with the reason told, when so many of the nodes are
 * below the threshold, which are `low` (into nodes), that there is nothing to do. */
bool utilization_calls_for_moves(struct utilization *utilization, const uint32_t *low,
                                 uint32_t count, int32_t number_of_nodes);

#endif
