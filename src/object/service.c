/* SPDX-License-Identifier: Apache-2.0 */
#include "object/kind.h"
#include "object/names.h"
#include "object/policy.h"
#include "object/schemas.h"

#include <string.h>

static const struct field service_port_fields[] = {
    FIELD_STRING("name", service_port, name, 0),
    FIELD_INT32("nodePort", service_port, node_port, 0, 0, 65535, 0),
    FIELD_INT32("port", service_port, port, FIELD_REQUIRED, 1, 65535, 0),
    FIELD_ENUM("protocol", service_port, protocol, 0, protocol_names, PROTOCOL_TCP),
};
static const char *const service_port_unused[] = {"appProtocol", "targetPort", NULL};
static const struct schema service_port_schema =
    SCHEMA_COMPLETE(service_port, service_port_fields, service_port_unused);

static const struct field service_spec_fields[] = {
    FIELD_TRISTATE("allocateLoadBalancerNodePorts", service, allocate_node_ports),
    FIELD_STRING("clusterIP", service, cluster_ip, 0),
    FIELD_STRING("externalTrafficPolicy", service, external_traffic_policy, 0),
    FIELD_STRING("internalTrafficPolicy", service, internal_traffic_policy, 0),
    FIELD_LIST("ports", service, ports, port_count, 0, service_port_schema),
    FIELD_BOOLEAN("publishNotReadyAddresses", service, publish_not_ready_addresses, false),
    FIELD_LABELS("selector", service, selector),
    FIELD_STRING("type", service, type, 0),
};
static const char *const service_spec_unused[] = {
    "clusterIPs",
    "externalIPs",
    "externalName",
    "healthCheckNodePort",
    "ipFamilies",
    "ipFamilyPolicy",
    "loadBalancerClass",
    "loadBalancerIP",
    "loadBalancerSourceRanges",
    "sessionAffinity",
    "sessionAffinityConfig",
    "topologyKeys",
    "trafficDistribution",
    NULL,
};
static const struct schema service_spec_schema =
    SCHEMA_COMPLETE(service, service_spec_fields, service_spec_unused);

static const struct field service_fields[] = {
    FIELD_STRUCT("metadata", service, meta, 0, object_meta_schema),
    FIELD_NESTED("spec", FIELD_REQUIRED, service_spec_schema),
};
static const char *const service_unused[] = {"apiVersion", "kind", "status", NULL};
static const struct schema service_schema =
    SCHEMA_COMPLETE(service, service_fields, service_unused);

static bool is_type(const struct service *service, const char *type)
{
    return strcmp(service->type, type) == 0;
}

static void service_set_defaults(struct arena *arena, void *object)
{
    (void)arena;
    struct service *service = object;
    if (!service->type)
        service->type = "ClusterIP";
    const bool external = is_type(service, "NodePort") || is_type(service, "LoadBalancer");
    if (!service->external_traffic_policy && external)
        service->external_traffic_policy = "Cluster";
    if (!service->internal_traffic_policy && !is_type(service, "ExternalName"))
        service->internal_traffic_policy = "Cluster";
}

static void one_of(struct reading *reading, const struct path *path, const char *text,
                   const char *const *known, const char *wanted)
{
    if (!text)
        return;
    for (; *known; known++)
        if (strcmp(text, *known) == 0)
            return;
    text_unexpected(reading, path, text, wanted);
}

static void ports_validate(struct reading *reading, const struct path *path,
                           const struct service *service)
{
    const bool headless = service->cluster_ip && strcmp(service->cluster_ip, "None") == 0;
    struct name_set names;
    name_set_init(&names, reading->problems->arena);
    if (!service->port_count && !headless && !is_type(service, "ExternalName") &&
        reading_is_sound(reading, path))
        reading_missing(reading, path);
    for (uint32_t i = 0; i < service->port_count; i++) {
        const struct path item = path_item(path, i);
        const struct path name = path_field(&item, "name");
        if (!service->ports[i].name && service->port_count > 1 && reading_is_sound(reading, &name))
            reading_missing(reading, &name);
        dns_label_validate(reading, &name, service->ports[i].name);
        unique_name_validate(reading, &name, &names, service->ports[i].name);
    }
}

static void service_validate(struct reading *reading, const struct path *path, const void *object)
{
    static const char *const types[] = {"ClusterIP", "NodePort", "LoadBalancer", "ExternalName",
                                        NULL};
    static const char *const policies[] = {"Cluster", "Local", NULL};
    const struct service *service = object;
    const struct path meta = path_field(path, "metadata");
    const struct path spec = path_field(path, "spec");
    const struct path ports = path_field(&spec, "ports");
    const struct path selector = path_field(&spec, "selector");
    const struct path type = path_field(&spec, "type");
    const struct path external = path_field(&spec, "externalTrafficPolicy");
    const struct path internal = path_field(&spec, "internalTrafficPolicy");
    object_meta_validate(reading, &meta, &service->meta, NAME_DNS_1035_LABEL);
    ports_validate(reading, &ports, service);
    labels_validate(reading, &selector, &service->selector);
    one_of(reading, &type, service->type, types,
           "ClusterIP, NodePort, LoadBalancer or ExternalName");
    one_of(reading, &external, service->external_traffic_policy, policies, "Cluster or Local");
    one_of(reading, &internal, service->internal_traffic_policy, policies, "Cluster or Local");
}

static const struct kind_version service_versions[] = {
    {.api_version = "v1", .schema = &service_schema}, {0}};
const struct kind_type service_kind = {
    .versions = service_versions,
    .namespaced = true,
    .set_defaults = service_set_defaults,
    .validate = service_validate,
};
