/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What the cluster autoscaler of a model is told: its flags, and the groups of nodes that it
 * scales. The nodes that a group may have are in every state, whether they are there or not
 * (conditions.def); the group's target is the number of those that the provider was asked for.
 */
#ifndef FATHOM_CLUSTER_STATE_AUTOSCALING_H
#define FATHOM_CLUSTER_STATE_AUTOSCALING_H

#include "cluster/forward.h"
#include "cluster/state/nodes.h"
#include "decide/autoscaler/autoscaler_options.h"
#include "object/node.h"

/* The second in which all loops run: what is left of a period is not kept, because any time may
 * pass. It is the value of the taint of nodes that are removed. */
#define AUTOSCALING_NOW_SECONDS 1700000000
#define AUTOSCALING_NOW_TEXT    "1700000000"

struct scaled_group {
    uint32_t group; /* of the scope */
    const char *name;
    int64_t least;
    int64_t most;
    const struct node *node; /* what the provider says that its nodes are like ... */
    const struct node *seen; /* ... and what they are like; NULL: the same */
    bool has_price;
    double price; /* of a node, for an hour */
    double utilization_threshold;
    int64_t unneeded_time; /* nanoseconds */
    int64_t unready_time;
};

struct autoscaling {
    struct autoscaler_options options;
    const char *priorities; /* of the priority expander; NULL: there are none */
    struct scaled_group *groups;
    uint32_t group_count;
    uint32_t
        *number_of; /* by group of the scope: its number among these, plus one; 0: not scaled */
};

/* The number of the scaled group that nodes of the config belong to; UINT32_MAX: of none. */
uint32_t config_scaled_group(const struct worker *worker, uint32_t config);

/* How many nodes of the scaled group the provider was asked for. */
uint32_t state_group_target(struct worker *worker, const struct state *state, uint32_t number);

/* Is the group larger than it has to be? */
bool state_group_is_above_min(struct worker *worker, const struct state *state, uint32_t number);

/* Is a node of the config an instance of a scaled group whose Node object was deleted? */
bool config_is_lost_instance(struct worker *worker, uint32_t config);

/* Does a provider say something else of its nodes than what they are? */
bool autoscaling_has_templates(const struct autoscaling *autoscaling);

/* Notes that a node of the scaled group has come, where that makes a difference. */
void state_note_template(const struct population *population, struct state *state, uint32_t number);

/* The config of a node of the same kind that is in this condition and has no pods, nor images. */
uint32_t config_emptied(struct worker *worker, uint32_t config, enum node_condition condition);

#endif
