/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What expressions can ask of a state: pods, nodes, zones, workloads, autoscalers, budgets, events
 * (docs/expressions.md).
 *
 * A state counts its pods and nodes, so that they are bags of objects here: a pod is all pods of
 * one class on nodes of one entry, a node is all nodes of one entry. expression_cluster.c has the
 * tables of variables and fields; what is read is in a file for each subject.
 */
#ifndef FATHOM_CLUSTER_ASK_EXPRESSION_CLUSTER_H
#define FATHOM_CLUSTER_ASK_EXPRESSION_CLUSTER_H

#include "cluster/forward.h"
#include "expression/expression.h"

/* The context of an evaluation. */
struct expression_cluster {
    struct worker *worker;
    const struct state *state;
    const struct cluster_classes *classes;
    const struct expression_value *workloads; /* the map of them (expression_workloads) */
};

/* The classes of objects, for those who make objects of them. */
struct cluster_classes {
    const struct expression_class *pod;
    const struct expression_class *node;
    const struct expression_class *taint;
    const struct expression_class *zone;
    const struct expression_class *workload;
    const struct expression_class *autoscaler;
    const struct expression_class *budget;
    const struct expression_class *event;
};

struct expression_cluster expression_cluster(struct worker *worker, const struct state *state,
                                             const struct expression_value *workloads);
/* The map of the workloads of the scope, which is the same in all states. */
struct expression_value expression_workloads(const struct cluster_classes *of,
                                             const struct scope *scope, struct arena *arena);
/* The map of the events of the Check, which is the same in all states of a model. */
struct expression_value expression_events(const struct cluster_classes *of,
                                          const struct population *population, struct arena *arena);

extern const struct expression_environment cluster_environment;

#endif
