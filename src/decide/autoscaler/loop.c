/* SPDX-License-Identifier: Apache-2.0 */
/* One loop of the autoscaler, from the lists of objects to the decision. */
#include "decide/autoscaler/autoscaler.h"
#include "decide/autoscaler/class_facts.h"
#include "decide/autoscaler/cluster_state.h"
#include "decide/autoscaler/group_templates.h"
#include "decide/autoscaler/hidden_orders.h"
#include "decide/autoscaler/node_kinds.h"
#include "decide/autoscaler/node_readiness.h"
#include "decide/autoscaler/pods_to_help.h"
#include "decide/autoscaler/scale_down.h"
#include "decide/autoscaler/scale_up.h"

static bool is_simulated(const struct cluster_autoscaler *autoscaler,
                         const struct autoscaler_pod *pod)
{
    return !autoscaler_pod_is_expendable(pod, autoscaler->options.expendable_cutoff);
}

static void give_pods(const struct cluster_autoscaler *autoscaler, const struct listed_node *listed,
                      struct simulated_node *node)
{
    const struct known_node *known = listed->known;
    node->pods = known->pods.items;
    node->pod_count = known->pods.count;
    if (listed->facts && !listed->facts->has_expendable)
        return;
    node->pod_count = 0;
    node->pods =
        ARENA_ARRAY(autoscaler->loop_arena, const struct autoscaler_pod *, known->pods.count + 1);
    for (uint32_t i = 0; i < known->pods.count; i++)
        if (is_simulated(autoscaler, known->pods.items[i]))
            node->pods[node->pod_count++] = known->pods.items[i];
}

/* The first node of a class has its config found, the others are like it. */
static void add_listed(struct cluster_autoscaler *autoscaler, struct node_kinds *kinds,
                       struct listed_node *listed)
{
    struct class_facts *facts = listed->facts;
    const bool folds = facts && ((facts->has_config && kinds->unmentioned) ||
                                 node_kinds_folds(kinds, listed->node));
    facts = folds ? facts : NULL;
    struct simulated_node node = {.node = listed->node,
                                  .name = listed->record->name,
                                  .shown = listed->record->name,
                                  .alike = listed->record->alike};
    node.template =
        facts && facts->has_config ? facts->template : node_kinds_template(kinds, listed->node);
    if (listed->known)
        give_pods(autoscaler, listed, &node);
    const bool as_class = facts && !facts->has_expendable;
    if (as_class && facts->has_config) {
        node.class = facts->class + 1;
        node.config = facts->config;
    }
    listed->position = simulation_add_node(autoscaler->simulation, &node);
    if (!facts || facts->has_config)
        return;
    struct simulated_node *added = autoscaler->simulation->nodes[listed->position];
    facts->has_config = true;
    facts->template = node.template;
    facts->config = added->config;
    added->class = as_class ? facts->class + 1 : 0;
}

/* All nodes with their pods, but for those that are expendable. */
static void fill_simulation(struct cluster_autoscaler *autoscaler)
{
    struct simulated_cluster *simulation = autoscaler->simulation;
    struct node_kinds kinds;
    node_kinds_init(&kinds, autoscaler);
    for (uint32_t i = 0; i < autoscaler->nodes.count; i++)
        add_listed(autoscaler, &kinds, &autoscaler->nodes.items[i]);
    for (uint32_t i = 0; i < autoscaler->lists.scheduled.count; i++) {
        const struct autoscaler_pod *pod = autoscaler->lists.scheduled.items[i];
        const uint32_t position = simulation_find(simulation, pod->pod->spec.node_name);
        if (position != SIMULATION_NOWHERE && is_simulated(autoscaler, pod))
            simulation_add_pod(simulation, position, pod);
    }
}

/* Without --scale-up-from-zero an empty cluster is left alone. */
static bool cluster_is_empty(const struct cluster_autoscaler *autoscaler)
{
    return !autoscaler->options.from_zero &&
           (autoscaler->nodes.count == 0 || autoscaler->schedulable_count == 0);
}

static void count_deletions(struct cluster_autoscaler *autoscaler)
{
    for (uint32_t i = 0; i < autoscaler->groups.count; i++)
        autoscaler->groups.items[i]->deleting = 0;
    MAP_EACH (&autoscaler->records, entry) {
        const struct node_record *record = entry->value;
        if ((record->deleting_empty || record->deleting_drain) && record->group)
            record->group->deleting++;
    }
}

/* False if the loop ends here. */
static bool prepare(struct cluster_autoscaler *autoscaler)
{
    count_deletions(autoscaler);
    find_templates(autoscaler);
    cluster_state_update(autoscaler);
    remove_unregistered(autoscaler);
    if (!cluster_is_healthy(autoscaler)) {
        autoscaler->result->unhealthy = true;
        unneeded_clear(autoscaler); /* timers begin again when it is healthy */
        return false;
    }
    return !remove_failed_instances(autoscaler) && !fix_group_sizes(autoscaler);
}

/* A scale-up that was done, or that failed, ends the loop. */
static bool ends_loop(struct cluster_autoscaler *autoscaler)
{
    struct loop_result *result = autoscaler->result;
    if (result->up == SCALE_UP_SUCCESSFUL) {
        autoscaler->has_scaled_up = true;
        autoscaler->last_scale_up = autoscaler->now;
    }
    return result->up == SCALE_UP_SUCCESSFUL || result->up == SCALE_UP_ERROR;
}

static void help_pods(struct cluster_autoscaler *autoscaler)
{
    struct loop_result *result = autoscaler->result;
    pod_list pods = {0};
    find_pods_to_help(autoscaler, &pods);
    if (pods.count == 0) {
        result->up = SCALE_UP_NOT_NEEDED;
    } else if (autoscaler->options.max_nodes_total > 0 &&
               autoscaler->schedulable_count >= autoscaler->options.max_nodes_total) {
        result->up = SCALE_UP_NO_OPTIONS;
    } else if (pods_are_new(autoscaler, &pods)) {
        result->up = SCALE_UP_IN_COOLDOWN;
        autoscaler->scale_down_forbidden = true;
    } else {
        scale_up(autoscaler, &pods);
    }
}

static void decide(struct cluster_autoscaler *autoscaler)
{
    struct loop_result *result = autoscaler->result;
    help_pods(autoscaler);
    if (ends_loop(autoscaler)) {
        if (result->up == SCALE_UP_SUCCESSFUL)
            result->down = SCALE_DOWN_IN_COOLDOWN;
        return;
    }
    if (autoscaler->options.scale_down)
        scale_down(autoscaler);
    if (result->down == SCALE_DOWN_ERROR || !autoscaler->options.enforce_min_size)
        return;
    scale_up_to_min_size(autoscaler);
    ends_loop(autoscaler);
}

void autoscaler_loop_listed(struct cluster_autoscaler *autoscaler, int64_t now,
                            struct loop_result *result)
{
    *result = (struct loop_result){0};
    autoscaler->result = result;
    autoscaler->now = now;
    autoscaler->scale_down_forbidden = false;
    orders_begin_loop(autoscaler);
    list_nodes(autoscaler);
    autoscaler->simulation = simulation_create(autoscaler->loop_arena, &autoscaler->features,
                                               &autoscaler->lists.objects, &autoscaler->index);
    if (autoscaler->surroundings)
        autoscaler->simulation->catalog->surroundings = *autoscaler->surroundings;
    autoscaler->simulation->mixes =
        autoscaler->order_seed || autoscaler->choices ? autoscaler : NULL;
    if (cluster_is_empty(autoscaler)) {
        unneeded_clear(autoscaler);
    } else {
        fill_simulation(autoscaler);
        if (prepare(autoscaler))
            decide(autoscaler);
    }
    simulation_release(autoscaler->simulation);
}

void autoscaler_loop(struct cluster_autoscaler *autoscaler, int64_t now, struct loop_result *result)
{
    const bool mixed = autoscaler->order_seed != 0 || autoscaler->choices || autoscaler->unfolded;
    autoscaler_world_list(&autoscaler->world, autoscaler->loop_arena, mixed, &autoscaler->lists);
    autoscaler_loop_listed(autoscaler, now, result);
}
