/* SPDX-License-Identifier: Apache-2.0 */
#include "cluster/ask/tightness.h"
#include "base/saturating.h"
#include "cluster/state/config_facts.h"
#include "cluster/state/configs.h"
#include "cluster/state/nodes.h"
#include "cluster/state/state.h"
#include "cluster/state/worker.h"
#include "cluster/state/workloads.h"

/* A node is as full as the resource that it has least left of. */
enum { WHOLE_NODE = 1000 };

static int64_t share(int64_t left, int64_t all)
{
    return all <= 0 ? WHOLE_NODE : left <= 0 ? 0 : left * WHOLE_NODE / all;
}

static int64_t lesser(int64_t a, int64_t b)
{
    return a < b ? a : b;
}

/* What is left on a node of the config, in parts of the node. `later`: when all pods that terminate
 * are gone. */
static int64_t share_left(const struct worker *worker, const struct node_config *config, bool later)
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

int64_t state_tightness(struct worker *worker, const struct state *state)
{
    int64_t tightness = 0;
    for (uint32_t r = 0; r < worker->population->revisions.count; r++)
        tightness += state->pending[r];
    for (uint32_t n = 0; n < state->node_count; n++) {
        const struct view_node *entry = &state->nodes[n];
        if (condition_is_up(config_condition(worker, entry->config)))
            tightness -= entry->count * share_left(worker, config_at(worker, entry->config), false);
    }
    return tightness;
}

int64_t state_gap(struct worker *worker, const struct state *state)
{
    int64_t most = 0;
    for (uint32_t n = 0; n < state->node_count; n++) {
        const struct node_config *config = state_config(worker, state, n);
        if (!condition_is_up(config_condition(worker, config->id)))
            continue;
        const int64_t gap =
            share_left(worker, config, true) * (WHOLE_NODE + 1) + share_left(worker, config, false);
        most = gap > most ? gap : most;
    }
    return most;
}
