/* SPDX-License-Identifier: Apache-2.0 */
/* What the API server refuses in the spec of a pod (v1.26), for the fields that
 * the model uses. */
#include "object/names.h"
#include "object/pod_parts.h"

static void names_validate(struct reading *reading, const struct path *path,
                           const struct pod_spec *spec)
{
    const struct path node_name = path_field(path, "nodeName");
    const struct path hostname = path_field(path, "hostname");
    const struct path subdomain = path_field(path, "subdomain");
    const struct path priority_class = path_field(path, "priorityClassName");
    dns_subdomain_validate(reading, &node_name, spec->node_name);
    dns_label_validate(reading, &hostname, spec->hostname);
    dns_label_validate(reading, &subdomain, spec->subdomain);
    dns_subdomain_validate(reading, &priority_class, spec->priority_class_name);
}

static void scheduling_gates_validate(struct reading *reading, const struct path *path,
                                      const struct pod_spec *spec)
{
    const struct path gates = path_field(path, "schedulingGates");
    struct name_set names;
    name_set_init(&names, reading->problems->arena);
    for (uint32_t i = 0; i < spec->scheduling_gates.count; i++) {
        const struct path item = path_item(&gates, i);
        const struct path name = path_field(&item, "name");
        qualified_name_validate(reading, &name, spec->scheduling_gates.items[i]);
        unique_name_validate(reading, &name, &names, spec->scheduling_gates.items[i]);
    }
}

static void pod_level_names_validate(struct reading *reading, const struct path *path,
                                     const struct resource_list *list)
{
    for (uint32_t i = 0; i < list->count; i++) {
        const struct path entry = path_field(path, list->items[i].name);
        if (!resource_is_of_pods(list->items[i].name))
            reading_error(reading, &entry,
                          "expected cpu, memory or hugepages-SIZE for the pod as a whole, found "
                          "\"%s\"",
                          list->items[i].name);
    }
}

static void pod_resources_validate(struct reading *reading, const struct path *path,
                                   const struct pod_spec *spec)
{
    const struct path resources = path_field(path, "resources");
    const struct path limits = path_field(&resources, "limits");
    const struct path requests = path_field(&resources, "requests");
    if (!spec->resources)
        return;
    resource_requirements_validate(reading, &resources, spec->resources);
    pod_level_names_validate(reading, &limits, &spec->resources->limits);
    pod_level_names_validate(reading, &requests, &spec->resources->requests);
}

void pod_spec_validate(struct reading *reading, const struct path *path,
                       const struct pod_spec *spec)
{
    const struct path node_selector = path_field(path, "nodeSelector");
    const struct path tolerations = path_field(path, "tolerations");
    const struct path overhead = path_field(path, "overhead");
    containers_validate(reading, path, spec);
    volumes_validate(reading, path, spec);
    labels_validate(reading, &node_selector, &spec->node_selector);
    affinity_validate(reading, path, spec);
    topology_spread_validate(reading, path, spec);
    tolerations_validate(reading, &tolerations, spec->tolerations, spec->toleration_count);
    resource_list_validate(reading, &overhead, &spec->overhead);
    pod_resources_validate(reading, path, spec);
    names_validate(reading, path, spec);
    scheduling_gates_validate(reading, path, spec);
}
