/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What a loop finds out once for all nodes of a class: they differ in their names and in those of
 * their pods only, so the answers are the same as long as the simulation has moved no pod to or
 * from the node.
 */
#ifndef FATHOM_DECIDE_AUTOSCALER_CLASS_FACTS_H
#define FATHOM_DECIDE_AUTOSCALER_CLASS_FACTS_H

#include "decide/autoscaler/autoscaler.h"

/* Which pods must move; by their places on the node. */
struct moving_facts {
    bool known;
    enum blocking_reason reason; /* BLOCKED_NOT: none blocks */
    uint32_t blocking;
    uint32_t *moving;
    uint32_t count;
};

struct class_facts {
    uint32_t class;
    struct listed_node listed; /* a node of it */
    bool has_expendable;       /* some of its pods are, and not in the simulation */
    bool has_config;
    uint32_t template, config; /* of the catalog */
    bool has_utilization;
    double utilization;
    struct moving_facts moving[2]; /* without and with controllers and budgets */
};

/* The facts of the node's class if the simulation has left its pods alone; else NULL. */
static inline struct class_facts *class_facts_now(const struct cluster_autoscaler *autoscaler,
                                                  const struct simulated_node *node)
{
    return node->class > 0 ? &autoscaler->facts[node->class - 1] : NULL;
}

#endif
