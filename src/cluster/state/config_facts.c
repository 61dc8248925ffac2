/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Facts about node configs, computed once for each: there are millions of states, but few
 * configs.
 *
 * Configs are numbered in the order in which they are interned. Looking one up
 * here interns nothing, so states are the same with and without.
 */
#include "cluster/state/config_facts.h"
#include "cluster/state/configs.h"
#include "cluster/state/nodes.h"
#include "cluster/state/population_model.h"
#include "cluster/state/worker.h"
#include "cluster/state/workloads.h"

#include <assert.h>
#include <string.h>

enum { CHANGE_SLOTS_FIRST = 64 };

static struct revision_pods *pods_of(struct revision_pods *pods, uint32_t *count, uint32_t revision)
{
    for (uint32_t i = 0; i < *count; i++)
        if (pods[i].revision == revision)
            return &pods[i];
    pods[*count] = (struct revision_pods){.revision = revision};
    return &pods[(*count)++];
}

static struct config_facts find(struct worker *worker, const struct node_config *config)
{
    const enum node_condition condition =
        worker->population->templates.items[config->template->id].condition;
    struct config_facts facts = {
        .known = true,
        .condition = condition,
        .tainted = config->template->node->spec.taint_count > 0,
    };
    struct revision_pods *pods =
        ARENA_ARRAY(&worker->arena, struct revision_pods, config_entry_count(config));
    for (uint32_t p = 0; p < config_entry_count(config); p++) {
        const struct class_info *info = class_info(worker, config->pods[p].pod);
        const uint32_t count = config->pods[p].count;
        struct revision_pods *of = pods_of(pods, &facts.pod_count, info->revision);
        if (info->stage == STAGE_TERMINATING)
            of->terminating += count;
        else
            of->active += count;
        if (pod_is_ready_in(info, condition))
            of->ready += count;
        facts.kubelet_acts |= condition_traits[condition].works && info->stage != STAGE_READY &&
                              info->stage != STAGE_WAITING;
    }
    facts.pods = pods;
    return facts;
}

const struct config_facts *config_facts_find(struct worker *worker, uint32_t config)
{
    assert(config < worker->catalog->configs.count);
    while (worker->facts.count <= config)
        VEC_PUSH(&worker->arena, &worker->facts, (struct config_facts){0});
    worker->facts.items[config] = find(worker, config_at(worker, config));
    return &worker->facts.items[config];
}

static struct config_change *slot_of(struct worker *worker, uint32_t config, uint32_t from,
                                     uint32_t to)
{
    uint64_t hash = ((uint64_t)config << 32 | from) * UINT64_C(0x9e3779b97f4a7c15);
    hash = ((hash ^ hash >> 32) + to) * UINT64_C(0x9e3779b97f4a7c15);
    for (uint32_t at = (uint32_t)(hash >> 32);; at++) {
        struct config_change *change = &worker->changes[at & (worker->change_slots - 1)];
        if (change->result == 0 ||
            (change->config == config && change->from == from && change->to == to))
            return change;
    }
}

static void grow(struct worker *worker)
{
    const struct config_change *old = worker->changes;
    const uint32_t old_slots = worker->change_slots;
    worker->change_slots = old_slots == 0 ? CHANGE_SLOTS_FIRST : 2 * old_slots;
    worker->changes = ARENA_ARRAY(&worker->arena, struct config_change, worker->change_slots);
    for (uint32_t i = 0; i < old_slots; i++)
        if (old[i].result != 0)
            *slot_of(worker, old[i].config, old[i].from, old[i].to) = old[i];
}

bool config_change_known(struct worker *worker, uint32_t config, uint32_t from, uint32_t to,
                         uint32_t *result)
{
    const struct config_change *change =
        worker->change_slots == 0 ? NULL : slot_of(worker, config, from, to);
    if (!change || change->result == 0)
        return false;
    *result = change->result - 1;
    return true;
}

void config_change_remember(struct worker *worker, uint32_t config, uint32_t from, uint32_t to,
                            uint32_t result)
{
    if (2 * worker->change_count >= worker->change_slots)
        grow(worker);
    worker->change_count++;
    *slot_of(worker, config, from, to) = (struct config_change){config, from, to, result + 1};
}
