/* SPDX-License-Identifier: Apache-2.0 */
/* Pods: the template of their owner, with the node and status of the line. */
#include "recording/restore_parts.h"

#include <string.h>

struct added_toleration {
    const char *key;
    const char *effect;
    int64_t seconds; /* -1: for ever */
};

static bool tolerates(const struct value *tolerations, const char *key, const char *effect)
{
    if (value_is_null(tolerations) || tolerations->kind != VALUE_SEQUENCE)
        return false;
    VALUE_EACH_ITEM(tolerations, toleration)
    {
        const char *its_key = value_find_string(toleration, "key");
        const char *its_effect = value_find_string(toleration, "effect");
        if ((!its_key || strcmp(its_key, key) == 0) &&
            (!its_effect || strcmp(its_effect, effect) == 0))
            return true;
    }
    return false;
}

/* What admission, and for its own pods the DaemonSet controller, add. */
static void write_tolerations(struct json_out *json, const struct value *spec, bool daemon)
{
    static const struct added_toleration usual[] = {
        {"node.kubernetes.io/not-ready", "NoExecute", 300},
        {"node.kubernetes.io/unreachable", "NoExecute", 300},
    };
    static const struct added_toleration of_daemons[] = {
        {"node.kubernetes.io/not-ready", "NoExecute", -1},
        {"node.kubernetes.io/unreachable", "NoExecute", -1},
        {"node.kubernetes.io/disk-pressure", "NoSchedule", -1},
        {"node.kubernetes.io/memory-pressure", "NoSchedule", -1},
        {"node.kubernetes.io/pid-pressure", "NoSchedule", -1},
        {"node.kubernetes.io/unschedulable", "NoSchedule", -1},
    };
    const struct added_toleration *added = daemon ? of_daemons : usual;
    const size_t count =
        daemon ? sizeof(of_daemons) / sizeof(*of_daemons) : sizeof(usual) / sizeof(*usual);
    const struct value *given = value_find(spec, "tolerations");
    json_array_begin(json, "tolerations");
    if (!value_is_null(given) && given->kind == VALUE_SEQUENCE)
        VALUE_EACH_ITEM(given, toleration)
        {
            value_write_json(json, NULL, toleration);
        }
    for (size_t i = 0; i < count; i++) {
        if (tolerates(given, added[i].key, added[i].effect))
            continue;
        json_object_begin(json, NULL);
        json_string(json, "key", added[i].key);
        json_string(json, "operator", "Exists");
        json_string(json, "effect", added[i].effect);
        if (added[i].seconds >= 0)
            json_integer(json, "tolerationSeconds", added[i].seconds);
        json_object_end(json);
    }
    json_array_end(json);
}

/* A daemon's pod names its node from the beginning. Recordings that leave the
 * affinity out may tell the node by itself, and show it when the pod is bound.
 * For which node a pod is that never is, whoever follows the run has to try. */
static const char *destined_node(const struct version *version)
{
    const char *told = value_find_string(version->line, "target");
    const char *bound = version_bound_node(version);
    return told ? told : bound ? bound : version->thing->destined;
}

static void write_daemon_affinity(struct json_out *json, const char *node)
{
    json_object_begin(json, "affinity");
    json_object_begin(json, "nodeAffinity");
    json_object_begin(json, "requiredDuringSchedulingIgnoredDuringExecution");
    json_array_begin(json, "nodeSelectorTerms");
    json_object_begin(json, NULL);
    json_array_begin(json, "matchFields");
    json_object_begin(json, NULL);
    json_string(json, "key", "metadata.name");
    json_string(json, "operator", "In");
    json_array_begin(json, "values");
    json_string(json, NULL, node);
    json_array_end(json);
    json_object_end(json);
    json_array_end(json);
    json_object_end(json);
    json_array_end(json);
    json_object_end(json);
    json_object_end(json);
    json_object_end(json);
}

/* Does the pod still have its scheduling gates? Lines do not show them. A pod is made with them,
 * and whoever takes the last one writes the version before the one in which it is bound. */
static bool has_gates(const struct version *version)
{
    const struct thing *thing = version->thing;
    const char *reason = value_find_string(version->line, "schedReason");
    if (!reason || strcmp(reason, "SchedulingGated") != 0)
        return false;
    if (version == version_birth(version) ||
        version + 1 == thing->versions.items + thing->versions.count || version[1].gone)
        return true;
    return !value_find_string(version[1].line, "nodeName");
}

static void write_pod_spec(struct json_out *json, const struct version *version,
                           const struct value *spec, bool daemon)
{
    const char *except[] = {"containers",        "nodeName", "tolerations", "priority",
                            "priorityClassName", NULL,       NULL,          NULL};
    uint32_t count = 5;
    const char *node = value_find_string(version->line, "nodeName");
    int64_t priority = 0;
    const char *destined = daemon && !node ? destined_node(version) : NULL;
    if (destined)
        except[count++] = "affinity";
    if (!has_gates(version))
        except[count++] = "schedulingGates";
    json_object_begin(json, "spec");
    restore_members(json, spec, except);
    restore_containers(json, value_find(spec, "containers"),
                       value_find_string(version->line, "image"),
                       value_find(version->line, "requests"));
    write_tolerations(json, spec, daemon);
    if (destined)
        write_daemon_affinity(json, destined);
    if (node)
        json_string(json, "nodeName", node);
    if (value_read_integer(value_find(version->line, "priority"), &priority))
        json_integer(json, "priority", priority);
    json_object_end(json);
}

static void write_pod_status(struct restorer *restorer, struct json_out *json,
                             const struct version *version, const struct value *spec)
{
    const struct value *line = version->line;
    const char *phase = value_find_string(line, "phase");
    const char *nominated = value_find_string(line, "nominatedNodeName");
    const char *scheduled = value_find_string(line, "scheduled");
    const char *reason = value_find_string(line, "reason");
    const char *began = value_find_string(line, "startTime");
    const char *disruption = value_find_string(line, "disruption");
    json_object_begin(json, "status");
    json_string(json, "phase", phase ? phase : "Pending");
    if (reason)
        json_string(json, "reason", reason);
    if (nominated)
        json_string(json, "nominatedNodeName", nominated);
    if (line_says(line, "started"))
        json_string(json, "startTime",
                    began ? began : restore_time(restorer, version_since(version, "started")));
    json_array_begin(json, "conditions");
    restore_condition(json, "Ready", line_says(line, "ready") ? "True" : "False", NULL,
                      restore_time(restorer, version_since(version, "ready")));
    if (scheduled)
        restore_condition(json, "PodScheduled", scheduled, value_find_string(line, "schedReason"),
                          NULL);
    if (disruption)
        restore_condition(json, "DisruptionTarget", "True", disruption,
                          restore_time(restorer, version_since(version, "disruption")));
    json_array_end(json);
    restore_ending(restorer, json, version, spec);
    json_object_end(json);
}

bool restore_pod(struct restorer *restorer, struct json_out *json, const struct version *version)
{
    static const char *const none[] = {NULL};
    const struct value *line = version->line;
    const struct value *owner = value_find(line, "owner");
    const char *owner_kind = line_item(owner, 0);
    const char *owner_name = line_item(owner, 1);
    const bool daemon = owner_kind && strcmp(owner_kind, "DaemonSet") == 0;
    const char *image = value_find_string(line, "image");
    const struct value *maker =
        owner_kind && owner_name
            ? restore_owner_manifest(restorer->recording, owner_kind, version->thing->namespace,
                                     owner_name, image)
            : NULL;
    const struct value *base =
        owner_kind && owner_name
            ? restore_template_of(maker)
            : recording_manifest(restorer->recording, "Pod", version->thing->name, NULL);
    if (value_is_null(base)) {
        problem_error(restorer->problems, value_place(line), "owner",
                      "expected a manifest with the template of %s, found none",
                      version->thing->name);
        return false;
    }
    json_string(json, "apiVersion", "v1");
    json_string(json, "kind", "Pod");
    json_object_begin(json, "metadata");
    restore_identity(restorer, json, version);
    json_object_begin(json, "labels");
    restore_members(json, value_find(line, "labels"), none);
    json_object_end(json);
    restore_annotations(restorer, json, version, maker,
                        value_find(value_find(base, "metadata"), "annotations"));
    if (line_says(line, "deleting"))
        json_string(json, "deletionTimestamp",
                    restore_time(restorer, version_since(version, "deleting")));
    if (!value_is_null(value_find(line, "finalizers")))
        value_write_json(json, "finalizers", value_find(line, "finalizers"));
    json_object_end(json);
    write_pod_spec(json, version, value_find(base, "spec"), daemon);
    write_pod_status(restorer, json, version, value_find(base, "spec"));
    return true;
}
