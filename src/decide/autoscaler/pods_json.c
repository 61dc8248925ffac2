/* SPDX-License-Identifier: Apache-2.0 */
#include "decide/autoscaler/result_json.h"

void write_pods(struct json_out *json, const char *key, const pod_list *pods)
{
    if (pods->count == 0)
        return;
    json_array_begin(json, key);
    for (uint32_t i = 0; i < pods->count; i++)
        json_string(json, NULL, pods->items[i]->name);
    json_array_end(json);
}

void write_placed(struct json_out *json, const char *key, const placed_list *placed)
{
    json_array_begin(json, key);
    for (uint32_t i = 0; i < placed->count; i++) {
        json_object_begin(json, NULL);
        json_string(json, "pod", placed->items[i].pod->name);
        json_string(json, "to", placed->items[i].to);
        json_object_end(json);
    }
    json_array_end(json);
}
