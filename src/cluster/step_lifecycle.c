/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The node lifecycle controller: NoExecute taints for nodes that do not answer.
 *
 * Where the zones' states cannot come in between, a node is tainted as soon as
 * it does not answer; that takes no step of its own. Otherwise (doubt) it is a
 * step, which waits while the zone is partly disrupted. When no node answers at
 * all the taints are taken away, so nothing is evicted. Nodes that are sure to
 * return may be evicted from in spite of a partial disruption: their taint may
 * be older than it, and their return may be sooner.
 */
#include "cluster/configs.h"
#include "cluster/steps.h"
#include "cluster/zones.h"

enum { NOT_READY_FOR_DOUBT = 3 }; /* so many make a partial disruption, and one must be left */

/* Is it a node that the controller knows? Those of a state that is being made are
 * in no order yet, and may be none. */
static bool counts(const struct view_node *node, const struct template_info *info)
{
    return node->count > 0 && info->zone != UINT32_MAX && info->condition != NODE_GONE &&
           info->condition != NODE_GONE_AWHILE;
}

static struct zone_census *count_zones(struct population *population,
                                       const struct population_state *state)
{
    struct zone_census *zones =
        ARENA_ARRAY(&population->scratch, struct zone_census, population->zone_count + 1);
    for (uint32_t n = 0; n < state->node_count; n++) {
        const struct node_config *config =
            population->catalog->configs.items[state->nodes[n].config];
        const struct template_info *info = &population->templates.items[config->template->id];
        if (!counts(&state->nodes[n], info))
            continue;
        if (condition_traits[info->condition].ready)
            zones[info->zone].ready += state->nodes[n].count;
        else
            zones[info->zone].not_ready += state->nodes[n].count;
    }
    return zones;
}

static bool judge(struct population *population, const struct population_state *state,
                  struct zone_census **zones)
{
    *zones = count_zones(population, state);
    return zones_judge(&population->scratch, &population->options.features, *zones,
                       population->zone_count);
}

bool lifecycle_evicts(struct population *population, const struct population_state *state)
{
    struct zone_census *zones;
    for (uint32_t n = 0; n < state->node_count; n++) {
        const struct node_config *config =
            population->catalog->configs.items[state->nodes[n].config];
        const struct template_info *info = &population->templates.items[config->template->id];
        if (counts(&state->nodes[n], info) && condition_traits[info->condition].ready)
            return true;
    }
    return judge(population, state, &zones);
}

/* Can a zone be partly disrupted while a node stays down for ever? */
bool doubt_is_possible(const struct population *population)
{
    int64_t taken = 0;
    bool for_ever = false;
    for (uint32_t e = 0; e < population->events.count; e++) {
        const struct check_event *event = population->events.items[e].event;
        switch (event->kind) {
        case EVENT_NODE_FAILURE:
        case EVENT_PARTITION:
            if (event->kind == EVENT_PARTITION && event->from == PARTITION_CLIENTS)
                break;
            taken += event->topology_key ? NOT_READY_FOR_DOUBT : event->at_most;
            for_ever |= !event->recovers;
            break;
        case EVENT_ZONE_OUTAGE:
            taken += NOT_READY_FOR_DOUBT;
            for_ever |= !event->recovers;
            break;
        case EVENT_MAINTENANCE: taken += event->at_most; break;
        case EVENT_KERNEL_PANIC: taken += NOT_READY_FOR_DOUBT; break;
        default: break;
        }
    }
    for (uint32_t g = 0; g < population->scope->group_count; g++)
        if (population->scope->groups[g].down)
            taken += population->setup->nodes[g];
    return !population->clock && for_ever && taken >= NOT_READY_FOR_DOUBT &&
           population->setup->total_nodes > NOT_READY_FOR_DOUBT;
}

void step_lifecycle(struct expansion *expansion)
{
    struct population *population = expansion->population;
    const struct population_state *state = expansion->state;
    struct zone_census *zones = NULL;
    for (uint32_t n = 0; population->doubts && n < state->node_count; n++) {
        const uint32_t config = state->nodes[n].config;
        const enum node_condition condition = config_condition(population, config);
        const struct template_info *info =
            &population->templates.items[population->catalog->configs.items[config]->template->id];
        if (condition_traits[condition].becomes == condition)
            continue;
        if (!zones && !judge(population, state, &zones))
            return;
        /* Nodes that are not counted in any zone are tainted like those of a good one. */
        if (info->zone != UINT32_MAX && !zones[info->zone].taints)
            continue;
        struct population_state *next = state_copy(population, state);
        state_move_node(
            population, next, n,
            config_with_condition(population, config, condition_traits[condition].becomes));
        expansion_emit(expansion, next,
                       &(struct happening){.action = ACT_TAINT_NODE,
                                           .workload = UINT32_MAX,
                                           .revision = UINT32_MAX,
                                           .node = n});
    }
}

void lifecycle_forget_taints(struct population *population, struct population_state *state)
{
    if (!population->doubts || lifecycle_evicts(population, state))
        return;
    for (uint32_t n = 0; n < state->node_count; n++) {
        const enum node_condition condition = config_condition(population, state->nodes[n].config);
        if (condition == NODE_DOWN || condition == NODE_PARTED)
            state->nodes[n].config =
                config_with_condition(population, state->nodes[n].config,
                                      condition == NODE_DOWN ? NODE_DOUBTED : NODE_PARTED_DOUBTED);
    }
}
