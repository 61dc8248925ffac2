/* SPDX-License-Identifier: Apache-2.0 */
/* Who wrote what, where only one writer is possible. */
#include "base/json_out.h"
#include "recording/record.h"

#include <string.h>

struct inference {
    struct arena *arena;
    struct text *text;
};

/* A line that has been begun; the caller adds what else there is to say. */
static void begin_deed(struct inference *inference, struct json_out *json,
                       const struct sighting *sighting, const char *actor, const char *action)
{
    json_out_init(json, inference->text, 0);
    json_object_begin(json, NULL);
    json_number(json, "t", sighting->time);
    json_integer(json, "rv", sighting->rv);
    json_string(json, "actor", actor);
    json_string(json, "action", action);
    json_string(json, "object",
                arena_printf(inference->arena, "%s/%s", sighting->kind, sighting->name));
    if (sighting->namespace)
        json_string(json, "namespace", sighting->namespace);
}

static void end_deed(struct inference *inference, struct json_out *json)
{
    json_object_end(json);
    text_append_char(inference->text, '\n');
}

static const char *creator_of(const char *owner_kind)
{
    static const struct {
        const char *kind;
        const char *actor;
    } creators[] = {
        {"ReplicaSet", "replicaset-controller"}, {"StatefulSet", "statefulset-controller"},
        {"DaemonSet", "daemon-set-controller"},  {"Job", "job-controller"},
        {"Deployment", "deployment-controller"},
    };
    for (size_t i = 0; i < sizeof(creators) / sizeof(*creators); i++)
        if (strcmp(creators[i].kind, owner_kind) == 0)
            return creators[i].actor;
    return NULL;
}

static int64_t replicas_of(const struct sighting *sighting)
{
    int64_t replicas = 1;
    value_read_integer(sighting_field(sighting, "spec", "replicas"), &replicas);
    return replicas;
}

static bool is_ready(const struct sighting *sighting)
{
    const struct value *conditions = sighting_field(sighting, "status", "conditions");
    for (uint32_t i = 0; conditions && conditions->kind == VALUE_SEQUENCE && i < conditions->count;
         i++) {
        const char *type = value_find_string(&conditions->items[i], "type");
        const char *status = value_find_string(&conditions->items[i], "status");
        if (type && status && strcmp(type, "Ready") == 0)
            return strcmp(status, "True") == 0;
    }
    return false;
}

static void infer_creation(struct inference *inference, const struct sighting *sighting)
{
    struct json_out json;
    const char *kind;
    const char *name;
    const char *actor = sighting_owner(sighting, &kind, &name) ? creator_of(kind) : NULL;
    if (!actor || (strcmp(sighting->kind, "Pod") != 0 && strcmp(sighting->kind, "ReplicaSet") != 0))
        return;
    begin_deed(inference, &json, sighting, actor, "create");
    json_string(&json, "owner", arena_printf(inference->arena, "%s/%s", kind, name));
    if (strcmp(sighting->kind, "ReplicaSet") == 0)
        json_integer(&json, "replicas", replicas_of(sighting));
    end_deed(inference, &json);
}

static void infer_pod_change(struct inference *inference, const struct sighting *before,
                             const struct sighting *sighting)
{
    struct json_out json;
    const char *node = value_find_string(value_find(sighting->object, "spec"), "nodeName");
    const char *old_node = value_find_string(value_find(before->object, "spec"), "nodeName");
    const char *phase = value_find_string(value_find(sighting->object, "status"), "phase");
    const char *old_phase = value_find_string(value_find(before->object, "status"), "phase");
    const char *reason = value_find_string(value_find(sighting->object, "status"), "reason");
    if (node && !old_node) {
        begin_deed(inference, &json, sighting, "scheduler", "bind");
        json_string(&json, "node", node);
        end_deed(inference, &json);
        return;
    }
    const bool ready = is_ready(sighting);
    const bool phase_changed = phase && old_phase && strcmp(phase, old_phase) != 0;
    if (!node || (!phase_changed && !(ready && !is_ready(before))))
        return;
    begin_deed(inference, &json, sighting, "kubelet", "status");
    json_object_begin(&json, "change");
    if (phase_changed)
        json_string(&json, "phase", phase);
    if (phase_changed && reason)
        json_string(&json, "reason", reason);
    if (ready)
        json_boolean(&json, "ready", true);
    json_object_end(&json);
    end_deed(inference, &json);
}

static void infer_scaling(struct inference *inference, const struct sighting *before,
                          const struct sighting *sighting)
{
    struct json_out json;
    const char *kind;
    const char *name;
    const int64_t from = replicas_of(before);
    const int64_t to = replicas_of(sighting);
    if (from == to || !sighting_owner(sighting, &kind, &name) || strcmp(kind, "Deployment") != 0)
        return;
    begin_deed(inference, &json, sighting, "deployment-controller", "scale");
    json_object_begin(&json, "change");
    json_array_begin(&json, "replicas");
    json_integer(&json, NULL, from);
    json_integer(&json, NULL, to);
    json_array_end(&json);
    json_object_end(&json);
    end_deed(inference, &json);
}

/* When the API server allows an eviction it decrements disruptionsAllowed and
 * adds the pod to disruptedPods; every other change is the disruption
 * controller's. */
static void infer_budget(struct inference *inference, const struct sighting *before,
                         const struct sighting *sighting)
{
    struct json_out json;
    const struct value *status = value_find(sighting->object, "status");
    const struct value *old = value_find(before->object, "status");
    const struct value *disrupted = value_find(status, "disruptedPods");
    const struct value *old_disrupted = value_find(old, "disruptedPods");
    const uint32_t count = disrupted ? disrupted->count : 0;
    const uint32_t old_count = old_disrupted ? old_disrupted->count : 0;
    if (!status || (old && value_equal(status, old)) || count > old_count)
        return;
    begin_deed(inference, &json, sighting, "disruption-controller", "status");
    value_write_json(&json, "status", status);
    end_deed(inference, &json);
}

static void infer_taints(struct inference *inference, const struct sighting *before,
                         const struct sighting *sighting)
{
    struct json_out json;
    const struct value *taints = sighting_field(sighting, "spec", "taints");
    const struct value *old = sighting_field(before, "spec", "taints");
    if (taints && old ? value_equal(taints, old) : !taints && !old)
        return;
    begin_deed(inference, &json, sighting, "node-lifecycle", "update");
    json_object_begin(&json, "change");
    json_array_begin(&json, "taints");
    if (old)
        value_write_json(&json, NULL, old);
    else
        json_raw(&json, NULL, "[]");
    if (taints)
        value_write_json(&json, NULL, taints);
    else
        json_raw(&json, NULL, "[]");
    json_array_end(&json);
    json_object_end(&json);
    end_deed(inference, &json);
}

/* Taints that only the node lifecycle controller sets. */
static bool taints_are_its_own(const struct sighting *before, const struct sighting *sighting)
{
    const struct sighting *both[] = {before, sighting};
    for (int side = 0; side < 2; side++) {
        const struct value *these = sighting_field(both[side], "spec", "taints");
        const struct value *those = sighting_field(both[1 - side], "spec", "taints");
        for (uint32_t i = 0; these && these->kind == VALUE_SEQUENCE && i < these->count; i++) {
            bool found = false;
            for (uint32_t j = 0; those && those->kind == VALUE_SEQUENCE && j < those->count; j++)
                found = found || value_equal(&these->items[i], &those->items[j]);
            const char *key = value_find_string(&these->items[i], "key");
            if (!found && (!key || strncmp(key, "node.kubernetes.io/", 19) != 0))
                return false;
        }
    }
    return true;
}

static void infer_change(struct inference *inference, const struct sighting *before,
                         const struct sighting *sighting)
{
    const char *kind = sighting->kind;
    if (strcmp(kind, "Pod") == 0)
        infer_pod_change(inference, before, sighting);
    else if (strcmp(kind, "ReplicaSet") == 0)
        infer_scaling(inference, before, sighting);
    else if (strcmp(kind, "PodDisruptionBudget") == 0)
        infer_budget(inference, before, sighting);
    else if (strcmp(kind, "Node") == 0 && taints_are_its_own(before, sighting))
        infer_taints(inference, before, sighting);
}

/* A pod that was being deleted and is gone: its kubelet is done with it. */
static void infer_removal(struct inference *inference, const struct sighting *before,
                          const struct sighting *sighting)
{
    struct json_out json;
    const char *node = value_find_string(value_find(sighting->object, "spec"), "nodeName");
    if (strcmp(sighting->kind, "Pod") != 0 || !node ||
        !sighting_field(before, "metadata", "deletionTimestamp"))
        return;
    begin_deed(inference, &json, sighting, "kubelet", "delete");
    json_string(&json, "node", node);
    end_deed(inference, &json);
}

void record_infer_deeds(struct arena *arena, const struct sightings *sightings, struct text *text)
{
    struct inference all = {arena, text};
    struct inference *inference = &all;
    for (uint32_t i = 0; i < sightings->count; i++) {
        const struct sighting *sighting = &sightings->items[i];
        const struct sighting *before = sighting_before(sightings, i);
        if (sighting->old)
            continue;
        if (sighting->gone && before)
            infer_removal(inference, before, sighting);
        else if (!sighting->gone && before)
            infer_change(inference, before, sighting);
        else if (!sighting->gone)
            infer_creation(inference, sighting);
    }
}
