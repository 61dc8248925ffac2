/* SPDX-License-Identifier: Apache-2.0 */
#include "decide/autoscaler/scale_up.h"

#include "decide/autoscaler/cluster_state.h"
#include "decide/autoscaler/expander.h"
#include "decide/autoscaler/group_choice.h"
#include "decide/autoscaler/hidden_orders.h"
#include "decide/autoscaler/similar_groups.h"

static void fail(struct cluster_autoscaler *autoscaler, const char *error)
{
    autoscaler->result->up = SCALE_UP_ERROR;
    autoscaler->result->up_error = error;
    autoscaler->result->error = error;
}

/* Raises the targets one after the other; the first error ends it. */
static bool execute(struct cluster_autoscaler *autoscaler, const increase_list *increases)
{
    for (uint32_t i = 0; i < increases->count; i++) {
        struct autoscaler_group *group = increases->items[i].group;
        struct scale_action *action = autoscaler_act(autoscaler, ACTION_INCREASE);
        action->group = group->id;
        action->by = increases->items[i].to - increases->items[i].from;
        action->error = string_list_has(&autoscaler->failing_groups, group->id);
        if (action->error) {
            group_back_off(autoscaler, group);
            fail(autoscaler, "failed to increase node group size: quota exceeded");
            return false;
        }
        group->target += action->by;
        group_request(autoscaler, group, action->by);
    }
    cluster_state_recalculate(autoscaler);
    autoscaler->result->increases = *increases;
    autoscaler->result->up = SCALE_UP_SUCCESSFUL;
    return true;
}

/* Nodes of the whole cluster that may be added at once; false if none. */
static bool cap_by_total(const struct cluster_autoscaler *autoscaler, int64_t present,
                         int64_t *nodes)
{
    const int64_t most = autoscaler->options.max_nodes_total;
    if (most <= 0 || *nodes + present <= most)
        return true;
    *nodes = most - present;
    return *nodes >= 1;
}

static int64_t count_upcoming(const struct cluster_autoscaler *autoscaler)
{
    int64_t upcoming = 0;
    for (uint32_t i = 0; i < autoscaler->groups.count; i++)
        upcoming += group_upcoming(autoscaler->groups.items[i]);
    return upcoming;
}

static const struct scale_option *find_option(const struct loop_result *result,
                                              const struct autoscaler_group *group)
{
    for (uint32_t i = 0; i < result->options.count; i++)
        if (result->options.items[i].group == group)
            return &result->options.items[i];
    return NULL;
}

static bool includes_pods(const struct scale_option *option, const struct scale_option *best)
{
    for (uint32_t i = 0; i < best->pods.count; i++) {
        uint32_t k = 0;
        while (k < option->pods.count && option->pods.items[k] != best->pods.items[i])
            k++;
        if (k == option->pods.count)
            return false;
    }
    return true;
}

/* The best group, and with balancing those that are like it and help the same pods. */
static void spread_nodes(struct cluster_autoscaler *autoscaler, const struct scale_option *best,
                         int64_t nodes, increase_list *increases)
{
    VEC(struct autoscaler_group *) groups = {0};
    VEC_PUSH(autoscaler->loop_arena, &groups, best->group);
    for (uint32_t i = 0; autoscaler->options.balance_similar && i < autoscaler->groups.count; i++) {
        struct autoscaler_group *group = autoscaler->groups.items[i];
        const struct scale_option *option = find_option(autoscaler->result, group);
        if (group != best->group && option && groups_are_similar(autoscaler, best->group, group) &&
            includes_pods(option, best) && !reason_not_safe(autoscaler, group))
            VEC_PUSH(autoscaler->loop_arena, &groups, group);
    }
    balance_groups(autoscaler->loop_arena, groups.items, groups.count, nodes, increases);
}

static const struct scale_option *choose(struct cluster_autoscaler *autoscaler)
{
    struct loop_result *result = autoscaler->result;
    option_list options = {0};
    for (uint32_t i = 0; i < result->options.count; i++)
        VEC_PUSH(autoscaler->loop_arena, &options, &result->options.items[i]);
    expand_best(autoscaler, &options);
    for (uint32_t i = 0; i < options.count; i++)
        VEC_PUSH(autoscaler->loop_arena, &result->best, options.items[i]->group);
    return options.items[orders_pick(autoscaler, options.count)];
}

static void note_remaining(struct cluster_autoscaler *autoscaler, const pod_group_list *groups)
{
    struct loop_result *result = autoscaler->result;
    for (uint32_t i = 0; i < groups->count; i++) {
        const struct pod_group *group = &groups->items[i];
        for (uint32_t p = 0; !group->schedulable && p < group->pods.count; p++) {
            const struct rejected_pod rejected = {group->pods.items[p], group->reasons};
            VEC_PUSH(autoscaler->loop_arena, &result->remain, rejected);
        }
    }
}

/* Pods that another group would help. */
static void note_awaiting(struct cluster_autoscaler *autoscaler, const pod_group_list *groups)
{
    struct loop_result *result = autoscaler->result;
    for (uint32_t i = 0; i < groups->count; i++) {
        const struct pod_group *group = &groups->items[i];
        if (!group->schedulable || !group->reasons[result->chosen->group->position])
            continue;
        for (uint32_t p = 0; p < group->pods.count; p++)
            VEC_PUSH(autoscaler->loop_arena, &result->awaiting, group->pods.items[p]);
    }
}

/* Upcoming nodes of a group without template cannot be counted on. */
static const struct autoscaler_group *
find_unknown_upcoming(const struct cluster_autoscaler *autoscaler)
{
    for (uint32_t i = 0; i < autoscaler->groups.count; i++)
        if (!autoscaler->groups.items[i]->template &&
            group_upcoming(autoscaler->groups.items[i]) > 0)
            return autoscaler->groups.items[i];
    return NULL;
}

static void grow(struct cluster_autoscaler *autoscaler, const pod_group_list *groups,
                 const struct resources_left *left)
{
    struct loop_result *result = autoscaler->result;
    const struct scale_option *best = result->chosen = choose(autoscaler);
    int64_t nodes = best->nodes;
    increase_list increases = {0};
    if (!cap_by_total(autoscaler, autoscaler->schedulable_count + count_upcoming(autoscaler),
                      &nodes)) {
        fail(autoscaler, "max node total count already reached");
        return;
    }
    nodes = resources_cap(left, best->group->template->node, nodes);
    spread_nodes(autoscaler, best, nodes, &increases);
    if (!execute(autoscaler, &increases))
        return;
    note_remaining(autoscaler, groups);
    note_awaiting(autoscaler, groups);
}

void scale_up(struct cluster_autoscaler *autoscaler, const pod_list *pods)
{
    struct loop_result *result = autoscaler->result;
    const struct autoscaler_group *unknown = find_unknown_upcoming(autoscaler);
    struct resources_left left;
    pod_group_list groups = {0};
    group_pods(autoscaler->loop_arena, pods, autoscaler->groups.count, &groups);
    orders_mix(autoscaler, groups.items, groups.count, sizeof(*groups.items));
    if (unknown) {
        fail(autoscaler,
             arena_printf(autoscaler->loop_arena, "failed to find template node for node group %s",
                          unknown->id));
        return;
    }
    if (!resources_to_add(autoscaler, &left, &unknown)) {
        fail(autoscaler,
             arena_printf(autoscaler->loop_arena,
                          "could not compute total resources: No node info for: %s", unknown->id));
        return;
    }
    find_options(autoscaler, &groups, &left);
    if (result->options.count > 0) {
        grow(autoscaler, &groups, &left);
        return;
    }
    result->up = SCALE_UP_NO_OPTIONS;
    note_remaining(autoscaler, &groups);
}

void scale_up_to_min_size(struct cluster_autoscaler *autoscaler)
{
    struct resources_left left;
    const struct autoscaler_group *unknown;
    increase_list increases = {0};
    if (!resources_to_add(autoscaler, &left, &unknown)) {
        fail(autoscaler,
             arena_printf(autoscaler->loop_arena,
                          "could not compute total resources: No node info for: %s", unknown->id));
        return;
    }
    for (uint32_t i = 0; i < autoscaler->groups.count; i++) {
        struct autoscaler_group *group = autoscaler->groups.items[i];
        int64_t nodes = group->min - group->target;
        bool cores;
        bool memory;
        if (nodes <= 0 || reason_not_safe(autoscaler, group) || !group->template ||
            resources_exceeded(&left, group->template->node, &cores, &memory))
            continue;
        nodes = resources_cap(&left, group->template->node, nodes);
        /* The real program compares the total with this group alone. */
        if (!cap_by_total(autoscaler, group->target, &nodes))
            continue;
        const struct group_increase increase = {group, group->target, group->target + nodes,
                                                group->max};
        VEC_PUSH(autoscaler->loop_arena, &increases, increase);
    }
    if (increases.count == 0)
        autoscaler->result->up = SCALE_UP_NOT_NEEDED;
    else
        execute(autoscaler, &increases);
}
