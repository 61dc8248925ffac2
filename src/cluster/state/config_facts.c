/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Facts about node configs, computed once for each: there are millions of states, but few
 * configs.
 *
 * Configs are numbered in the order in which they are interned. Looking one up
 * here interns nothing, so states are the same with and without.
 */
#include "cluster/state/config_facts.h"
#include "cluster/state/config_room.h"
#include "cluster/state/configs.h"
#include "cluster/state/nodes.h"
#include "cluster/state/population_model.h"
#include "cluster/state/worker.h"
#include "cluster/state/workloads.h"

#include <assert.h>

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
        .room = config_room(worker, config, false),
        .room_later = config_room(worker, config, true),
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
