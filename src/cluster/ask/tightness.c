/* SPDX-License-Identifier: Apache-2.0 */
#include "cluster/ask/tightness.h"
#include "cluster/state/config_facts.h"
#include "cluster/state/nodes.h"
#include "cluster/state/state.h"
#include "cluster/state/worker.h"

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

/* What is left on a node of the config, in parts of the node. */
static int64_t share_left(const struct worker *worker, const struct node_config *config)
{
    const struct node_template *template = config->template;
    struct amounts left = template->allocatable;
    const int64_t pods = template->allocatable_pods;
    for (uint32_t p = 0; p < config->pod_entry_count; p++) {
        const struct amounts *requests =
            &worker->catalog->pods.items[config->pods[p].pod]->shape->requests;
        left.cpu_milli -= config->pods[p].count * requests->cpu_milli;
        left.memory -= config->pods[p].count * requests->memory;
        left.ephemeral_storage -= config->pods[p].count * requests->ephemeral_storage;
    }
    return lesser(lesser(share(left.cpu_milli, template->allocatable.cpu_milli),
                         share(left.memory, template->allocatable.memory)),
                  lesser(share(left.ephemeral_storage, template->allocatable.ephemeral_storage),
                         share(pods - config->pod_count, pods)));
}

int64_t state_tightness(struct worker *worker, const struct state *state)
{
    int64_t tightness = 0;
    for (uint32_t r = 0; r < worker->population->revisions.count; r++)
        tightness += state->pending[r];
    for (uint32_t n = 0; n < state->node_count; n++) {
        const struct view_node *entry = &state->nodes[n];
        if (config_condition(worker, entry->config) == NODE_UP)
            tightness -= entry->count * share_left(worker, config_at(worker, entry->config));
    }
    return tightness;
}
