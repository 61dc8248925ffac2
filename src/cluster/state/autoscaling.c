/* SPDX-License-Identifier: Apache-2.0 */
#include "cluster/state/autoscaling.h"
#include "cluster/state/config_facts.h"
#include "cluster/state/configs.h"
#include "cluster/state/nodes.h"
#include "cluster/state/notes.h"
#include "cluster/state/population_model.h"
#include "cluster/state/state.h"
#include "cluster/state/worker.h"

uint32_t config_scaled_group(const struct worker *worker, uint32_t config)
{
    const struct autoscaling *autoscaling = worker->population->autoscaling;
    const uint32_t group = config_template(worker, config)->group;
    return autoscaling ? autoscaling->number_of[group] - 1 : UINT32_MAX;
}

uint32_t state_group_target(struct worker *worker, const struct state *state, uint32_t number)
{
    uint32_t target = 0;
    for (uint32_t n = 0; n < state->node_count; n++)
        if (config_scaled_group(worker, state->nodes[n].config) == number &&
            config_condition(worker, state->nodes[n].config) != NODE_ABSENT)
            target += state->nodes[n].count;
    return target;
}

bool state_group_is_above_min(struct worker *worker, const struct state *state, uint32_t number)
{
    return state_group_target(worker, state, number) >
           worker->population->autoscaling->groups[number].least;
}

bool config_is_lost_instance(struct worker *worker, uint32_t config)
{
    const enum node_condition condition = config_condition(worker, config);
    return (condition == NODE_GONE || condition == NODE_GONE_AWHILE) &&
           config_scaled_group(worker, config) != UINT32_MAX;
}

bool autoscaling_has_templates(const struct autoscaling *autoscaling)
{
    for (uint32_t g = 0; autoscaling && g < autoscaling->group_count; g++)
        if (autoscaling->groups[g].seen)
            return true;
    return false;
}

void state_note_template(const struct population *population, struct state *state, uint32_t number)
{
    if (notes_have_templates(population) && population->autoscaling->groups[number].seen)
        state->notes[population->note_of_templates] |= UINT32_C(1) << number;
}

uint32_t config_emptied(struct worker *worker, uint32_t config, enum node_condition condition)
{
    const struct population *population = worker->population;
    const uint32_t number = config_template(worker, config)->node;
    const struct node_kind *kind = &population->node_kinds.items[number];
    const struct node_kind *bare = kind - kind->pulled; /* kinds stand by what they have pulled */
    return catalog_intern_config(worker->catalog, bare->templates[condition], NULL, 0, NULL, 0);
}
