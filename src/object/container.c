/* SPDX-License-Identifier: Apache-2.0 */
/* Containers of a pod: ports, resources, probes. */
#include "object/pod_parts.h"

#include "object/names.h"

#include <string.h>

const struct enum_name protocol_names[] = {
    {"TCP", PROTOCOL_TCP},
    {"UDP", PROTOCOL_UDP},
    {"SCTP", PROTOCOL_SCTP},
    {0},
};

static const struct field container_port_fields[] = {
    FIELD_INT32("containerPort", container_port, container_port, FIELD_REQUIRED, 1, 65535, 0),
    FIELD_STRING("hostIP", container_port, host_ip, FIELD_NEVER_NULL),
    FIELD_INT32("hostPort", container_port, host_port, 0, 0, 65535, 0),
    FIELD_STRING("name", container_port, name, 0),
    FIELD_ENUM("protocol", container_port, protocol, 0, protocol_names, PROTOCOL_TCP),
};
static const struct schema container_port_schema =
    SCHEMA_COMPLETE(container_port, container_port_fields, nothing_unused);

static const struct field resource_requirements_fields[] = {
    FIELD_NOT_MODELLED("claims", "resource claims are not modelled; where their devices are "
                                 "decides where the pod can run"),
    FIELD_RESOURCES("limits", resource_requirements, limits),
    FIELD_RESOURCES("requests", resource_requirements, requests),
};
const struct schema resource_requirements_schema =
    SCHEMA_COMPLETE(resource_requirements, resource_requirements_fields, nothing_unused);

/* In a probe 0 means the default, like an absent field. */
static const struct field probe_fields[] = {
    FIELD_INT32("failureThreshold", probe, failure_threshold, 0, 0, INT32_MAX, 0),
    FIELD_INT32("initialDelaySeconds", probe, initial_delay_seconds, 0, 0, INT32_MAX, 0),
    FIELD_INT32("periodSeconds", probe, period_seconds, 0, 0, INT32_MAX, 0),
    FIELD_INT32("successThreshold", probe, success_threshold, 0, 0, INT32_MAX, 0),
    FIELD_INT32("timeoutSeconds", probe, timeout_seconds, 0, 0, INT32_MAX, 0),
};
static const char *const probe_unused[] = {
    "exec", "grpc", "httpGet", "tcpSocket", "terminationGracePeriodSeconds", NULL,
};
static const struct schema probe_schema = SCHEMA_COMPLETE(probe, probe_fields, probe_unused);

/*
 * Of restartPolicyRules is kept whether one restarts all containers of the pod, which the node has
 * to support, and for which exit codes they restart any. The codes are not written back.
 */
static const char restart_all[] = "RestartAllContainers";

/* What is not as it should be is left out. */
static struct exit_code_rule exit_codes_of(struct arena *arena, const struct value *rule)
{
    const struct value *codes = value_find(rule, "exitCodes");
    const struct value *values = value_find(codes, "values");
    struct exit_code_rule found = {0};
    const char *relation = NULL;
    if (value_read_string(value_find(codes, "operator"), &relation))
        found.relation = strcmp(relation, "NotIn") == 0 ? EXIT_CODE_NOT_IN : EXIT_CODE_IN;
    if (!values || values->kind != VALUE_SEQUENCE)
        return found;
    found.values = ARENA_ARRAY(arena, int64_t, values->count + 1);
    VALUE_EACH_ITEM(values, item)
    {
        if (value_read_integer(item, &found.values[found.value_count]))
            found.value_count++;
    }
    return found;
}

static void restart_rules_decode(struct reading *reading, const struct path *path,
                                 const struct value *value, void *base)
{
    struct container *container = base;
    if (!sequence_expected(reading, path, value))
        return;
    container->restart_codes = ARENA_ARRAY(reading->arena, struct exit_code_rule, value->count + 1);
    for (uint32_t i = 0; i < value->count; i++) {
        const struct path item = path_item(path, i);
        const struct path field = path_field(&item, "action");
        const struct value *text = value_find(&value->items[i], "action");
        const char *action = "";
        if (value_is_null(text))
            reading_missing(reading, &field);
        else
            string_decode(reading, &field, text, &action);
        container->restarts_all |= action && strcmp(action, restart_all) == 0;
        container->restart_codes[container->restart_code_count++] =
            exit_codes_of(reading->arena, &value->items[i]);
    }
}

static void restart_rules_encode(struct arena *scratch, struct json_out *json, const char *key,
                                 const void *base)
{
    (void)scratch;
    if (!((const struct container *)base)->restarts_all)
        return;
    json_array_begin(json, key);
    json_object_begin(json, NULL);
    json_string(json, "action", restart_all);
    json_object_end(json);
    json_array_end(json);
}

static const struct field_hook restart_rules_hook = {restart_rules_decode, restart_rules_encode,
                                                     NULL};

static const struct field container_fields[] = {
    FIELD_STRING("image", container, image, FIELD_REQUIRED),
    FIELD_HOOK("lifecycle", lifecycle_hook),
    FIELD_POINTER("livenessProbe", container, liveness_probe, 0, probe_schema),
    FIELD_STRING("name", container, name, FIELD_REQUIRED),
    FIELD_LIST("ports", container, ports, port_count, 0, container_port_schema),
    FIELD_POINTER("readinessProbe", container, readiness_probe, 0, probe_schema),
    FIELD_STRUCT("resources", container, resources, 0, resource_requirements_schema),
    FIELD_STRING("restartPolicy", container, restart_policy, 0),
    FIELD_HOOK("restartPolicyRules", restart_rules_hook),
    FIELD_POINTER("startupProbe", container, startup_probe, 0, probe_schema),
};
static const char *const container_unused[] = {
    "args",
    "command",
    "env",
    "envFrom",
    "imagePullPolicy",
    "resizePolicy",
    "securityContext",
    "stdin",
    "stdinOnce",
    "terminationMessagePath",
    "terminationMessagePolicy",
    "tty",
    "volumeDevices",
    "volumeMounts",
    "workingDir",
    NULL,
};
const struct schema container_schema =
    SCHEMA_COMPLETE(container, container_fields, container_unused);

static void probe_set_defaults(struct probe *probe)
{
    if (!probe)
        return;
    if (!probe->timeout_seconds)
        probe->timeout_seconds = 1;
    if (!probe->period_seconds)
        probe->period_seconds = 10;
    if (!probe->success_threshold)
        probe->success_threshold = 1;
    if (!probe->failure_threshold)
        probe->failure_threshold = 3;
}

void containers_set_defaults(struct arena *arena, struct container *containers, uint32_t count,
                             bool host_network)
{
    for (uint32_t i = 0; i < count; i++) {
        struct container *container = &containers[i];
        probe_set_defaults(container->readiness_probe);
        probe_set_defaults(container->liveness_probe);
        probe_set_defaults(container->startup_probe);
        resource_list_round(&container->resources.limits);
        resource_list_round(&container->resources.requests);
        resource_list_complete(arena, &container->resources.requests, &container->resources.limits);
        for (uint32_t p = 0; host_network && p < container->port_count; p++)
            if (!container->ports[p].host_port)
                container->ports[p].host_port = container->ports[p].container_port;
    }
}

static void ports_validate(struct reading *reading, const struct path *path,
                           const struct container *container, bool host_network)
{
    struct name_set names;
    name_set_init(&names, reading->problems->arena);
    for (uint32_t i = 0; i < container->port_count; i++) {
        const struct container_port *port = &container->ports[i];
        const struct path item = path_item(path, i);
        const struct path name = path_field(&item, "name");
        const struct path host_port = path_field(&item, "hostPort");
        port_name_validate(reading, &name, port->name);
        unique_name_validate(reading, &name, &names, port->name);
        if (host_network && port->host_port != port->container_port)
            reading_error(reading, &host_port,
                          "expected the containerPort, %d, on the host's network, found %d",
                          port->container_port, port->host_port);
    }
}

static void success_once(struct reading *reading, const struct path *path,
                         const struct probe *probe, const char *kind)
{
    const struct path field = path_field(path, kind);
    const struct path threshold = path_field(&field, "successThreshold");
    if (probe && probe->success_threshold != 1)
        reading_error(reading, &threshold, "expected 1 in a %s, found %d", kind,
                      probe->success_threshold);
}

static void container_validate(struct reading *reading, const struct path *path,
                               const struct container *container, bool host_network,
                               struct name_set *names)
{
    const struct path name = path_field(path, "name");
    const struct path ports = path_field(path, "ports");
    const struct path resources = path_field(path, "resources");
    dns_label_validate(reading, &name, container->name);
    unique_name_validate(reading, &name, names, container->name);
    ports_validate(reading, &ports, container, host_network);
    resource_requirements_validate(reading, &resources, &container->resources);
    success_once(reading, path, container->liveness_probe, "livenessProbe");
    success_once(reading, path, container->startup_probe, "startupProbe");
}

/* Two containers of a pod cannot have the same port of the host. */
static void host_port_validate(struct reading *reading, const struct path *path,
                               struct name_set *taken, const struct container_port *port)
{
    const struct path field = path_field(path, "hostPort");
    const char *name =
        arena_printf(reading->problems->arena, "%s/%s/%d", protocol_names[port->protocol].name,
                     port->host_ip, port->host_port);
    if (!name_set_add(taken, name))
        reading_error(reading, &field, "expected a port of its own, found %d again",
                      port->host_port);
}

static void host_ports_validate(struct reading *reading, const struct path *path,
                                struct name_set *taken, const struct container *container)
{
    const struct path ports = path_field(path, "ports");
    for (uint32_t i = 0; i < container->port_count; i++) {
        const struct path item = path_item(&ports, i);
        if (container->ports[i].host_port)
            host_port_validate(reading, &item, taken, &container->ports[i]);
    }
}

static void forbid_probe(struct reading *reading, const struct path *path, const char *name)
{
    const struct path field = path_field(path, name);
    if (!value_is_null(path_value(reading->root, &field)))
        reading_error(reading, &field, "expected no probe in an init container, found one");
}

static void init_container_validate(struct reading *reading, const struct path *path,
                                    const struct container *container)
{
    const bool sidecar =
        container->restart_policy && strcmp(container->restart_policy, "Always") == 0;
    const struct path restart_policy = path_field(path, "restartPolicy");
    if (container->restart_policy && !sidecar)
        text_unexpected(reading, &restart_policy, container->restart_policy, "Always");
    if (sidecar)
        return;
    forbid_probe(reading, path, "livenessProbe");
    forbid_probe(reading, path, "readinessProbe");
    forbid_probe(reading, path, "startupProbe");
}

void containers_validate(struct reading *reading, const struct path *path,
                         const struct pod_spec *spec)
{
    const struct path containers = path_field(path, "containers");
    const struct path init_containers = path_field(path, "initContainers");
    struct name_set names;
    struct name_set ports;
    name_set_init(&names, reading->problems->arena);
    name_set_init(&ports, reading->problems->arena);
    for (uint32_t i = 0; i < spec->container_count; i++) {
        const struct path item = path_item(&containers, i);
        container_validate(reading, &item, &spec->containers[i], spec->host_network, &names);
        host_ports_validate(reading, &item, &ports, &spec->containers[i]);
    }
    /* Init containers run one after the other, so they may share ports. */
    for (uint32_t i = 0; i < spec->init_container_count; i++) {
        const struct path item = path_item(&init_containers, i);
        container_validate(reading, &item, &spec->init_containers[i], spec->host_network, &names);
        init_container_validate(reading, &item, &spec->init_containers[i]);
        name_set_init(&ports, reading->problems->arena);
        host_ports_validate(reading, &item, &ports, &spec->init_containers[i]);
    }
}
