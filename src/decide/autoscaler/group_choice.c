/* SPDX-License-Identifier: Apache-2.0 */
#include "decide/autoscaler/group_choice.h"

#include "decide/autoscaler/cluster_state.h"
#include "decide/autoscaler/estimator.h"
#include "decide/autoscaler/group_templates.h"

static const char not_ready[] = "not ready for scale-up";

const char *reason_not_safe(const struct cluster_autoscaler *autoscaler,
                            const struct autoscaler_group *group)
{
    if (!group_is_healthy(autoscaler, group))
        return not_ready;
    return group_is_backed_off(autoscaler, group) ? "in backoff after failed scale-up" : NULL;
}

const char *reason_to_skip(struct cluster_autoscaler *autoscaler,
                           const struct autoscaler_group *group, const struct resources_left *left)
{
    const char *unsafe = reason_not_safe(autoscaler, group);
    bool cores;
    bool memory;
    if (unsafe)
        return unsafe;
    if (group->target >= group->max)
        return "max node group size reached";
    if (!group->template)
        return not_ready;
    if (!resources_exceeded(left, group->template->node, &cores, &memory))
        return NULL;
    return arena_printf(autoscaler->loop_arena, "max cluster %s%s%s limit reached",
                        cores ? "cpu" : "", cores && memory ? ", " : "", memory ? "memory" : "");
}

/* One pod of each kind is tried on a new node, beside what is in the cluster. */
static void try_groups(struct cluster_autoscaler *autoscaler, pod_group_list *groups,
                       struct scale_option *option)
{
    struct simulated_cluster *simulation = autoscaler->simulation;
    const struct autoscaler_group *group = option->group;
    simulation_fork(simulation);
    const uint32_t position = add_template_node(autoscaler, group, group->test_template_number,
                                                group->template->name, group->template->name);
    for (uint32_t i = 0; i < groups->count; i++) {
        struct pod_group *pods = &groups->items[i];
        const struct verdict verdict = simulation_check(simulation, pods->pods.items[0], position);
        if (verdict.code != VERDICT_FEASIBLE) {
            pods->reasons[group->position] =
                arena_strdup(autoscaler->loop_arena, verdict.reason ? verdict.reason : "");
            continue;
        }
        pods->schedulable = true;
        for (uint32_t p = 0; p < pods->pods.count; p++)
            VEC_PUSH(autoscaler->loop_arena, &option->pods, pods->pods.items[p]);
    }
    simulation_revert(simulation);
}

void find_options(struct cluster_autoscaler *autoscaler, pod_group_list *groups,
                  const struct resources_left *left)
{
    struct loop_result *result = autoscaler->result;
    result->skipped =
        ARENA_ARRAY(autoscaler->loop_arena, const char *, autoscaler->groups.count + 1);
    for (uint32_t i = 0; i < autoscaler->groups.count; i++) {
        struct scale_option option = {.group = autoscaler->groups.items[i]};
        result->skipped[i] = reason_to_skip(autoscaler, option.group, left);
        if (result->skipped[i])
            continue;
        try_groups(autoscaler, groups, &option);
        if (option.pods.count > 0)
            estimate_nodes(autoscaler, &option);
        if (option.pods.count > 0 && option.nodes > 0)
            VEC_PUSH(autoscaler->loop_arena, &result->options, option);
    }
}
