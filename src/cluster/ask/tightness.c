/* SPDX-License-Identifier: Apache-2.0 */
#include "cluster/ask/tightness.h"
#include "cluster/state/config_facts.h"
#include "cluster/state/config_room.h"
#include "cluster/state/nodes.h"
#include "cluster/state/state.h"
#include "cluster/state/worker.h"

int64_t state_tightness(struct worker *worker, const struct state *state)
{
    int64_t tightness = 0;
    for (uint32_t r = 0; r < worker->population->revisions.count; r++)
        tightness += state->pending[r];
    for (uint32_t n = 0; n < state->node_count; n++) {
        const struct view_node *entry = &state->nodes[n];
        if (condition_is_up(config_condition(worker, entry->config)))
            tightness -= entry->count * config_facts(worker, entry->config)->room;
    }
    return tightness;
}

int64_t state_gap(struct worker *worker, const struct state *state)
{
    int64_t most = 0;
    for (uint32_t n = 0; n < state->node_count; n++) {
        const struct config_facts *facts = config_facts(worker, state->nodes[n].config);
        if (!condition_is_up(facts->condition))
            continue;
        const int64_t gap = facts->room_later * (ROOM_OF_NODE + 1) + facts->room;
        most = gap > most ? gap : most;
    }
    return most;
}
