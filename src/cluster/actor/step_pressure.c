/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Kubelets of nodes that run low evict pods, one after the other, as long as the
 * pressure lasts. Budgets do not count.
 *
 * Which pod is evicted first depends on what pods use beyond their requests, which no
 * manifest says. It is certain that every pod uses something, so one that requests
 * nothing uses more than it requested. Beyond that, a pod may be evicted if it is the first
 * for some usage of the others.
 */
#include "cluster/actor_type.h"
#include "cluster/emit.h"
#include "cluster/state/actions.h"
#include "cluster/state/configs.h"
#include "cluster/state/happening.h"
#include "cluster/state/invariants.h"
#include "cluster/state/nodes.h"
#include "cluster/state/population_model.h"
#include "cluster/state/state.h"
#include "cluster/state/worker.h"
#include "cluster/state/workloads.h"
#include "decide/controller/kubelet.h"

/* More than any pod uses. */
#define VERY_MUCH INT64_C(1000000000000000)

static int64_t used_at_least(int64_t requested)
{
    return requested == 0 ? 1 : 0;
}

static struct kubelet_eviction_pod facts_of(struct worker *worker, const struct pod_count *pods,
                                            bool greedy)
{
    const struct pod_class *class = worker->catalog->pods.items[pods->pod];
    const struct class_info *info = class_info(worker, pods->pod);
    const bool runs = info->stage == STAGE_STARTING || info->stage == STAGE_READY;
    const int64_t memory = class->shape->requests.memory;
    const int64_t disk = class->shape->requests.ephemeral_storage;
    return (struct kubelet_eviction_pod){
        .count = runs ? pods->count : 0,
        .priority = class->shape->priority,
        .critical = kubelet_pod_is_critical(class->pod),
        .measured = true,
        .memory_used = greedy ? VERY_MUCH : used_at_least(memory),
        .memory_requested = memory,
        .disk_used = greedy ? VERY_MUCH : used_at_least(disk),
        .disk_requested = disk,
        .processes = greedy ? VERY_MUCH : 1,
    };
}

/* May a pod of this entry of the config be evicted first? */
static bool may_go(struct worker *worker, const struct node_config *config,
                   enum kubelet_signal signal, uint32_t entry)
{
    struct kubelet_eviction_pod *pods =
        ARENA_ARRAY(&worker->scratch, struct kubelet_eviction_pod, config->pod_entry_count + 1);
    bool *victims = ARENA_ARRAY(&worker->scratch, bool, config->pod_entry_count + 1);
    for (uint32_t p = 0; p < config->pod_entry_count; p++)
        pods[p] = facts_of(worker, &config->pods[p], p == entry);
    return kubelet_victims(signal, pods, config->pod_entry_count, victims) && victims[entry];
}

/* Does the kubelet wait for a pod that it has evicted to be gone? */
static bool busy(struct worker *worker, const struct node_config *config)
{
    for (uint32_t p = 0; p < config->pod_entry_count; p++)
        if (class_info(worker, config->pods[p].pod)->stage == STAGE_TERMINATING)
            return true;
    return false;
}

static void evict_one(struct expansion *expansion, uint32_t entry, enum kubelet_signal signal)
{
    struct worker *worker = expansion->worker;
    const struct node_config *config = state_config(worker, expansion->state, entry);
    for (uint32_t p = 0; p < config->pod_entry_count; p++)
        if (may_go(worker, config, signal, p))
            expansion_emit_eviction(expansion, ACT_PRESSURE_EVICT, entry, config->pods[p].pod);
}

static void step_pressure(struct expansion *expansion)
{
    struct worker *worker = expansion->worker;
    for (uint32_t n = 0; n < expansion->state->node_count; n++) {
        const struct node_config *config = state_config(worker, expansion->state, n);
        const struct template_info *info = config_template(worker, config->id);
        const uint32_t pressures = info->pressures;
        if (info->passes) {
            expansion->lazy = true;
            expansion_emit_node(expansion,
                                config_with_condition(worker, config->id, info->condition),
                                happening_at(ACT_PRESSURE_ENDS, n));
            expansion->lazy = false;
        }
        if (pressures == 0 || busy(worker, config))
            continue;
        /* Memory before everything else; among the others any comes first. */
        if (pressures & KUBELET_MEMORY_PRESSURE) {
            evict_one(expansion, n, KUBELET_MEMORY_AVAILABLE);
            continue;
        }
        if (pressures & KUBELET_DISK_PRESSURE)
            evict_one(expansion, n, KUBELET_NODEFS_AVAILABLE);
        if (pressures & KUBELET_PID_PRESSURE)
            evict_one(expansion, n, KUBELET_PID_AVAILABLE);
    }
}

const struct actor actor_kubelet_under_pressure = {
    .name = "kubelet under pressure",
    .step = step_pressure,
    .reads = PART_PODS | PART_NODES,
    .writes = PART_PODS | PART_NODES,
};
