/* SPDX-License-Identifier: Apache-2.0 */
/* Nodes with the pods on them, as numbers of the catalog: what such a config means
 * to the model, and what comes of its changes. */
#ifndef FATHOM_CLUSTER_STATE_CONFIGS_H
#define FATHOM_CLUSTER_STATE_CONFIGS_H

#include "cluster/state/population_model.h"

/* Pods of one revision on each node of a config, or waiting for it. */
struct revision_pods {
    uint32_t revision;
    uint32_t active; /* not terminating */
    uint32_t ready;
    uint32_t terminating;
};

/* What a config means to the model (config_facts.c). */
struct config_facts {
    bool known;
    enum node_condition condition;
    bool kubelet_acts; /* some pod is its kubelet's to look after */
    bool tainted;
    uint32_t pod_count;
    const struct revision_pods *pods; /* each revision that it has pods of */
};

/* ---- config_facts.c ---- */
/* Of a config that nobody has asked about yet. */
const struct config_facts *config_facts_find(const struct population *population, uint32_t config);

static inline const struct config_facts *config_facts(const struct population *population,
                                                      uint32_t config)
{
    return config < population->facts.count && population->facts.items[config].known
               ? &population->facts.items[config]
               : config_facts_find(population, config);
}

static inline enum node_condition config_condition(const struct population *population,
                                                   uint32_t config)
{
    return config_facts(population, config)->condition;
}

/* What comes of one change of a config. */
struct config_change {
    uint32_t config;
    uint32_t from;
    uint32_t to;
    uint32_t result; /* plus one; 0: the slot is free */
};

/* What came of the same change before: one pod of `from` replaced by one of `to`. */
bool config_change_known(const struct population *population, uint32_t config, uint32_t from,
                         uint32_t to, uint32_t *result);
void config_change_remember(struct population *population, uint32_t config, uint32_t from,
                            uint32_t to, uint32_t result);

/* All pods of a config: those on the node and, behind them in its `pods`, those
 * that wait for this node alone. */
static inline uint32_t config_entry_count(const struct node_config *config)
{
    return config->pod_entry_count + config->waiting_entry_count;
}

/* ---- population_state.c ---- */
/* The config with one pod of `from` (VIEW_NONE: none) replaced by one of `to`
 * (VIEW_NONE: none). */
uint32_t config_replace(struct population *population, uint32_t config, uint32_t from, uint32_t to);
/* The same pods on a node in another condition. */
uint32_t config_with_condition(struct population *population, uint32_t config,
                               enum node_condition condition);
/* The same pods on a node of another template. */
uint32_t config_on(struct population *population, uint32_t config, uint32_t template);
/* The same node as the one that pods waiting for it may go to. */
uint32_t config_as_target(struct population *population, uint32_t config);

/* ---- step_kubelets.c ---- */

/* ---- nominations.c ---- */
/* How many pending pods of the class have a place kept on each such node. */
uint32_t config_nominations(const struct population *population, uint32_t config, uint32_t class);
/* The config with a place more, or less, kept for a pod of the class. */
uint32_t config_nominate(struct population *population, uint32_t config, uint32_t class, bool add);
/* The config with no place kept for anybody. */
uint32_t config_without_nominations(struct population *population, uint32_t config);

/* Pods on a node that does not answer, or is gone, are marked not ready. */
static inline bool pod_is_ready_in(const struct class_info *info, enum node_condition condition)
{
    return info->stage == STAGE_READY && condition_traits[condition].ready;
}

/* Does a pod on a node of this config count as ready? */
static inline bool pod_is_ready_on(const struct population *population,
                                   const struct class_info *info, uint32_t config)
{
    return pod_is_ready_in(info, config_condition(population, config));
}

/* ---- fold.c ---- */
/* The same node as one of those that are like it, if it is apart from them. */
uint32_t config_folded(struct population *population, uint32_t config);

#endif
