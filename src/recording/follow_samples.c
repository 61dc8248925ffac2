/* SPDX-License-Identifier: Apache-2.0 */
/* What an autoscaler sees: its object, and the samples that it was given. */
#include "object/time.h"
#include "recording/follow_autoscaler.h"

#include <string.h>

static void write_metrics(struct follower *follower, const struct pod *pod, double time,
                          int64_t cpu_milli, int64_t memory_mebi)
{
    struct json_out json;
    text_reset(&follower->answer);
    json_out_init(&json, &follower->answer, 0);
    json_object_begin(&json, NULL);
    json_string(&json, "apiVersion", "metrics.k8s.io/v1beta1");
    json_string(&json, "kind", "PodMetrics");
    json_object_begin(&json, "metadata");
    json_string(&json, "name", pod->meta.name);
    json_string(&json, "namespace", pod->meta.namespace);
    json_object_begin(&json, "labels"); /* the metrics API selects by them */
    for (uint32_t i = 0; i < pod->meta.labels.count; i++)
        json_string(&json, pod->meta.labels.items[i].key, pod->meta.labels.items[i].value);
    json_object_end(&json);
    json_object_end(&json);
    json_string(&json, "timestamp",
                time_format(&follower->scratch, recording_instant(follower->recording, time)));
    json_string(&json, "window", "1s");
    json_array_begin(&json, "containers");
    for (uint32_t c = 0; c < pod->spec.container_count; c++) {
        json_object_begin(&json, NULL);
        json_string(&json, "name", pod->spec.containers[c].name);
        json_object_begin(&json, "usage");
        json_string(&json, "cpu",
                    arena_printf(&follower->scratch, "%lldm", c == 0 ? (long long)cpu_milli : 0));
        json_string(
            &json, "memory",
            arena_printf(&follower->scratch, "%lldMi", c == 0 ? (long long)memory_mebi : 0));
        json_object_end(&json);
        json_object_end(&json);
    }
    json_array_end(&json);
    json_object_end(&json);
}

/* The samples of an answer, [["web-1", 400, 50], ...], become objects. */
static bool add_samples(struct follower *follower, struct glimpse *glimpse,
                        const struct metrics_answer *answer)
{
    const struct value *pods = value_find(answer->line, "pods");
    for (uint32_t i = 0; pods && pods->kind == VALUE_SEQUENCE && i < pods->count; i++) {
        const struct value *sample = &pods->items[i];
        const char *name = NULL;
        int64_t cpu = 0;
        int64_t memory = 0;
        if (sample->kind != VALUE_SEQUENCE || sample->count < 3 ||
            !value_read_string(&sample->items[0], &name))
            continue;
        value_read_integer(&sample->items[1], &cpu);
        value_read_integer(&sample->items[2], &memory);
        const struct object *pod = glimpse_find(glimpse, OBJECT_POD, name);
        if (!pod)
            continue;
        write_metrics(follower, pod->as.pod, answer->time, cpu, memory);
        const struct document *document = manifest_reader_parse_json(
            follower->restorer.reader, &follower->scratch, (struct place){"metrics", 1, 1},
            text_content(&follower->answer), follower->answer.length, follower->problems);
        if (!document ||
            !objects_add(&follower->scratch, &glimpse->objects, document, NULL, follower->problems))
            return false;
    }
    return true;
}

const struct horizontal_pod_autoscaler *autoscaler_of(const struct glimpse *glimpse,
                                                      const struct deed *deed)
{
    for (uint32_t i = 0; i < glimpse->objects.count; i++) {
        const struct object *object = &glimpse->objects.items[i];
        if (object->kind == OBJECT_HORIZONTAL_POD_AUTOSCALER &&
            is_of_namespace(glimpse->follower, object->meta) &&
            strcmp(object->as.horizontal_pod_autoscaler->scale_target.kind, deed->kind) == 0 &&
            strcmp(object->as.horizontal_pod_autoscaler->scale_target.name, deed->name) == 0)
            return object->as.horizontal_pod_autoscaler;
    }
    return NULL;
}

bool autoscaler_see(struct follower *follower, const struct metrics_answer *answer, int64_t pods,
                    int64_t rest, struct glimpse *glimpse)
{
    const struct outlook outlook = {.rv = rest, .count = 1, .behind = {{"Pod", pods}}};
    return glimpse_at(follower, &outlook, answer->time, NULL, glimpse) &&
           add_samples(follower, glimpse, answer);
}
