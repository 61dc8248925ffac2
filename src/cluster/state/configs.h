/* SPDX-License-Identifier: Apache-2.0 */
/* Nodes with the pods on them, as numbers of the catalog: the meaning of such a
 * config, and its changes. */
#ifndef FATHOM_CLUSTER_STATE_CONFIGS_H
#define FATHOM_CLUSTER_STATE_CONFIGS_H

#include "cluster/forward.h"
#include "cluster/state/config_facts.h"
#include "cluster/state/nodes.h"
#include "cluster/state/population_model.h"
#include "cluster/state/worker.h"
#include "cluster/state/workloads.h"

#include <stdbool.h>
#include <stdint.h>

/* The config of this number. */
static inline const struct node_config *config_at(const struct worker *worker, uint32_t number)
{
    return worker->catalog->configs.items[number];
}

/* What the nodes of the config look like. */
static inline const struct template_info *config_template(const struct worker *worker,
                                                          uint32_t number)
{
    return &worker->population->templates.items[config_at(worker, number)->template->id];
}

/* What a pod of the class is to the model. */
static inline const struct class_info *class_info(const struct worker *worker, uint32_t class)
{
    return &worker->classes.items[class];
}

/* The revision that pods of the class are of. */
static inline const struct revision *class_revision(const struct worker *worker, uint32_t class)
{
    return &worker->population->revisions.items[class_info(worker, class)->revision];
}

/* The workload that pods of the revision are of. */
static inline const struct workload *revision_workload(const struct population *population,
                                                       uint32_t revision)
{
    return &population->workloads.items[population->revisions.items[revision].workload];
}

/* All pods of a config: those on the node and, behind them in its `pods`, those
 * that wait for this node alone. */
static inline uint32_t config_entry_count(const struct node_config *config)
{
    return config->pod_entry_count + config->waiting_entry_count;
}

/* The config with one pod of `from` (VIEW_NONE: none) replaced by one of `to`
 * (VIEW_NONE: none). */
uint32_t config_replace(struct worker *worker, uint32_t config, uint32_t from, uint32_t to);
/* The same pods on a node in another condition. */
uint32_t config_with_condition(struct worker *worker, uint32_t config,
                               enum node_condition condition);
/* The same once the cluster autoscaler has tainted the node, or taken its taint away: it stays
 * under the pressure that it is under. */
uint32_t config_marked(struct worker *worker, uint32_t config, enum node_condition condition);
/* The same in another condition, in which the node is as old as it was in this one. */
uint32_t config_keeping_age(struct worker *worker, uint32_t config, enum node_condition condition);
/* The same pods on a node of another template. */
uint32_t config_on(struct worker *worker, uint32_t config, uint32_t template);
/* The same with its node as one of another kind. */
uint32_t config_in_kind(struct worker *worker, uint32_t config, uint32_t kind);
/* The config of the same node as the only one that a waiting pod may go to. */
uint32_t config_as_target(struct worker *worker, uint32_t config);

/* Pods on a node that does not answer, or is gone, are marked not ready. */
static inline bool pod_is_ready_in(const struct class_info *info, enum node_condition condition)
{
    return info->stage == STAGE_READY && condition_traits[condition].ready;
}

/* Does a pod on a node of this config count as ready? */
static inline bool pod_is_ready_on(struct worker *worker, const struct class_info *info,
                                   uint32_t config)
{
    return pod_is_ready_in(info, config_condition(worker, config));
}

#endif
