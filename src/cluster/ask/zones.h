/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Does the node lifecycle controller taint nodes in the present state? It does not where most of
 * a zone does not answer, and nowhere when no node answers. The controller itself is asked
 * (decide/controller/node_lifecycle.h).
 */
#ifndef FATHOM_CLUSTER_ASK_ZONES_H
#define FATHOM_CLUSTER_ASK_ZONES_H

#include "base/arena.h"
#include "cluster/forward.h"
#include "decide/features.h"
#include "decide/node_reads.h"
#include "object/node.h"

struct features;

struct zone_census {
    int64_t ready;
    struct node_sum answering; /* the same, as the number of nodes changes it */
    int64_t not_ready;
    int64_t unnoticed; /* of those that count as ready: they have stopped */
    /* The answers. */
    bool taints;         /* nodes of this zone that are not ready get NoExecute taints */
    bool taints_noticed; /* those that are not noticed yet may get them when they are */
};

/* True unless no node answers: then there are no NoExecute taints at all. */
bool zones_judge(struct arena *scratch, const struct features *features, struct zone_census *zones,
                 uint32_t count);

/* How long a node may be silent, in nanoseconds. */
int64_t zones_monitor_grace(const struct features *features);

/* Are both nodes in the same zone of the same region? */
bool zones_are_same(struct arena *scratch, const struct node *left, const struct node *right);

#endif
