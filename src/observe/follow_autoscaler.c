/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The HorizontalPodAutoscaler. Every answer of the metrics API was given to a
 * sync, so that what it remembers can be built up sync by sync.
 */
#include "model/controller/hpa.h"
#include "model/controller/hpa_memory.h"
#include "model/controller/hpa_object.h"
#include "object/time.h"
#include "observe/follow_internal.h"

#include <string.h>

/* A sync asks once for each metric; answers so close belong to one sync. */
#define SYNC_SECONDS 0.4
/* How long after its answers a sync may write. */
#define WRITE_SECONDS 2.0

/* Flags of the controller manager that a recording may be made with: upstream's
 * defaults, and those of quick recordings. */
static const struct {
    int64_t cpu_initialization;
    int64_t initial_readiness_delay;
} flag_sets[] = {
    {INT64_C(300) * NANOSECONDS_PER_SECOND, INT64_C(30) * NANOSECONDS_PER_SECOND},
    {INT64_C(10) * NANOSECONDS_PER_SECOND, INT64_C(1) * NANOSECONDS_PER_SECOND},
};

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
    json_string(&json, "timestamp", time_format(&follower->scratch, restore_instant(time)));
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
                        const struct answer *answer)
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

static const struct horizontal_pod_autoscaler *autoscaler_of(const struct glimpse *glimpse,
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

struct past {
    struct hpa_memory memory;
    double last; /* when the last sync was; negative: there was none */
};

/* One sync of the past; false if it decided nothing. */
static bool sync(struct follower *follower, const struct deed *deed, struct glimpse *glimpse,
                 const struct answer *answer, uint32_t flags, struct past *past, int32_t *replicas)
{
    const struct horizontal_pod_autoscaler *autoscaler = autoscaler_of(glimpse, deed);
    struct hpa_scale scale;
    struct hpa_input input;
    struct problems ignored;
    problems_init(&ignored, &follower->scratch);
    if (!autoscaler ||
        !hpa_find_scale(&follower->scratch, &glimpse->objects, autoscaler, &scale, &ignored) ||
        !hpa_read_input(&follower->scratch, &glimpse->objects, autoscaler, &scale, NULL,
                        restore_instant(answer->time), 26, &input, &ignored))
        return false;
    input.rules.cpu_initialization = flag_sets[flags].cpu_initialization;
    input.rules.initial_readiness_delay = flag_sets[flags].initial_readiness_delay;
    struct hpa_proposal *proposals =
        ARENA_ARRAY(&follower->scratch, struct hpa_proposal, input.metric_count + 1);
    struct hpa_decision decision;
    if (past->last >= 0)
        hpa_memory_age(&past->memory,
                       (int64_t)((answer->time - past->last) * NANOSECONDS_PER_SECOND));
    hpa_decide(&input, &past->memory, proposals, &decision);
    hpa_memory_record(&follower->scratch, &past->memory, &input, &decision);
    past->last = answer->time;
    *replicas = decision.replicas;
    return true;
}

/* The view that a sync had when it asked. */
static int64_t view_at(const struct follower *follower, double time)
{
    const struct recording *recording = follower->recording;
    int64_t rv = 0;
    for (uint32_t i = 0; i < recording->order.count; i++)
        if (recording->order.items[i]->time <= time && recording->order.items[i]->rv > rv)
            rv = recording->order.items[i]->rv;
    return rv;
}

static bool explained(struct follower *follower, const struct deed *deed,
                      const struct glimpse *latest, uint32_t flags, int64_t wanted)
{
    const struct recording *recording = follower->recording;
    struct past past = {.last = -1};
    int32_t replicas = -1;
    for (uint32_t i = 0; i < recording->answers.count; i++) {
        const struct answer *answer = &recording->answers.items[i];
        if (answer->time > deed->time + SYNC_SECONDS)
            break;
        if (i + 1 < recording->answers.count &&
            recording->answers.items[i + 1].time - answer->time < SYNC_SECONDS)
            continue;
        const bool last = deed->time - answer->time < WRITE_SECONDS &&
                          (i + 1 == recording->answers.count ||
                           recording->answers.items[i + 1].time > deed->time + SYNC_SECONDS);
        struct glimpse glimpse;
        const int64_t rv = last ? latest->rv : view_at(follower, answer->time);
        if (!glimpse_at(follower, rv, answer->time, NULL, &glimpse) ||
            !add_samples(follower, &glimpse, answer))
            return false;
        int32_t decided = -1;
        if (sync(follower, deed, &glimpse, answer, flags, &past, &decided))
            replicas = decided;
        if (last)
            break;
    }
    if (follower->would.length == 0)
        text_printf(&follower->would, "the autoscaler would scale %s to %d", deed->name, replicas);
    return replicas == wanted;
}

/* A size beyond the bounds is corrected without asking for metrics. */
static bool corrects_bounds(const struct glimpse *glimpse, const struct deed *deed, int64_t wanted)
{
    const struct horizontal_pod_autoscaler *autoscaler = autoscaler_of(glimpse, deed);
    struct hpa_scale scale;
    struct problems ignored;
    problems_init(&ignored, &glimpse->follower->scratch);
    if (!autoscaler || !hpa_find_scale(&glimpse->follower->scratch, &glimpse->objects, autoscaler,
                                       &scale, &ignored))
        return false;
    return (scale.spec_replicas > autoscaler->max_replicas && wanted == autoscaler->max_replicas) ||
           (scale.spec_replicas < autoscaler->min_replicas && scale.spec_replicas > 0 &&
            wanted == autoscaler->min_replicas);
}

bool rule_autoscale(struct follower *follower, const struct deed *deed, struct glimpse *glimpse)
{
    int64_t wanted = -1;
    value_read_integer(value_find(deed->line, "replicas"), &wanted);
    if (corrects_bounds(glimpse, deed, wanted))
        return true;
    for (uint32_t flags = 0; flags < sizeof(flag_sets) / sizeof(*flag_sets); flags++)
        if (explained(follower, deed, glimpse, flags, wanted))
            return true;
    return false;
}
