/* SPDX-License-Identifier: Apache-2.0 */
/* Pod and pod template: the schema of their spec, and the kind. */
#include "object/kind.h"
#include "object/pod_parts.h"

static const struct enum_name restart_policies[] = {
    {"Always", RESTART_ALWAYS},
    {"OnFailure", RESTART_ON_FAILURE},
    {"Never", RESTART_NEVER},
    {0},
};
const struct enum_name preemption_policy_names[] = {
    {"PreemptLowerPriority", PREEMPT_LOWER_PRIORITY},
    {"Never", PREEMPT_NEVER},
    {0},
};

/* schedulingGates: [{name: ...}], of which only the names are kept. */
static void gates_decode(struct reading *reading, const struct path *path,
                         const struct value *value, void *base)
{
    struct string_list *gates = &((struct pod_spec *)base)->scheduling_gates;
    if (!sequence_expected(reading, path, value) || !value->count)
        return;
    gates->items = ARENA_ARRAY(reading->arena, const char *, value->count);
    gates->count = value->count;
    for (uint32_t i = 0; i < value->count; i++) {
        const struct path item = path_item(path, i);
        const struct path name = path_field(&item, "name");
        const struct value *text = value_find(&value->items[i], "name");
        gates->items[i] = "";
        if (value_is_null(text))
            reading_missing(reading, &name);
        else
            string_decode(reading, &name, text, &gates->items[i]);
    }
}

static void gates_encode(struct arena *scratch, struct json_out *json, const char *key,
                         const void *base)
{
    (void)scratch;
    const struct string_list *gates = &((const struct pod_spec *)base)->scheduling_gates;
    if (!gates->count)
        return;
    json_array_begin(json, key);
    for (uint32_t i = 0; i < gates->count; i++) {
        json_object_begin(json, NULL);
        json_string(json, "name", gates->items[i]);
        json_object_end(json);
    }
    json_array_end(json);
}

static const struct field_hook gates_hook = {gates_decode, gates_encode, NULL};

static const struct field pod_spec_fields[] = {
    FIELD_OPTIONAL_INT("activeDeadlineSeconds", pod_spec, active_deadline_seconds, 1, INT32_MAX),
    FIELD_POINTER("affinity", pod_spec, affinity, 0, affinity_schema),
    FIELD_LIST("containers", pod_spec, containers, container_count, FIELD_REQUIRED,
               container_schema),
    FIELD_BOOLEAN("hostNetwork", pod_spec, host_network, false),
    FIELD_TRISTATE("hostUsers", pod_spec, host_users),
    FIELD_STRING("hostname", pod_spec, hostname, 0),
    FIELD_LIST("initContainers", pod_spec, init_containers, init_container_count, 0,
               container_schema),
    FIELD_STRING("nodeName", pod_spec, node_name, 0),
    FIELD_LABELS("nodeSelector", pod_spec, node_selector),
    FIELD_RESOURCES("overhead", pod_spec, overhead),
    FIELD_ENUM("preemptionPolicy", pod_spec, preemption_policy, 0, preemption_policy_names,
               PREEMPTION_UNSET),
    FIELD_OPTIONAL_INT("priority", pod_spec, priority, INT32_MIN, INT32_MAX),
    FIELD_STRING("priorityClassName", pod_spec, priority_class_name, 0),
    FIELD_NOT_MODELLED("readinessGates", "readiness gates are not modelled; the pod counts as "
                                         "ready when its containers are"),
    FIELD_NOT_MODELLED("resourceClaims", "resource claims are not modelled; where their devices "
                                         "are decides where the pod can run"),
    FIELD_POINTER("resources", pod_spec, resources, 0, resource_requirements_schema),
    FIELD_ENUM("restartPolicy", pod_spec, restart_policy, 0, restart_policies, RESTART_ALWAYS),
    FIELD_STRING("runtimeClassName", pod_spec, runtime_class_name, 0),
    FIELD_STRING("schedulerName", pod_spec, scheduler_name, 0),
    FIELD_HOOK("schedulingGates", gates_hook),
    FIELD_STRING("subdomain", pod_spec, subdomain, 0),
    FIELD_INT64("terminationGracePeriodSeconds", pod_spec, termination_grace_seconds, 0, INT64_MIN,
                INT64_MAX, 30),
    FIELD_LIST("tolerations", pod_spec, tolerations, toleration_count, 0, toleration_schema),
    FIELD_LIST("topologySpreadConstraints", pod_spec, topology_spread_constraints,
               topology_spread_constraint_count, 0, topology_spread_constraint_schema),
    FIELD_HOOK("volumes", volumes_hook),
};
static const char *const pod_spec_unused[] = {
    "automountServiceAccountToken",
    "dnsConfig",
    "dnsPolicy",
    "enableServiceLinks",
    "ephemeralContainers",
    "hostAliases",
    "hostIPC",
    "hostPID",
    "hostnameOverride",
    "imagePullSecrets",
    "os",
    "securityContext",
    "serviceAccount",
    "serviceAccountName",
    "setHostnameAsFQDN",
    "shareProcessNamespace",
    NULL,
};
const struct schema pod_spec_schema = SCHEMA_COMPLETE(pod_spec, pod_spec_fields, pod_spec_unused);

static const struct field pod_template_fields[] = {
    FIELD_STRUCT("metadata", pod_template, meta, 0, object_meta_schema),
    FIELD_STRUCT("spec", pod_template, spec, FIELD_REQUIRED, pod_spec_schema),
};
const struct schema pod_template_schema =
    SCHEMA_COMPLETE(pod_template, pod_template_fields, nothing_unused);

static const struct field pod_fields[] = {
    FIELD_STRUCT("metadata", pod, meta, 0, object_meta_schema),
    FIELD_STRUCT("spec", pod, spec, FIELD_REQUIRED, pod_spec_schema),
    FIELD_STRUCT("status", pod, status, 0, pod_status_schema),
};
static const struct schema pod_schema = SCHEMA_COMPLETE(pod, pod_fields, object_unused);

static void pod_set_defaults(struct arena *arena, void *object)
{
    struct pod *pod = object;
    pod_spec_set_defaults(arena, &pod->spec);
    pod_status_set_defaults(&pod->status);
}

static void pod_validate(struct reading *reading, const struct path *path, const void *object)
{
    const struct pod *pod = object;
    const struct path meta = path_field(path, "metadata");
    const struct path spec = path_field(path, "spec");
    object_meta_validate(reading, &meta, &pod->meta, NAME_DNS_SUBDOMAIN);
    pod_spec_validate(reading, &spec, &pod->spec);
}

static const struct kind_version pod_versions[] = {{.api_version = "v1", .schema = &pod_schema},
                                                   {0}};
const struct kind_type pod_kind = {
    .versions = pod_versions,
    .namespaced = true,
    .set_defaults = pod_set_defaults,
    .validate = pod_validate,
};
