/* SPDX-License-Identifier: Apache-2.0 */
#include "cluster/ask/zones.h"
#include "decide/controller/node_lifecycle.h"

#include <string.h>

static struct lifecycle_node nodes_of(int64_t count, uint32_t zone, enum condition_status ready)
{
    struct lifecycle_node nodes = {
        .count = count,
        .zone = zone,
        .known = true,
        .ready_saved = true,
        .creation_age = INT64_MAX / 4,
        .probe_age = ready == STATUS_TRUE ? 0 : INT64_MAX / 4,
    };
    nodes.conditions[NODE_READY] = ready;
    return nodes;
}

/* One pass over zones that were well before. */
bool zones_judge(struct arena *scratch, const struct features *features, struct zone_census *zones,
                 uint32_t count)
{
    const struct node_lifecycle_rules rules = node_lifecycle_default_rules(features);
    struct lifecycle_node *nodes = ARENA_ARRAY(scratch, struct lifecycle_node, 2 * count + 1);
    struct lifecycle_zone *states = ARENA_ARRAY(scratch, struct lifecycle_zone, count + 1);
    struct lifecycle_report *reports = ARENA_ARRAY(scratch, struct lifecycle_report, 2 * count + 1);
    uint32_t node_count = 0;
    bool any_answers = false;
    for (uint32_t z = 0; z < count; z++) {
        states[z] = lifecycle_zone_initial(&rules);
        states[z].state = ZONE_NORMAL;
        if (zones[z].ready > 0)
            nodes[node_count++] = nodes_of(zones[z].ready, z, STATUS_TRUE);
        if (zones[z].not_ready > 0)
            nodes[node_count++] = nodes_of(zones[z].not_ready, z, STATUS_UNKNOWN);
    }
    if (node_count == 0)
        return true;
    node_lifecycle_monitor(&rules, nodes, node_count, states, count, reports);
    for (uint32_t z = 0; z < count; z++)
        zones[z].taints = states[z].limiter.rate > 0;
    for (uint32_t n = 0; n < node_count; n++)
        any_answers |= !reports[n].removed_again;
    return any_answers;
}

bool zones_are_same(struct arena *scratch, const struct node *left, const struct node *right)
{
    return strcmp(lifecycle_zone_key(scratch, left), lifecycle_zone_key(scratch, right)) == 0;
}

int64_t zones_monitor_grace(const struct features *features)
{
    return node_lifecycle_default_rules(features).monitor_grace;
}
