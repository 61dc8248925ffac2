/* SPDX-License-Identifier: Apache-2.0 */
#include "cluster/story/words_scaling.h"
#include "base/text.h"
#include "cluster/state/autoscaling.h"
#include "cluster/state/config_facts.h"
#include "cluster/state/nodes.h"
#include "cluster/state/population_model.h"
#include "cluster/state/state.h"
#include "cluster/state/worker.h"
#include "cluster/state/workloads.h"
#include "cluster/story/story_internal.h"

static uint32_t count_in(struct worker *worker, const struct state *state, uint32_t group,
                         enum node_condition condition)
{
    uint32_t count = 0;
    for (uint32_t n = 0; n < state->node_count; n++)
        if (config_scaled_group(worker, state->nodes[n].config) == group &&
            config_condition(worker, state->nodes[n].config) == condition)
            count += state->nodes[n].count;
    return count;
}

/* The pod for which nodes are asked for. */
static void append_pod(const struct story_telling *telling, struct text *text)
{
    const struct revision *revision = telling->revision;
    const struct storyteller *teller = telling->teller;
    if (!revision)
        text_append_string(text, ": it has fewer nodes than its minimum");
    else if (teller && teller->waiting[telling->number].count > 0)
        text_printf(text, ": pod %s/%s does not fit", revision->pod->meta.namespace,
                    teller->pods.items[teller->waiting[telling->number].items[0]].name);
    else
        text_printf(text, ": pods of %s do not fit", revision->owner_meta->name);
}

void words_describe_growth(const struct story_telling *telling, struct text *text)
{
    const struct autoscaling *autoscaling = telling->population->autoscaling;
    const char *join = "cluster-autoscaler adds ";
    for (uint32_t g = 0; g < autoscaling->group_count; g++) {
        const uint32_t before = count_in(telling->worker, telling->from, g, NODE_ORDERED);
        const uint32_t after = count_in(telling->worker, telling->to, g, NODE_ORDERED);
        if (after <= before)
            continue;
        text_append_string(text, join);
        if (after - before == 1)
            text_printf(text, "a node to group %s", autoscaling->groups[g].name);
        else
            text_printf(text, "%u nodes to group %s", after - before, autoscaling->groups[g].name);
        join = " and ";
    }
    append_pod(telling, text);
}

/* The names of the nodes of the group that the step has changed, where they have names. */
static void append_nodes(const struct story_telling *telling, uint32_t group, uint32_t count,
                         struct text *text)
{
    const struct storyteller *teller = telling->teller;
    const char *join = count == 1 ? "node " : "nodes ";
    if (!teller) {
        if (count == 1)
            text_append_string(text, "a node");
        else
            text_printf(text, "%u nodes", count);
        return;
    }
    for (uint32_t n = 0; n < teller->nodes.count; n++) {
        const struct named_node *node = &teller->nodes.items[n];
        const enum node_condition now = config_condition(telling->worker, node->config);
        if (config_scaled_group(telling->worker, node->config) != group ||
            now == config_condition(telling->worker, node->config_before) ||
            (now != NODE_LEAVING && now != NODE_ABSENT))
            continue;
        text_append_string(text, join);
        text_append_string(text, node->name);
        join = ", ";
    }
}

/* Are nodes that do not answer all that is removed? They are deleted at once. */
static bool removes_unready(const struct story_telling *telling)
{
    for (uint32_t g = 0; g < telling->population->autoscaling->group_count; g++)
        if (count_in(telling->worker, telling->from, g, NODE_LEAVING) !=
            count_in(telling->worker, telling->to, g, NODE_LEAVING))
            return false;
    return true;
}

void words_describe_removal(const struct story_telling *telling, struct text *text)
{
    struct worker *worker = telling->worker;
    const struct autoscaling *autoscaling = telling->population->autoscaling;
    const char *join = "cluster-autoscaler removes ";
    for (uint32_t g = 0; g < autoscaling->group_count; g++) {
        const uint32_t before = count_in(worker, telling->from, g, NODE_LEAVING) +
                                count_in(worker, telling->from, g, NODE_ABSENT);
        const uint32_t after = count_in(worker, telling->to, g, NODE_LEAVING) +
                               count_in(worker, telling->to, g, NODE_ABSENT);
        if (after <= before)
            continue;
        text_append_string(text, join);
        append_nodes(telling, g, after - before, text);
        text_printf(text, " of group %s", autoscaling->groups[g].name);
        join = " and ";
    }
    text_append_string(text, removes_unready(telling)
                                 ? ", which was not Ready for scale-down-unready-time"
                                 : ", unneeded for scale-down-unneeded-time");
}
