/* SPDX-License-Identifier: Apache-2.0 */
/* What the node lifecycle controller makes of the nodes that do not answer. */
#include "cluster/ask/lifecycle.h"
#include "cluster/ask/zones.h"
#include "cluster/state/config_facts.h"
#include "cluster/state/configs.h"
#include "cluster/state/nodes.h"
#include "cluster/state/population_model.h"
#include "cluster/state/state.h"
#include "cluster/state/tally.h"
#include "cluster/state/worker.h"

struct node_tainting lifecycle_tainting(struct worker *worker, const struct state *state)
{
    const struct population *population = worker->population;
    struct zone_census *zones =
        ARENA_ARRAY(&worker->scratch, struct zone_census, population->zone_count + 1);
    for (uint32_t n = 0; n < state->node_count; n++) {
        const struct template_info *info = state_template(worker, state, n);
        if (info->zone == UINT32_MAX || !template_is_listed(info))
            continue;
        if (condition_traits[info->condition].ready)
            zones[info->zone].ready += state->nodes[n].count;
        else
            zones[info->zone].not_ready += state->nodes[n].count;
    }
    return (struct node_tainting){zones,
                                  zones_judge(&worker->scratch, &population->options.features,
                                              zones, population->zone_count)};
}

bool tainting_reaches(const struct node_tainting *tainting, uint32_t zone)
{
    return tainting->any_answers && (zone == UINT32_MAX || tainting->zones[zone].taints);
}

bool lifecycle_evicts(struct worker *worker, const struct state *state)
{
    for (uint32_t n = 0; n < state->node_count; n++) {
        const struct template_info *info = state_template(worker, state, n);
        /* While a state is made it may have entries of no node. */
        if (state->nodes[n].count > 0 && info->zone != UINT32_MAX && template_is_listed(info) &&
            condition_traits[info->condition].ready)
            return true;
    }
    return lifecycle_tainting(worker, state).any_answers;
}

void lifecycle_forget_taints(struct worker *worker, struct state *state)
{
    if (!worker->population->doubts || lifecycle_evicts(worker, state))
        return;
    for (uint32_t n = 0; n < state->node_count; n++) {
        const enum node_condition condition = config_condition(worker, state->nodes[n].config);
        if (condition == NODE_DOWN || condition == NODE_PARTED)
            state->nodes[n].config =
                config_with_condition(worker, state->nodes[n].config,
                                      condition == NODE_DOWN ? NODE_DOUBTED : NODE_PARTED_DOUBTED);
    }
}
