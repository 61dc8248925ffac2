/* SPDX-License-Identifier: Apache-2.0 */
#include "decide/autoscaler/result_json.h"
#include "decide/autoscaler/result_names.h"

static void write_removals(struct json_out *json, const char *key, const removal_list *removals)
{
    if (removals->count == 0)
        return;
    json_array_begin(json, key);
    for (uint32_t i = 0; i < removals->count; i++) {
        json_object_begin(json, NULL);
        json_string(json, "node", removals->items[i].node);
        if (removals->items[i].pods.count > 0)
            write_placed(json, "pods", &removals->items[i].pods);
        else
            json_null(json, "pods");
        json_object_end(json);
    }
    json_array_end(json);
}

static void write_names(struct json_out *json, const char *key, const char *const *names,
                        uint32_t count)
{
    json_array_begin(json, key);
    for (uint32_t i = 0; i < count; i++)
        json_string(json, NULL, names[i]);
    json_array_end(json);
}

static void write_unneeded(struct json_out *json, const struct cluster_autoscaler *autoscaler,
                           const struct loop_result *result)
{
    json_array_begin(json, "unneeded");
    for (uint32_t i = 0; i < result->unneeded.count; i++) {
        const struct removed_node *node = &result->unneeded.items[i];
        json_object_begin(json, NULL);
        json_string(json, "node", node->node);
        write_seconds(json, autoscaler, "since", node->since);
        write_pods(json, "pods", &node->pods);
        if (node->risky)
            json_boolean(json, "risky", true);
        json_object_end(json);
    }
    json_array_end(json);
    json_array_begin(json, "unremovable");
    for (uint32_t i = 0; i < result->unremovable.count; i++) {
        const struct unremovable_node *node = &result->unremovable.items[i];
        json_object_begin(json, NULL);
        json_string(json, "node", node->node);
        json_string(json, "reason", unremovable_reason_name(node->reason));
        if (node->pod) {
            json_string(json, "pod", node->pod->name);
            json_string(json, "podReason", blocking_reason_name(node->pod_reason));
        }
        json_object_end(json);
    }
    json_array_end(json);
}

void scale_down_write(struct json_out *json, const struct cluster_autoscaler *autoscaler,
                      const struct loop_result *result)
{
    json_object_begin(json, "scaleDown");
    json_string(json, "result", scale_down_result_name(result->down));
    if (result->down_reached) {
        write_names(json, "candidates", result->candidates.items, result->candidates.count);
        if (result->utilization.count > 0) {
            json_object_begin(json, "utilization");
            for (uint32_t i = 0; i < result->utilization.count; i++)
                json_number(json, result->utilization.items[i].node,
                            result->utilization.items[i].utilization);
            json_object_end(json);
        }
        write_removals(json, "placed", &result->placed);
        write_unneeded(json, autoscaler, result);
        write_removals(json, "placedAtDelete", &result->placed_at_delete);
        if (result->delete_empty.count > 0)
            write_names(json, "deleteEmpty", result->delete_empty.items,
                        result->delete_empty.count);
        if (result->delete_drain.count > 0)
            write_names(json, "deleteDrain", result->delete_drain.items,
                        result->delete_drain.count);
    }
    json_object_end(json);
}
