/* SPDX-License-Identifier: Apache-2.0 */
#include "setup/volume_limits.h"
#include "setup/class_of_claim.h"

#include "decide/quota/resource_math.h"
#include "manifest/document.h"
#include "object/storage.h"
#include "object/workload.h"

#include <string.h>

#define PREFIX "attachable-volumes-csi-"

enum { UNLIMITED = 1000000 }; /* more volumes than pods ever have on a node */

/* Volumes of these plugins are those of a CSI driver since 1.25. */
static const struct {
    const char *provisioner;
    const char *driver;
} migrated[] = {
    {"kubernetes.io/aws-ebs", "ebs.csi.aws.com"},
    {"kubernetes.io/azure-disk", "disk.csi.azure.com"},
    {"kubernetes.io/cinder", "cinder.csi.openstack.org"},
    {"kubernetes.io/gce-pd", "pd.csi.storage.gke.io"},
    {"kubernetes.io/vsphere-volume", "csi.vsphere.vmware.com"},
};

static const char *driver_of(const char *provisioner)
{
    for (size_t i = 0; i < sizeof(migrated) / sizeof(*migrated); i++)
        if (strcmp(migrated[i].provisioner, provisioner) == 0)
            return migrated[i].driver;
    return provisioner;
}

static void add_limit(struct arena *arena, struct string_list *limits, const char *resource)
{
    for (uint32_t i = 0; i < limits->count; i++)
        if (strcmp(limits->items[i], resource) == 0)
            return;
    const char **items = ARENA_ARRAY(arena, const char *, limits->count + 1);
    for (uint32_t i = 0; i < limits->count; i++)
        items[i] = limits->items[i];
    items[limits->count] = resource;
    *limits = (struct string_list){items, limits->count + 1};
}

static void add_limits_of(struct arena *arena, struct string_list *limits, const struct node *node)
{
    for (uint32_t i = 0; i < node->status.allocatable.count; i++)
        if (strncmp(node->status.allocatable.items[i].name, PREFIX, strlen(PREFIX)) == 0)
            add_limit(arena, limits, node->status.allocatable.items[i].name);
}

/* ---- CSINode ---- */

static const struct value *drivers_of(const struct object *object)
{
    return object->source && strcmp(object->kind_name, "CSINode") == 0
               ? value_find(value_find(&object->source->root, "spec"), "drivers")
               : NULL;
}

/* The limit of the driver; false: it has none. */
static bool read_driver(const struct value *driver, const char **name, int64_t *count)
{
    const struct value *limit = value_find(value_find(driver, "allocatable"), "count");
    *name = value_find_string(driver, "name");
    return *name && limit && value_read_integer(limit, count) && *count >= 0;
}

static void add_limits_of_csi_node(struct arena *arena, struct string_list *limits,
                                   const struct value *drivers)
{
    for (uint32_t i = 0; drivers && drivers->kind == VALUE_SEQUENCE && i < drivers->count; i++) {
        const char *name;
        int64_t count;
        if (read_driver(&drivers->items[i], &name, &count))
            add_limit(arena, limits, arena_printf(arena, PREFIX "%s", name));
    }
}

struct string_list volume_limits_find(struct arena *arena, const struct objects *objects,
                                      const struct check *check)
{
    struct string_list limits = {0};
    for (uint32_t i = 0; i < objects->count; i++) {
        if (objects->items[i].kind == OBJECT_NODE)
            add_limits_of(arena, &limits, objects->items[i].as.node);
        add_limits_of_csi_node(arena, &limits, drivers_of(&objects->items[i]));
    }
    for (uint32_t g = 0; check && g < check->node_group_count; g++)
        add_limits_of(arena, &limits, &check->node_groups[g].node);
    return limits;
}

/* ---- nodes ---- */

/* What the CSINode of this name says of the resource; UNLIMITED: nothing. */
static int64_t limit_of(struct arena *arena, const struct objects *objects, const char *node,
                        const char *resource)
{
    for (uint32_t i = 0; node && i < objects->count; i++) {
        const struct value *drivers = drivers_of(&objects->items[i]);
        if (!drivers || drivers->kind != VALUE_SEQUENCE || !objects->items[i].meta->name ||
            strcmp(objects->items[i].meta->name, node) != 0)
            continue;
        for (uint32_t d = 0; d < drivers->count; d++) {
            const char *name;
            int64_t count;
            if (read_driver(&drivers->items[d], &name, &count) &&
                strcmp(arena_printf(arena, PREFIX "%s", name), resource) == 0)
                return count;
        }
    }
    return UNLIMITED;
}

static struct resource_list copy_resources(struct arena *arena, const struct resource_list *list)
{
    struct resource_list copy = {0};
    for (uint32_t i = 0; i < list->count; i++)
        resources_put(arena, &copy, list->items[i].name, list->items[i].quantity);
    return copy;
}

void node_limit_volumes(struct arena *arena, const struct objects *objects,
                        const struct string_list *limits, struct node *node)
{
    if (limits->count == 0)
        return;
    node->status.allocatable = copy_resources(arena, &node->status.allocatable);
    for (uint32_t i = 0; i < limits->count; i++) {
        const int64_t count = limit_of(arena, objects, node->meta.name, limits->items[i]);
        if (count != UNLIMITED || !resource_list_find(&node->status.allocatable, limits->items[i]))
            resources_put(arena, &node->status.allocatable, limits->items[i], quantity_of(count));
    }
}

/* ---- StatefulSets ---- */

/* How many of its claims are of the driver that the resource stands for. */
static int64_t count_claims(struct arena *arena, const struct object *object,
                            const struct objects *cluster, const char *resource)
{
    const struct value *templates =
        object->source
            ? value_find(value_find(&object->source->root, "spec"), "volumeClaimTemplates")
            : NULL;
    int64_t count = 0;
    for (uint32_t i = 0; templates && templates->kind == VALUE_SEQUENCE && i < templates->count;
         i++) {
        const struct storage_class *class =
            class_of_claim(cluster, value_find_string(value_find(&templates->items[i], "spec"),
                                                      "storageClassName"));
        if (class && class->provisioner &&
            strcmp(arena_printf(arena, PREFIX "%s", driver_of(class->provisioner)), resource) == 0)
            count++;
    }
    return count;
}

static void limit_stateful_set(struct arena *arena, struct object *object,
                               const struct objects *cluster, const struct string_list *limits)
{
    struct stateful_set *set =
        arena_copy(arena, object->as.stateful_set, sizeof(*object->as.stateful_set));
    set->template.spec.overhead = copy_resources(arena, &set->template.spec.overhead);
    for (uint32_t i = 0; i < limits->count; i++) {
        const int64_t count = count_claims(arena, object, cluster, limits->items[i]);
        if (count > 0)
            resources_put(arena, &set->template.spec.overhead, limits->items[i],
                          quantity_of(count));
    }
    object->as.stateful_set = set;
    object->meta = &set->meta;
}

const struct objects *objects_with_volume_limits(struct arena *arena, const struct objects *objects,
                                                 const struct objects *cluster,
                                                 const struct string_list *limits)
{
    if (limits->count == 0)
        return objects;
    struct objects *limited = ARENA_NEW(arena, struct objects);
    for (uint32_t i = 0; i < objects->count; i++) {
        struct object object = objects->items[i];
        if (object.kind == OBJECT_NODE) {
            struct node *node = arena_copy(arena, object.as.node, sizeof(*object.as.node));
            node_limit_volumes(arena, cluster, limits, node);
            object.as.node = node;
            object.meta = &node->meta;
        } else if (object.kind == OBJECT_STATEFUL_SET) {
            limit_stateful_set(arena, &object, cluster, limits);
        }
        objects_put(arena, limited, &object);
    }
    return limited;
}

/* ---- what is not counted ---- */

const char *assumption_of_volume_limits(struct arena *arena, const struct string_list *limits,
                                        const struct setup_workload *workload)
{
    const struct pod_spec *spec = &workload_template(workload->object)->spec;
    for (uint32_t v = 0; limits->count > 0 && v < spec->volume_count; v++)
        if (spec->volumes[v].claim_name || spec->volumes[v].source == VOLUME_EPHEMERAL_CLAIM)
            return arena_printf(arena,
                                "nodes have room for the volumes of %s: limits (CSINode) count "
                                "only those of claim templates of StatefulSets",
                                workload->name);
    return NULL;
}
