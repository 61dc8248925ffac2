/* SPDX-License-Identifier: Apache-2.0 */
/* Nodes with the pods on them, as numbers of the catalog: what such a config means
 * to the model, and what comes of its changes. */
#ifndef FATHOM_CLUSTER_STATE_CONFIGS_H
#define FATHOM_CLUSTER_STATE_CONFIGS_H

#include "cluster/state/config_facts.h"
#include "cluster/state/nodes.h"
#include "cluster/state/population_worker.h"
#include "cluster/state/workloads.h"

#include <stdbool.h>
#include <stdint.h>

struct class_info;
struct node_config;
struct population_worker;

/* All pods of a config: those on the node and, behind them in its `pods`, those
 * that wait for this node alone. */
static inline uint32_t config_entry_count(const struct node_config *config)
{
    return config->pod_entry_count + config->waiting_entry_count;
}

/* The config with one pod of `from` (VIEW_NONE: none) replaced by one of `to`
 * (VIEW_NONE: none). */
uint32_t config_replace(struct population_worker *worker, uint32_t config, uint32_t from,
                        uint32_t to);
/* The same pods on a node in another condition. */
uint32_t config_with_condition(struct population_worker *worker, uint32_t config,
                               enum node_condition condition);
/* The same pods on a node of another template. */
uint32_t config_on(struct population_worker *worker, uint32_t config, uint32_t template);
/* The same node as the one that pods waiting for it may go to. */
uint32_t config_as_target(struct population_worker *worker, uint32_t config);

/* Pods on a node that does not answer, or is gone, are marked not ready. */
static inline bool pod_is_ready_in(const struct class_info *info, enum node_condition condition)
{
    return info->stage == STAGE_READY && condition_traits[condition].ready;
}

/* Does a pod on a node of this config count as ready? */
static inline bool pod_is_ready_on(struct population_worker *worker, const struct class_info *info,
                                   uint32_t config)
{
    return pod_is_ready_in(info, config_condition(worker, config));
}

#endif
