/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The room that pods hold where runs start from a dump.
 *
 * A workload of which no pod is ever bound can only lose pods: on each node it never holds more
 * than at the start. So it is known where its pods are, while those of others may be anywhere.
 */
#ifndef FATHOM_CLUSTER_ASK_ROOM_AT_START_H
#define FATHOM_CLUSTER_ASK_ROOM_AT_START_H

#include "cluster/forward.h"
#include "cluster/others.h"

struct room_at_start {
    uint32_t node_count; /* 0: runs do not start from a dump */
    uint32_t component_count;
    const uint32_t *groups; /* by node: its group (number of the scope) */
    struct room *rooms;     /* by node and component */
};

/* Measures it for each component; `of`: the component of each workload. */
void room_at_start_find(struct arena *arena, const struct population *population,
                        const uint32_t *of, uint32_t component_count,
                        struct room_at_start *at_start);

/* The most that the components with `stays` hold on one node, by group of the scope. */
struct room *room_of_staying(struct arena *arena, const struct room_at_start *at_start,
                             const bool *stays, uint32_t group_count);

#endif
