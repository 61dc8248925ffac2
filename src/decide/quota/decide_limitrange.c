/* SPDX-License-Identifier: Apache-2.0 */
/* `fathom decide limitrange`: what LimitRanger makes of one new pod or claim. */
#include "decide/claim.h"
#include "decide/decider.h"
#include "decide/quota/chosen_pod.h"
#include "decide/quota/usage.h"
#include "decide/scenario.h"
#include "object/limit_ranger.h"
#include "object/storage.h"

#include <stdlib.h>
#include <string.h>

struct outcome {
    const struct pod_spec *spec; /* NULL: the object is a claim */
    const char *annotation;
    limit_messages invalid;
    limit_messages refused;
};

static bool is_of_namespace(const struct object *range, const struct object *object)
{
    return range->kind == OBJECT_LIMIT_RANGE &&
           claim_same_text(range->meta->namespace, object->meta->namespace);
}

static void judge(struct arena *arena, const struct object *range, const struct object *object,
                  enum pod_totals rule, limit_messages *messages)
{
    if (object->kind == OBJECT_POD)
        limit_range_judge(arena, range->as.limit_range, &object->as.pod->spec, rule, messages);
    else
        limit_range_judge_claim(arena, range->as.limit_range,
                                &object->as.persistent_volume_claim->requests, messages);
}

/* All ranges of the namespace complete the pod; the first that objects refuses it. */
static void decide(struct arena *arena, const struct objects *objects, const struct object *object,
                   enum pod_totals rule, struct outcome *outcome)
{
    *outcome = (struct outcome){0};
    if (object->kind == OBJECT_POD) {
        outcome->spec = &object->as.pod->spec;
        for (uint32_t i = 0; i < objects->count; i++) {
            const struct object *range = &objects->items[i];
            const char *annotation =
                is_of_namespace(range, object)
                    ? limit_range_complete(arena, range->as.limit_range, &object->as.pod->spec)
                    : NULL;
            outcome->annotation = annotation ? annotation : outcome->annotation;
        }
        pod_requests_judge(arena, &object->as.pod->spec, &outcome->invalid);
    }
    for (uint32_t i = 0; i < objects->count && outcome->refused.count == 0; i++)
        if (is_of_namespace(&objects->items[i], object))
            judge(arena, &objects->items[i], object, rule, &outcome->refused);
}

/* ---- writing ---- */

static void write_list(struct arena *arena, struct json_out *json, const char *key,
                       const struct resource_list *list)
{
    if (list->count == 0)
        return;
    json_object_begin(json, key);
    for (uint32_t i = 0; i < list->count; i++)
        json_string(json, list->items[i].name,
                    quantity_format_text(arena, list->items[i].quantity));
    json_object_end(json);
}

static void write_containers(struct arena *arena, struct json_out *json,
                             const struct container *containers, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++) {
        json_object_begin(json, NULL);
        json_string(json, "name", containers[i].name);
        json_object_begin(json, "resources");
        write_list(arena, json, "limits", &containers[i].resources.limits);
        write_list(arena, json, "requests", &containers[i].resources.requests);
        json_object_end(json);
        json_object_end(json);
    }
}

static void write_messages(struct json_out *json, const char *key, limit_messages *messages)
{
    if (messages->count == 0)
        return;
    qsort(messages->items, messages->count, sizeof(*messages->items), claim_compare_texts);
    json_array_begin(json, key);
    for (uint32_t i = 0; i < messages->count; i++)
        json_string(json, NULL, messages->items[i]);
    json_array_end(json);
}

static void write_outcome(struct arena *arena, struct json_out *json, struct outcome *outcome)
{
    json_object_begin(json, "result");
    if (outcome->annotation)
        json_string(json, "annotation", outcome->annotation);
    if (outcome->spec) {
        json_array_begin(json, "containers");
        write_containers(arena, json, outcome->spec->containers, outcome->spec->container_count);
        write_containers(arena, json, outcome->spec->init_containers,
                         outcome->spec->init_container_count);
        json_array_end(json);
    }
    write_messages(json, "invalid", &outcome->invalid);
    write_messages(json, "refused", &outcome->refused);
    json_object_end(json);
}

static bool decide_scenario(struct arena *arena, const struct value *value,
                            const struct features *features, struct json_out *json,
                            struct problems *problems)
{
    struct features stated = *features;
    struct objects objects = {0};
    struct outcome outcome;
    if (!scenario_read_features(value, &stated, problems) ||
        !scenario_read_unvalidated(arena, value_find(value, "objects"), &objects, problems))
        return false;
    const struct object *object = NULL;
    for (uint32_t i = 0; i < objects.count; i++)
        if (objects.items[i].kind == OBJECT_POD ||
            objects.items[i].kind == OBJECT_PERSISTENT_VOLUME_CLAIM)
            object = &objects.items[i];
    if (!object) {
        value_expected(problems, value, "objects", "a Pod or a PersistentVolumeClaim");
        return false;
    }
    decide(arena, &objects, object, limit_range_totals(&stated), &outcome);
    write_outcome(arena, json, &outcome);
    return true;
}

/* ---- manifests ---- */

static void explain_messages(struct text *sentences, const char *what,
                             const limit_messages *messages)
{
    for (uint32_t i = 0; i < messages->count; i++)
        text_printf(sentences, "  %s: %s.\n", what, messages->items[i]);
}

static void explain(const struct object *object, const struct outcome *outcome,
                    struct text *sentences)
{
    const bool refused = outcome->refused.count > 0 || outcome->invalid.count > 0;
    text_printf(sentences, "%s %s/%s is %s.\n", object->kind_name, object->meta->namespace,
                object->meta->name, refused ? "refused" : "admitted");
    if (outcome->annotation)
        text_printf(sentences, "  %s.\n", outcome->annotation);
    explain_messages(sentences, "Forbidden", &outcome->refused);
    explain_messages(sentences, "Invalid", &outcome->invalid);
}

static bool decide_objects(struct arena *arena, const struct objects *objects,
                           const struct decide_choice *choice, struct json_out *json,
                           struct text *sentences, struct problems *problems)
{
    struct object pod;
    struct outcome outcome;
    if (!chosen_pod_read(arena, objects, choice->pod, &pod, problems))
        return false;
    decide(arena, objects, &pod, limit_range_totals(&choice->features), &outcome);
    write_outcome(arena, json, &outcome);
    explain(&pod, &outcome, sentences);
    return true;
}

const struct decider decider_limitrange = {
    .name = "limitrange",
    .summary = "what LimitRanger fills into a pod, and why it refuses it",
    .decide_scenario = decide_scenario,
    .decide_objects = decide_objects,
    .asks_for_a_pod = true,
};
