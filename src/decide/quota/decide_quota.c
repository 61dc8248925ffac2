/* SPDX-License-Identifier: Apache-2.0 */
/* `fathom decide quota`: what ResourceQuota admission answers to a request, or what the quota
 * controller computes. */
#include "base/vec.h"
#include "decide/claim.h"
#include "decide/decider.h"
#include "decide/quota/chosen_pod.h"
#include "decide/quota/quota.h"
#include "decide/scenario.h"
#include "object/path.h"

#include <string.h>

typedef VEC(const struct resource_quota *) quota_list;

/* The quotas of a namespace; NULL: of all. */
static quota_list find_quotas(struct arena *arena, const struct objects *objects,
                              const char *namespace)
{
    quota_list found = {0};
    for (uint32_t i = 0; i < objects->count; i++)
        if (objects->items[i].kind == OBJECT_RESOURCE_QUOTA &&
            (!namespace || claim_same_text(objects->items[i].meta->namespace, namespace)))
            VEC_PUSH(arena, &found, objects->items[i].as.resource_quota);
    return found;
}

/* ---- requests ---- */

static bool read_object(struct arena *arena, const struct value *value, enum object_kind kind,
                        struct object *object, struct problems *problems)
{
    const struct object_options options = {.unvalidated = true};
    return object_decode_at(arena, value, &path_root, kind, &options, object, problems);
}

/* Of kinds that are only counted nothing but the kind is read. */
static bool read_usage(struct arena *arena, const struct value *value,
                       struct quota_request *request, struct resource_list *usage,
                       struct problems *problems)
{
    const char *kind = value_find_string(value, "kind");
    const char *version = value_find_string(value, "apiVersion");
    struct object object;
    if (!kind || !version) {
        value_expected(problems, value, "request.object", "an object with apiVersion and kind");
        return false;
    }
    if (strcmp(kind, "Pod") == 0) {
        if (!read_object(arena, value, OBJECT_POD, &object, problems))
            return false;
        request->pod = &object.as.pod->spec;
        *usage = quota_pod_usage(arena, request->features, request->pod, true);
    } else if (strcmp(kind, "Service") == 0) {
        if (!read_object(arena, value, OBJECT_SERVICE, &object, problems))
            return false;
        request->service = object.as.service;
        *usage = quota_service_usage(arena, request->service);
    } else if (strcmp(kind, "PersistentVolumeClaim") == 0) {
        if (!read_object(arena, value, OBJECT_PERSISTENT_VOLUME_CLAIM, &object, problems))
            return false;
        request->claim = object.as.persistent_volume_claim;
        *usage = quota_claim_usage(arena, request->claim);
    } else {
        *usage = quota_object_usage(arena, version, kind);
    }
    return true;
}

static bool read_request(struct arena *arena, const struct features *features,
                         const struct value *value, struct quota_request *request,
                         struct problems *problems)
{
    const struct value *object = value_find(value, "object");
    const struct value *old = value_find(value, "oldObject");
    const char *operation = value_find_string(value, "operation");
    *request = (struct quota_request){
        .features = features,
        .is_update = operation && strcmp(operation, "UPDATE") == 0,
    };
    if (value_is_null(object)) {
        value_expected(problems, value, "request", "a request with an object");
        return false;
    }
    if (!read_usage(arena, object, request, &request->usage, problems))
        return false;
    /* Without a resource version the update may create the object. */
    if (value_is_null(old) || !value_find_string(value_find(old, "metadata"), "resourceVersion"))
        return true;
    struct quota_request before = {.features = features};
    struct resource_list *usage = ARENA_NEW(arena, struct resource_list);
    request->old = usage;
    return read_usage(arena, old, &before, usage, problems);
}

/* ---- writing ---- */

static void write_list(struct arena *arena, struct json_out *json, const char *key,
                       const struct resource_list *list)
{
    json_object_begin(json, key);
    for (uint32_t i = 0; i < list->count; i++)
        json_string(json, list->items[i].name,
                    quantity_format_text(arena, list->items[i].quantity));
    json_object_end(json);
}

static bool is_changed(const struct resource_list *before, const struct resource_list *after)
{
    bool changed = before->count != after->count;
    for (uint32_t i = 0; i < after->count && !changed; i++)
        changed = quantity_compare(before->items[i].quantity, after->items[i].quantity) != 0;
    return changed;
}

static void write_charges(struct arena *arena, struct json_out *json, const quota_list *quotas,
                          const struct resource_list *used)
{
    bool open = false;
    for (uint32_t i = 0; i < quotas->count; i++) {
        if (!is_changed(&quotas->items[i]->used, &used[i]))
            continue;
        if (!open)
            json_object_begin(json, "used");
        open = true;
        write_list(arena, json, quotas->items[i]->meta.name, &used[i]);
    }
    if (open)
        json_object_end(json);
}

/* What was answered to a request; gives the refusal. */
static const char *answer(struct arena *arena, const quota_list *quotas,
                          const struct quota_request *request, struct json_out *json)
{
    struct resource_list *used = ARENA_ARRAY(arena, struct resource_list, quotas->count + 1);
    const char *refusal = quota_admit(arena, quotas->items, quotas->count, request, used);
    json_object_begin(json, "result");
    if (refusal)
        json_string(json, "refused", refusal);
    else
        json_boolean(json, "allowed", true);
    write_list(arena, json, "usage", &request->usage);
    if (!refusal)
        write_charges(arena, json, quotas, used);
    json_object_end(json);
    return refusal;
}

static bool decide_request(struct arena *arena, const struct features *features,
                           const struct value *value, const struct objects *objects,
                           struct json_out *json, struct problems *problems)
{
    struct quota_request request;
    if (!read_request(arena, features, value, &request, problems))
        return false;
    const char *namespace =
        value_find_string(value_find(value_find(value, "object"), "metadata"), "namespace");
    const quota_list found = find_quotas(arena, objects, namespace ? namespace : "default");
    answer(arena, &found, &request, json);
    return true;
}

static bool decide_scenario(struct arena *arena, const struct value *value,
                            const struct features *features, struct json_out *json,
                            struct problems *problems)
{
    struct features stated = *features;
    struct objects objects = {0};
    int64_t now;
    if (!scenario_read_features(value, &stated, problems) ||
        !scenario_read_unvalidated(arena, value_find(value, "objects"), &objects, problems) ||
        !scenario_read_time(value, "now", &now, problems))
        return false;
    const struct value *request = value_find(value, "request");
    if (!value_is_null(request))
        return decide_request(arena, &stated, request, &objects, json, problems);
    const struct object *quota = scenario_only(&objects, OBJECT_RESOURCE_QUOTA, problems);
    if (!quota)
        return false;
    const struct resource_list used =
        quota_recalculate(arena, &stated, quota->as.resource_quota, &objects,
                          now == TIME_NONE ? scenario_present(&objects) : now);
    json_object_begin(json, "result");
    write_list(arena, json, "used", &used);
    json_object_end(json);
    return true;
}

/* ---- manifests ---- */

static void explain_quota(struct arena *arena, const struct resource_quota *quota,
                          struct text *sentences)
{
    text_printf(sentences, "ResourceQuota %s/%s:", quota->meta.namespace, quota->meta.name);
    for (uint32_t i = 0; i < quota->used.count; i++) {
        const struct resource *used = &quota->used.items[i];
        text_printf(sentences, "%s %s %s of %s", i ? "," : "", used->name,
                    quantity_format_text(arena, used->quantity),
                    quantity_format_text(arena, *resource_list_find(&quota->hard, used->name)));
    }
    text_printf(sentences, "%s\n", quota->used.count > 0 ? "." : " nothing is tracked.");
}

/* The quotas as their controller leaves them, without the pod that is asked about. */
static void compute(struct arena *arena, const struct features *features,
                    const struct objects *objects, const struct object *pod, quota_list *quotas)
{
    struct objects others = {.items = ARENA_ARRAY(arena, struct object, objects->count + 1)};
    for (uint32_t i = 0; i < objects->count; i++)
        if (!pod || objects->items[i].kind != OBJECT_POD ||
            strcmp(objects->items[i].meta->name, pod->meta->name) != 0 ||
            !claim_same_text(objects->items[i].meta->namespace, pod->meta->namespace))
            others.items[others.count++] = objects->items[i];
    for (uint32_t i = 0; i < quotas->count; i++) {
        struct resource_quota *quota = ARENA_NEW(arena, struct resource_quota);
        *quota = *quotas->items[i];
        quota->status_hard = quota->hard;
        quota->used = quota_recalculate(arena, features, quota, &others, scenario_present(objects));
        quotas->items[i] = quota;
    }
}

static bool decide_pod(struct arena *arena, const struct features *features,
                       const struct objects *objects, const char *name, struct json_out *json,
                       struct text *sentences, struct problems *problems)
{
    const struct object *pod = chosen_pod_find(objects, name, problems);
    if (!pod)
        return false;
    const struct quota_request request = {
        .features = features,
        .pod = &pod->as.pod->spec,
        .usage = quota_pod_usage(arena, features, &pod->as.pod->spec, true)};
    quota_list found = find_quotas(arena, objects, pod->meta->namespace);
    compute(arena, features, objects, pod, &found);
    const char *refusal = answer(arena, &found, &request, json);
    text_printf(sentences, "Pod %s is %s%s.\n", name, refusal ? "refused: " : "admitted",
                refusal ? refusal : "");
    for (uint32_t i = 0; i < found.count; i++)
        explain_quota(arena, found.items[i], sentences);
    return true;
}

static bool decide_objects(struct arena *arena, const struct objects *objects,
                           const struct decide_choice *choice, struct json_out *json,
                           struct text *sentences, struct problems *problems)
{
    if (choice->pod)
        return decide_pod(arena, &choice->features, objects, choice->pod, json, sentences,
                          problems);
    quota_list found = find_quotas(arena, objects, NULL);
    if (found.count == 0) {
        problem_error(problems, (struct place){0}, NULL, "expected a ResourceQuota, found none");
        return false;
    }
    compute(arena, &choice->features, objects, NULL, &found);
    json_array_begin(json, "result");
    for (uint32_t i = 0; i < found.count; i++) {
        json_object_begin(json, NULL);
        json_string(json, "namespace", found.items[i]->meta.namespace);
        json_string(json, "name", found.items[i]->meta.name);
        write_list(arena, json, "used", &found.items[i]->used);
        json_object_end(json);
        explain_quota(arena, found.items[i], sentences);
    }
    json_array_end(json);
    return true;
}

const struct decider decider_quota = {
    .name = "quota",
    .summary = "whether quotas admit a pod, and what they have used",
    .decide_scenario = decide_scenario,
    .decide_objects = decide_objects,
    .asks_for_a_pod = true,
};
