/* SPDX-License-Identifier: Apache-2.0 */
#include "cluster/state/config_room.h"
#include "base/saturating.h"
#include "cluster/state/configs.h"
#include "cluster/state/nodes.h"
#include "cluster/state/worker.h"
#include "cluster/state/workloads.h"

static int64_t share(int64_t left, int64_t all)
{
    return all <= 0 ? ROOM_OF_NODE : left <= 0 ? 0 : left * ROOM_OF_NODE / all;
}

static int64_t lesser(int64_t a, int64_t b)
{
    return a < b ? a : b;
}

int64_t config_room(const struct worker *worker, const struct node_config *config, bool later)
{
    const struct node_template *template = config->template;
    struct amounts left = template->allocatable;
    int64_t pods = 0;
    for (uint32_t p = 0; p < config->pod_entry_count; p++) {
        if (later && class_info(worker, config->pods[p].pod)->stage == STAGE_TERMINATING)
            continue;
        pods += config->pods[p].count;
        const struct amounts *requests =
            &worker->catalog->pods.items[config->pods[p].pod]->shape->requests;
        left.cpu_milli = saturating_subtract(
            left.cpu_milli, saturating_multiply(config->pods[p].count, requests->cpu_milli));
        left.memory = saturating_subtract(
            left.memory, saturating_multiply(config->pods[p].count, requests->memory));
        left.ephemeral_storage = saturating_subtract(
            left.ephemeral_storage,
            saturating_multiply(config->pods[p].count, requests->ephemeral_storage));
    }
    return lesser(lesser(share(left.cpu_milli, template->allocatable.cpu_milli),
                         share(left.memory, template->allocatable.memory)),
                  lesser(share(left.ephemeral_storage, template->allocatable.ephemeral_storage),
                         share(template->allocatable_pods - pods, template->allocatable_pods)));
}
