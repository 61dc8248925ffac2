/* SPDX-License-Identifier: Apache-2.0 */
/* PodMetrics: what the metrics API says a pod uses. */
#include "object/autoscaler.h"
#include "object/kind.h"
#include "object/schemas.h"

static const struct field container_fields[] = {
    FIELD_STRING("name", container_metrics, name, FIELD_REQUIRED),
    FIELD_RESOURCES("usage", container_metrics, usage),
};
static const struct schema container_schema = SCHEMA(container_metrics, container_fields);

static const struct field fields[] = {
    FIELD_LIST("containers", pod_metrics, containers, container_count, 0, container_schema),
    FIELD_STRUCT("metadata", pod_metrics, meta, 0, object_meta_schema),
    FIELD_INSTANT("timestamp", pod_metrics, timestamp),
    FIELD_DURATION("window", pod_metrics, window_ns, 0),
};
static const struct schema schema = SCHEMA(pod_metrics, fields);

static void validate(struct reading *reading, const struct path *path, const void *object)
{
    const struct pod_metrics *metrics = object;
    const struct path metadata = path_field(path, "metadata");
    const struct path containers = path_field(path, "containers");
    object_meta_validate(reading, &metadata, &metrics->meta, NAME_DNS_SUBDOMAIN);
    for (uint32_t i = 0; i < metrics->container_count; i++) {
        const struct path container = path_item(&containers, i);
        const struct path usage = path_field(&container, "usage");
        resource_list_validate(reading, &usage, &metrics->containers[i].usage);
    }
}

static const struct kind_version versions[] = {
    {"metrics.k8s.io/v1beta1", &schema, NULL},
    {0},
};

const struct kind_type pod_metrics_kind = {
    .versions = versions,
    .namespaced = true,
    .validate = validate,
};
