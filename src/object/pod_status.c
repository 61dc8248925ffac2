/* SPDX-License-Identifier: Apache-2.0 */
/* The status of a pod, as the kubelet reports it. */
#include "object/pod_parts.h"

static const struct enum_name phases[] = {
    {"Pending", POD_PENDING}, {"Running", POD_RUNNING}, {"Succeeded", POD_SUCCEEDED},
    {"Failed", POD_FAILED},   {"Unknown", POD_UNKNOWN}, {0},
};

/*
 * The state of a container is a mapping with one member, whose name says which
 * state it is: {"waiting": {"reason": ...}}. None means waiting.
 */
static const struct field waiting_fields[] = {
    FIELD_STRING("reason", container_status, reason, 0),
};
static const struct schema waiting_schema = SCHEMA(container_status, waiting_fields);

static const struct field running_fields[] = {
    FIELD_INSTANT("startedAt", container_status, started_at),
};
static const struct schema running_schema = SCHEMA(container_status, running_fields);

static const struct field terminated_fields[] = {
    FIELD_INT32("exitCode", container_status, exit_code, 0, INT32_MIN, INT32_MAX, 0),
    FIELD_INSTANT("finishedAt", container_status, finished_at),
    FIELD_STRING("reason", container_status, reason, 0),
    FIELD_INSTANT("startedAt", container_status, started_at),
};
static const struct schema terminated_schema = SCHEMA(container_status, terminated_fields);

static const struct field last_fields[] = {
    FIELD_STRING("reason", container_status, last_reason, 0),
};
static const struct schema last_schema = SCHEMA(container_status, last_fields);

static const char *const state_keys[] = {
    [CONTAINER_WAITING] = "waiting",
    [CONTAINER_RUNNING] = "running",
    [CONTAINER_TERMINATED] = "terminated",
};
static const struct schema *const state_schemas[] = {
    [CONTAINER_WAITING] = &waiting_schema,
    [CONTAINER_RUNNING] = &running_schema,
    [CONTAINER_TERMINATED] = &terminated_schema,
};

/* The member that says the state, NULL if there is none. */
static const struct value *find_state(struct reading *reading, const struct path *path,
                                      const struct value *value, enum container_state *state)
{
    if (!mapping_expected(reading, path, value))
        return NULL;
    for (int i = CONTAINER_TERMINATED; i >= CONTAINER_WAITING; i--) {
        const struct value *member = value_find(value, state_keys[i]);
        if (!value_is_null(member)) {
            *state = (enum container_state)i;
            return member;
        }
    }
    return NULL;
}

static void state_decode(struct reading *reading, const struct path *path,
                         const struct value *value, void *base)
{
    struct container_status *status = base;
    const struct value *member = find_state(reading, path, value, &status->state);
    const struct path field = path_field(path, state_keys[status->state]);
    if (member)
        schema_decode(reading, &field, state_schemas[status->state], member, status);
}

static void state_encode(struct arena *scratch, struct json_out *json, const char *key,
                         const void *base)
{
    const struct container_status *status = base;
    json_object_begin(json, key);
    schema_encode(scratch, json, state_keys[status->state], state_schemas[status->state], status);
    json_object_end(json);
}

static void last_state_decode(struct reading *reading, const struct path *path,
                              const struct value *value, void *base)
{
    struct container_status *status = base;
    const struct value *member = find_state(reading, path, value, &status->last_state);
    const struct path field = path_field(path, state_keys[status->last_state]);
    if (member)
        schema_decode(reading, &field, &last_schema, member, status);
}

static void last_state_encode(struct arena *scratch, struct json_out *json, const char *key,
                              const void *base)
{
    const struct container_status *status = base;
    if (status->last_state == CONTAINER_WAITING && !status->last_reason)
        return;
    json_object_begin(json, key);
    schema_encode(scratch, json, state_keys[status->last_state], &last_schema, status);
    json_object_end(json);
}

static void state_init(void *base)
{
    struct container_status *status = base;
    status->started_at = TIME_NONE;
    status->finished_at = TIME_NONE;
}

static const struct field_hook state_hook = {state_decode, state_encode, state_init};
static const struct field_hook last_state_hook = {last_state_decode, last_state_encode, NULL};

static const struct field container_status_fields[] = {
    FIELD_RESOURCES("allocatedResources", container_status, allocated_resources),
    FIELD_HOOK("lastState", last_state_hook),
    FIELD_STRING("name", container_status, name, 0),
    FIELD_BOOLEAN("ready", container_status, ready, false),
    FIELD_POINTER("resources", container_status, resources, 0, resource_requirements_schema),
    FIELD_INT32("restartCount", container_status, restart_count, 0, 0, INT32_MAX, 0),
    FIELD_HOOK("state", state_hook),
};
static const struct schema container_status_schema =
    SCHEMA(container_status, container_status_fields);

static const struct field pod_status_fields[] = {
    FIELD_RESOURCES("allocatedResources", pod_status, allocated_resources),
    FIELD_LIST("conditions", pod_status, conditions.items, conditions.count, 0, condition_schema),
    FIELD_LIST("containerStatuses", pod_status, container_statuses, container_status_count, 0,
               container_status_schema),
    FIELD_LIST("initContainerStatuses", pod_status, init_container_statuses,
               init_container_status_count, 0, container_status_schema),
    FIELD_STRING("message", pod_status, message, 0),
    FIELD_STRING("nominatedNodeName", pod_status, nominated_node_name, 0),
    FIELD_ENUM("phase", pod_status, phase, 0, phases, POD_PHASE_UNSET),
    FIELD_STRING("qosClass", pod_status, qos_class, 0),
    FIELD_STRING("reason", pod_status, reason, 0),
    FIELD_POINTER("resources", pod_status, resources, 0, resource_requirements_schema),
    FIELD_INSTANT("startTime", pod_status, start_time),
};
const struct schema pod_status_schema = SCHEMA(pod_status, pod_status_fields);

static void resources_round(struct resource_requirements *resources)
{
    if (!resources)
        return;
    resource_list_round(&resources->limits);
    resource_list_round(&resources->requests);
}

static void containers_round(struct container_status *statuses, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++) {
        resources_round(statuses[i].resources);
        resource_list_round(&statuses[i].allocated_resources);
    }
}

void pod_status_set_defaults(struct pod_status *status)
{
    resources_round(status->resources);
    resource_list_round(&status->allocated_resources);
    containers_round(status->container_statuses, status->container_status_count);
    containers_round(status->init_container_statuses, status->init_container_status_count);
}
