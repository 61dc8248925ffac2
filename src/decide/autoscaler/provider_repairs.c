/* SPDX-License-Identifier: Apache-2.0 */
/* What the autoscaler puts right at the provider before it thinks about pods. */
#include "decide/autoscaler/cluster_state.h"

#include <stdlib.h>
#include <string.h>

/* Takes the instance away; false if the provider refuses. */
static bool delete_instance(struct cluster_autoscaler *autoscaler, struct autoscaler_group *group,
                            const char *name)
{
    struct scale_action *action = autoscaler_act(autoscaler, ACTION_DELETE_NODE);
    action->group = group->id;
    action->node = name;
    action->error = string_list_has(&autoscaler->failing_deletions, name);
    if (!action->error)
        group->target--;
    return !action->error;
}

struct old_instance {
    struct autoscaler_group *group;
    struct instance *instance;
};

static int compare_instances(const void *left, const void *right)
{
    const struct old_instance *a = left;
    const struct old_instance *b = right;
    return strcmp(a->instance->name, b->instance->name);
}

/* One after the other, by name; the first that the provider refuses ends it. */
void remove_unregistered(struct cluster_autoscaler *autoscaler)
{
    VEC(struct old_instance) old = {0};
    for (uint32_t i = 0; i < autoscaler->groups.count; i++) {
        struct autoscaler_group *group = autoscaler->groups.items[i];
        for (uint32_t k = 0; k < group->instances.count; k++) {
            const struct old_instance found = {group, &group->instances.items[k]};
            const int64_t since = found.instance->unregistered_since;
            if (!found.instance->registered &&
                since + autoscaler->options.provision_time < autoscaler->now)
                VEC_PUSH(autoscaler->loop_arena, &old, found);
        }
    }
    if (old.count > 1)
        qsort(old.items, old.count, sizeof(*old.items), compare_instances);
    for (uint32_t i = 0; i < old.count; i++) {
        struct autoscaler_group *group = old.items[i].group;
        if (group->min >= group->target)
            continue;
        if (!delete_instance(autoscaler, group, old.items[i].instance->name))
            return;
        old.items[i].instance->deleted = true;
    }
}

/* The provider is asked once for all instances of a group; one that fails fails them all. */
static bool remove_failed_of_group(struct cluster_autoscaler *autoscaler,
                                   struct autoscaler_group *group)
{
    bool any = false;
    for (uint32_t k = 0; k < group->instances.count; k++) {
        if (group->instances.items[k].error[0] == '\0')
            continue;
        if (!delete_instance(autoscaler, group, group->instances.items[k].name))
            return false;
        any = true;
    }
    return any;
}

/* An instance with an error that is deleted already belongs to no group: the loop ends there. */
static bool has_lost_instance(const struct cluster_autoscaler *autoscaler)
{
    for (uint32_t i = 0; i < autoscaler->groups.count; i++) {
        const struct autoscaler_group *group = autoscaler->groups.items[i];
        for (uint32_t k = 0; k < group->instances.count; k++)
            if (group->instances.items[k].deleted && group->instances.items[k].error[0] != '\0')
                return true;
    }
    return false;
}

bool remove_failed_instances(struct cluster_autoscaler *autoscaler)
{
    bool any = false;
    if (has_lost_instance(autoscaler))
        return true;
    for (uint32_t i = 0; i < autoscaler->groups.count; i++)
        any |= remove_failed_of_group(autoscaler, autoscaler->groups.items[i]);
    return any;
}

bool fix_group_sizes(struct cluster_autoscaler *autoscaler)
{
    bool fixed = false;
    for (uint32_t i = 0; i < autoscaler->groups.count; i++) {
        struct autoscaler_group *group = autoscaler->groups.items[i];
        const int64_t delta = group->wrong_current - group->wrong_expected;
        if (!group->wrong_size || delta >= 0 ||
            group->wrong_since + autoscaler->options.provision_time >= autoscaler->now)
            continue;
        struct scale_action *action = autoscaler_act(autoscaler, ACTION_DECREASE_TARGET);
        action->group = group->id;
        action->by = delta;
        group->target += delta;
        fixed = true;
    }
    return fixed;
}
