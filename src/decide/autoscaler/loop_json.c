/* SPDX-License-Identifier: Apache-2.0 */
/* A loop in the form of the recordings. Lists and mappings that would be empty are left out, unless
 * the recordings have them. */
#include "decide/autoscaler/autoscaler.h"
#include "decide/autoscaler/cluster_state.h"
#include "decide/autoscaler/result_json.h"
#include "decide/autoscaler/result_names.h"

#include <stdlib.h>
#include <string.h>

static int compare_pods(const void *left, const void *right)
{
    const struct autoscaler_pod *a = *(const struct autoscaler_pod *const *)left;
    const struct autoscaler_pod *b = *(const struct autoscaler_pod *const *)right;
    return strcmp(a->name, b->name);
}

/* The same by name. */
static void write_sorted_pods(struct json_out *json, const struct cluster_autoscaler *autoscaler,
                              const char *key, const pod_list *pods)
{
    pod_list sorted = {0};
    for (uint32_t i = 0; i < pods->count; i++)
        VEC_PUSH(autoscaler->loop_arena, &sorted, pods->items[i]);
    if (sorted.count > 0)
        qsort(sorted.items, sorted.count, sizeof(const struct autoscaler_pod *), compare_pods);
    write_pods(json, key, &sorted);
}

static void write_options(struct json_out *json, const struct cluster_autoscaler *autoscaler,
                          const struct loop_result *result)
{
    if (!result->chosen)
        return;
    json_array_begin(json, "options");
    for (uint32_t i = 0; i < result->options.count; i++) {
        const struct scale_option *option = &result->options.items[i];
        json_object_begin(json, NULL);
        json_string(json, "group", option->group->id);
        json_integer(json, "nodes", option->nodes);
        write_sorted_pods(json, autoscaler, "pods", &option->pods);
        json_object_end(json);
    }
    json_array_end(json);
    json_array_begin(json, "best");
    for (uint32_t i = 0; i < result->best.count; i++)
        json_string(json, NULL, result->best.items[i]->id);
    json_array_end(json);
    json_string(json, "chosen", result->chosen->group->id);
    write_sorted_pods(json, autoscaler, "triggered", &result->chosen->pods);
}

/* A filter's reasons are one text here, with commas between them. */
static void write_reasons(struct json_out *json, const char *key, const char *reasons)
{
    json_array_begin(json, key);
    const char *next = reasons;
    for (const char *comma = reasons; next; next = comma ? comma + 2 : NULL) {
        comma = strstr(next, ", ");
        if (comma)
            json_string_of(json, NULL, next, (size_t)(comma - next));
        else
            json_string(json, NULL, next);
    }
    json_array_end(json);
}

static void write_groups_reasons(struct json_out *json, const struct cluster_autoscaler *autoscaler,
                                 const char *key, const char *const *reasons, bool several)
{
    bool any = false;
    for (uint32_t i = 0; i < autoscaler->groups.count; i++)
        any |= reasons[i] != NULL;
    if (!any)
        return;
    json_object_begin(json, key);
    for (uint32_t i = 0; i < autoscaler->groups.count; i++) {
        const char *id = autoscaler->groups.items[i]->id;
        if (!reasons[i])
            continue;
        if (several) {
            write_reasons(json, id, reasons[i]);
            continue;
        }
        json_array_begin(json, id);
        json_string(json, NULL, reasons[i]);
        json_array_end(json);
    }
    json_object_end(json);
}

static int compare_rejected(const void *left, const void *right)
{
    const struct rejected_pod *a = left;
    const struct rejected_pod *b = right;
    return strcmp(a->pod->name, b->pod->name);
}

static void write_remain(struct json_out *json, const struct cluster_autoscaler *autoscaler,
                         const struct loop_result *result)
{
    if (result->remain.count == 0)
        return;
    struct rejected_pod *remain = arena_copy(autoscaler->loop_arena, result->remain.items,
                                             result->remain.count * sizeof(*result->remain.items));
    qsort(remain, result->remain.count, sizeof(*remain), compare_rejected);
    json_array_begin(json, "remain");
    for (uint32_t i = 0; i < result->remain.count; i++) {
        const struct rejected_pod *rejected = &remain[i];
        json_object_begin(json, NULL);
        json_string(json, "pod", rejected->pod->name);
        write_groups_reasons(json, autoscaler, "rejected", rejected->reasons, true);
        write_groups_reasons(json, autoscaler, "skipped", (const char *const *)result->skipped,
                             false);
        json_object_end(json);
    }
    json_array_end(json);
}

/* By group, whatever the order in which the targets were raised. */
static void write_increases(struct json_out *json, const struct cluster_autoscaler *autoscaler,
                            const increase_list *increases)
{
    if (increases->count == 0)
        return;
    json_array_begin(json, "increase");
    for (uint32_t g = 0; g < autoscaler->groups.count; g++)
        for (uint32_t i = 0; i < increases->count; i++) {
            if (increases->items[i].group != autoscaler->groups.items[g])
                continue;
            json_object_begin(json, NULL);
            json_string(json, "group", increases->items[i].group->id);
            json_integer(json, "from", increases->items[i].from);
            json_integer(json, "to", increases->items[i].to);
            json_object_end(json);
        }
    json_array_end(json);
}

static void write_up(struct json_out *json, const struct cluster_autoscaler *autoscaler,
                     const struct loop_result *result)
{
    json_object_begin(json, "scaleUp");
    json_string(json, "result", scale_up_result_name(result->up));
    if (result->schedulable.count > 0)
        write_placed(json, "schedulable", &result->schedulable);
    write_pods(json, "toHelp", &result->to_help);
    write_options(json, autoscaler, result);
    write_increases(json, autoscaler, &result->increases);
    write_sorted_pods(json, autoscaler, "awaiting", &result->awaiting);
    write_remain(json, autoscaler, result);
    if (result->up_error)
        json_string(json, "error", result->up_error);
    json_object_end(json);
}

static void write_actions(struct json_out *json, const struct loop_result *result)
{
    if (result->actions.count == 0)
        return;
    json_array_begin(json, "actions");
    for (uint32_t i = 0; i < result->actions.count; i++) {
        const struct scale_action *action = &result->actions.items[i];
        json_object_begin(json, NULL);
        json_string(json, "do", scale_action_name(action->kind));
        if (action->group)
            json_string(json, "group", action->group);
        if (action->node)
            json_string(json, "node", action->node);
        if (action->by != 0)
            json_integer(json, "by", action->by);
        if (action->key)
            json_string(json, "key", action->key);
        if (action->effect)
            json_string(json, "effect", action->effect);
        if (action->error)
            json_boolean(json, "error", true);
        json_object_end(json);
    }
    json_array_end(json);
}

static void write_upcoming(struct json_out *json, const struct cluster_autoscaler *autoscaler)
{
    int64_t all = 0;
    for (uint32_t i = 0; i < autoscaler->groups.count; i++)
        all += group_upcoming(autoscaler->groups.items[i]);
    if (all == 0)
        return;
    json_object_begin(json, "upcomingAfter");
    for (uint32_t i = 0; i < autoscaler->groups.count; i++) {
        const struct autoscaler_group *group = autoscaler->groups.items[i];
        if (group_upcoming(group) > 0)
            json_integer(json, group->id, group_upcoming(group));
    }
    json_object_end(json);
}

void loop_result_write(struct json_out *json, const struct cluster_autoscaler *autoscaler,
                       const struct loop_result *result)
{
    json_object_begin(json, "result");
    if (result->error)
        json_string(json, "error", result->error);
    if (result->unhealthy)
        json_boolean(json, "clusterUnhealthy", true);
    write_up(json, autoscaler, result);
    scale_down_write(json, autoscaler, result);
    write_actions(json, result);
    write_upcoming(json, autoscaler);
    memory_write(json, autoscaler);
    json_object_end(json);
}
