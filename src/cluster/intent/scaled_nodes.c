/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Intents about the nodes that the cluster autoscaler adds and removes:
 *
 *   noNodeOscillation   it does not add nodes for ever: as groups have a maximum, it would have to
 *                       remove some for ever, too
 *   nodesAtMost         there are never more nodes than that, in the cluster or in a group
 *   scalesDown          no node stays for ever that it does not need, or would not if no pod
 *                       blocked it
 */
#include "cluster/ask/scaling_loops.h"
#include "cluster/intent_class.h"
#include "cluster/state/actions.h"
#include "cluster/state/autoscaling.h"
#include "cluster/state/config_facts.h"
#include "cluster/state/configs.h"
#include "cluster/state/happening.h"
#include "cluster/state/nodes.h"
#include "cluster/state/population_model.h"
#include "cluster/state/state.h"
#include "cluster/state/worker.h"
#include "decide/node_reads.h"
#include "setup/setup.h"

#include <string.h>

/* Is the intent about nodes of the config? */
static bool concerns(const struct judged *judged, uint32_t config)
{
    const char *group = judged->intent->source->group;
    const uint32_t of = config_template(judged->worker, config)->group;
    return !group || strcmp(judged->population->scope->groups[of].name, group) == 0;
}

/* Reports a group that is not there. */
static void check_group(const struct scope *scope, const struct check_intent *intent,
                        struct problems *problems)
{
    for (uint32_t g = 0; intent->group && g < scope->group_count; g++)
        if (strcmp(scope->groups[g].name, intent->group) == 0)
            return;
    if (intent->group)
        problem_error(problems, intent->place, NULL, "there is no node group \"%s\"",
                      intent->group);
}

static void check_autoscaler(const struct scope *scope, const struct check_intent *intent,
                             struct problems *problems)
{
    check_group(scope, intent, problems);
    if (!scope->check || !scope->check->controllers.cluster_autoscaler)
        problem_error(problems, intent->place, NULL,
                      "%s needs a cluster autoscaler (spec.controllers.clusterAutoscaler)",
                      intent_kind_name(intent->kind));
}

/* ---- noNodeOscillation ---- */

/* Does a node come that the autoscaler asked for? */
static bool mark_joining(const struct judged *judged)
{
    return judged->happening->action == ACT_NODE_JOINS &&
           concerns(judged, judged->state->nodes[judged->happening->node].config);
}

static bool joins(const struct judged *judged)
{
    return judged->happening && judged->next && mark_joining(judged);
}

const struct intent_class intent_no_node_oscillation = {
    .violated_by = VIOLATED_BY_LOOP,
    .mark = mark_joining,
    .applies = joins,
    .never_applied = "the cluster autoscaler never added a node",
    .check = check_autoscaler,
};

/* ---- nodesAtMost ---- */

static bool are_too_many(const struct judged *judged)
{
    const struct catalog *catalog = judged->worker->catalog;
    struct node_sum nodes = {0};
    for (uint32_t n = 0; n < judged->state->listed_count; n++)
        if (concerns(judged, judged->state->nodes[n].config))
            node_sum_add(catalog, &nodes, judged->state->nodes[n]);
    return node_sum_exceeds(catalog, &nodes, judged->intent->source->value);
}

static void check_number(const struct scope *scope, const struct check_intent *intent,
                         struct problems *problems)
{
    check_group(scope, intent, problems);
    if (intent->bound != REPLICAS_NUMBER)
        problem_error(problems, intent->place, "value", "expected a number of nodes");
}

const struct intent_class intent_nodes_at_most = {
    .violated_by = VIOLATED_BY_STATE,
    .atom = are_too_many,
    .check = check_number,
};

/* ---- scalesDown ---- */

/* Does the loop find a node that it does not need, or would not if a pod did not block it? */
static bool finds_one(const struct judged *judged, const struct scaling_outcome *outcome)
{
    uint32_t found = 0;
    for (uint32_t n = 0; outcome->looked_down && n < judged->state->listed_count; n++)
        if (concerns(judged, judged->state->nodes[n].config))
            found += outcome->unneeded[n] + outcome->kept[n];
    return found > 0;
}

/* Does every loop find one? */
static bool lingers(const struct judged *judged)
{
    const struct state *state = judged->state;
    const struct autoscaling *autoscaling = judged->population->autoscaling;
    bool above = false;
    for (uint32_t g = 0; autoscaling && g < autoscaling->group_count; g++)
        above |= state_group_target(judged->worker, state, g) > autoscaling->groups[g].least;
    if (!above)
        return false;
    const struct scaling_outcomes *outcomes =
        scaling_outcomes(judged->worker, state, SCALING_LOOK_DOWN);
    for (uint32_t i = 0; i < outcomes->items.count; i++)
        if (!finds_one(judged, &outcomes->items.items[i]))
            return false;
    return outcomes->items.count > 0;
}

const struct intent_class intent_scales_down = {
    .violated_by = VIOLATED_BY_STAYING,
    .atom = lingers,
    .applies = lingers,
    .never_applied = "no node was ever unneeded",
    .check = check_autoscaler,
};
