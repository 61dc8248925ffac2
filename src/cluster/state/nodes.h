/* SPDX-License-Identifier: Apache-2.0 */
/* Kinds of nodes, and what they look like in every condition that they may come
 * into. */
#ifndef FATHOM_CLUSTER_STATE_NODES_H
#define FATHOM_CLUSTER_STATE_NODES_H

#include "cluster/forward.h"
#include "object/check.h"
#include "object/node.h"
#include "object/pod.h"

/* The conditions of a node (conditions.def). */
enum node_condition {
#define CONDITION(constant, word, ready, works, evicts, reached, returns, becomes, noticed) \
    constant,
#include "cluster/state/conditions.def"
#undef CONDITION
    NODE_CONDITION_COUNT
};

struct condition_traits {
    const char *word;
    bool ready;
    bool works;
    bool evicts;
    bool reached;
    bool returns;
    enum node_condition becomes;
    enum node_condition noticed;
};

extern const struct condition_traits condition_traits[NODE_CONDITION_COUNT];

enum { PRESSURE_MASKS = 8, PRESSED_ROWS = 3 };

struct template_info {
    uint32_t group;
    uint32_t node; /* for a named node its number, otherwise 0 */
    enum node_condition condition;
    uint32_t slot;      /* of its cohort (clock.h); 0 without clocks */
    uint32_t target;    /* the template of such a node as the only one that a pod may go to */
    uint32_t pressures; /* bits of enum kubelet_pressure */
    bool passes;        /* true if the pressure is sure to end some day */
    uint32_t zone;      /* of the node lifecycle controller; UINT32_MAX: not counted */
};

/* Has a node in this condition stopped without the node lifecycle controller knowing it? */
static inline bool condition_is_unnoticed(enum node_condition condition)
{
    return condition_traits[condition].noticed != condition;
}

/* Is a node in this condition one that its group may still get? */
static inline bool condition_is_to_come(enum node_condition condition)
{
    return condition == NODE_ORDERED || condition == NODE_FAILED || condition == NODE_ABSENT;
}

/* Is there no object of a node in this condition: it is deleted, or was not made yet? */
static inline bool condition_is_gone(enum node_condition condition)
{
    return condition == NODE_GONE || condition == NODE_GONE_AWHILE ||
           condition_is_to_come(condition);
}

/* Is a node in this condition up, and may pods come to it? */
static inline bool condition_is_up(enum node_condition condition)
{
    return condition == NODE_UP || condition == NODE_CANDIDATE || condition == NODE_UNNEEDED;
}

/* With clocks: does the cluster autoscaler not need a node in this condition? */
static inline bool condition_is_unneeded(enum node_condition condition)
{
    return condition == NODE_CANDIDATE || condition == NODE_UNNEEDED;
}

/* Does a node in this condition run pods, so that it may fail, or come under pressure? */
static inline bool condition_is_in_use(enum node_condition condition)
{
    return condition_is_up(condition) || condition == NODE_LEAVING;
}

/* Is there an object of a node in this condition? */
static inline bool condition_is_listed(enum node_condition condition)
{
    return !condition_is_gone(condition) && condition != NODE_POOL;
}

/* Is the node's object there? The node lifecycle controller looks at no other nodes. */
static inline bool template_is_listed(const struct template_info *info)
{
    return condition_is_listed(info->condition);
}

struct node_kind {
    uint32_t group;
    bool named;
    bool distinguished; /* true if it is the one distinguished node of those of the next kind
                           (distinguished_node.c) */
    bool shared;        /* true if several nodes are of it */
    uint32_t pulled;    /* the sets of images that such a node has pulled, as bits (images.h) */
    uint32_t images;    /* those that it has: pulled, or reported from the beginning */
    uint32_t templates[NODE_CONDITION_COUNT];
    uint32_t timed[NODE_CONDITION_COUNT]; /* the first of those by slot (clock.h) */
    /* In use, and under pressure: by the taint of the cluster autoscaler (pressed_row), by its
     * bits, and whether it passes. 0: never. */
    uint32_t pressed[PRESSED_ROWS][PRESSURE_MASKS][2];
};

static inline uint32_t pressed_row(enum node_condition condition)
{
    return condition == NODE_CANDIDATE ? 1 : condition == NODE_LEAVING ? 2 : 0;
}

/* The template of such a node in the condition, under pressure. */
static inline uint32_t kind_pressed(const struct node_kind *kind, enum node_condition condition,
                                    uint32_t pressures, bool passes)
{
    return kind->pressed[pressed_row(condition)][pressures][passes];
}

#endif
