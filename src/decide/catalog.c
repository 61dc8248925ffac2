/* SPDX-License-Identifier: Apache-2.0 */
/* Interning: equal things get equal numbers. Names are in catalog_names.c, node
 * configs in catalog_configs.c. */
#include "decide/pod_fingerprint.h"
#include "decide/pod_shape.h"
#include "decide/view.h"
#include "object/policy.h"
#include "object/storage.h"
#include "object/workload.h"

enum { CONFIG_SLOTS_AT_FIRST = 64 };

struct catalog *catalog_create(struct arena *arena, const struct features *features)
{
    struct catalog *catalog = ARENA_NEW(arena, struct catalog);
    catalog->arena = arena;
    catalog->features = *features;
    map_init(&catalog->resource_numbers, arena);
    map_init(&catalog->topology_key_numbers, arena);
    map_init(&catalog->shape_numbers, arena);
    map_init(&catalog->images, arena);
    catalog->config_slot_count = CONFIG_SLOTS_AT_FIRST;
    catalog->config_slots = ARENA_ARRAY(arena, uint32_t, catalog->config_slot_count);
    return catalog;
}

void catalog_surround(struct catalog *catalog, const struct objects *objects)
{
    struct surroundings *around = &catalog->surroundings;
    struct arena *arena = catalog->arena;
    for (uint32_t i = 0; i < objects->count; i++) {
        const struct object *object = &objects->items[i];
        switch (object->kind) {
        case OBJECT_NAMESPACE:
            VEC_PUSH(arena, &around->namespaces, object->as.namespace_object);
            break;
        case OBJECT_SERVICE: VEC_PUSH(arena, &around->services, object->as.service); break;
        case OBJECT_REPLICA_SET:
            VEC_PUSH(arena, &around->replica_sets, object->as.replica_set);
            break;
        case OBJECT_STATEFUL_SET:
            VEC_PUSH(arena, &around->stateful_sets, object->as.stateful_set);
            break;
        case OBJECT_REPLICATION_CONTROLLER:
            VEC_PUSH(arena, &around->replication_controllers, object->as.replication_controller);
            break;
        case OBJECT_POD_DISRUPTION_BUDGET:
            VEC_PUSH(arena, &around->budgets, object->as.pod_disruption_budget);
            break;
        case OBJECT_PERSISTENT_VOLUME:
            VEC_PUSH(arena, &around->volumes, object->as.persistent_volume);
            break;
        case OBJECT_PERSISTENT_VOLUME_CLAIM:
            VEC_PUSH(arena, &around->claims, object->as.persistent_volume_claim);
            break;
        case OBJECT_STORAGE_CLASS:
            VEC_PUSH(arena, &around->storage_classes, object->as.storage_class);
            break;
        default: break;
        }
    }
}

/* Templates and topology keys are copied, because both still change: a new key adds
 * a domain to each template, and a new template may add domains to a key. */
static void copy_templates(struct catalog *catalog)
{
    struct node_template **templates =
        ARENA_ARRAY(catalog->arena, struct node_template *, catalog->templates.count + 1);
    struct topology_key **keys =
        ARENA_ARRAY(catalog->arena, struct topology_key *, catalog->topology_keys.count + 1);
    for (uint32_t t = 0; t < catalog->templates.count; t++) {
        templates[t] = arena_copy(catalog->arena, catalog->templates.items[t],
                                  sizeof(*catalog->templates.items[t]));
        VEC_SHARE(&templates[t]->domains);
    }
    for (uint32_t k = 0; k < catalog->topology_keys.count; k++) {
        const struct topology_key *key = catalog->topology_keys.items[k];
        keys[k] = arena_copy(catalog->arena, key, sizeof(*key));
        map_copy(&keys[k]->domains, catalog->arena, &key->domains);
    }
    catalog->templates.items = templates;
    catalog->topology_keys.items = keys;
}

/* Configs refer to their template. */
static void copy_configs(struct catalog *catalog)
{
    struct node_config **configs =
        ARENA_ARRAY(catalog->arena, struct node_config *, catalog->configs.count + 1);
    for (uint32_t c = 0; c < catalog->configs.count; c++) {
        const struct node_config *config = catalog->configs.items[c];
        if (!config)
            continue;
        configs[c] = arena_copy(catalog->arena, config, sizeof(*config));
        configs[c]->template = catalog->templates.items[config->template->id];
    }
    catalog->configs.items = configs;
    catalog->config_slots = arena_copy(catalog->arena, catalog->config_slots,
                                       catalog->config_slot_count * sizeof(*catalog->config_slots));
}

struct catalog *catalog_copy(struct arena *arena, const struct catalog *other)
{
    struct catalog *catalog = arena_copy(arena, other, sizeof(*other));
    catalog->arena = arena;
    map_copy(&catalog->resource_numbers, arena, &other->resource_numbers);
    map_copy(&catalog->topology_key_numbers, arena, &other->topology_key_numbers);
    map_copy(&catalog->shape_numbers, arena, &other->shape_numbers);
    map_copy(&catalog->images, arena, &other->images);
    VEC_SHARE(&catalog->resources);
    VEC_SHARE(&catalog->topology_keys);
    VEC_SHARE(&catalog->shapes);
    VEC_SHARE(&catalog->pods);
    VEC_SHARE(&catalog->templates);
    VEC_SHARE(&catalog->configs);
    VEC_SHARE(&catalog->config_ranks);
    copy_templates(catalog);
    copy_configs(catalog);
    return catalog;
}

static const struct pod_shape *intern_shape(struct catalog *catalog, const struct pod *pod,
                                            const char *fingerprint, size_t length)
{
    struct pod_shape *known = map_get(&catalog->shape_numbers, fingerprint);
    if (known)
        return known;
    struct pod_shape *shape = pod_shape_create(catalog, pod);
    shape->id = catalog->shapes.count;
    VEC_PUSH(catalog->arena, &catalog->shapes, shape);
    char *key = arena_strndup(catalog->arena, fingerprint, length);
    map_put(&catalog->shape_numbers, key)->value = shape;
    return shape;
}

static struct pod_class *add_class(struct catalog *catalog, const struct pod *pod,
                                   const struct pod_shape *shape)
{
    struct pod_class *class = ARENA_NEW(catalog->arena, struct pod_class);
    class->id = catalog->pods.count;
    class->pod = pod;
    class->shape = shape;
    class->terminating = pod->meta.deletion_time != TIME_NONE;
    class->start_time = pod->status.start_time;
    VEC_PUSH(catalog->arena, &catalog->pods, class);
    return class;
}

uint32_t catalog_add_pod(struct catalog *catalog, const struct pod *pod)
{
    struct text text;
    text_init(&text, catalog->arena->memory);
    pod_fingerprint(&text, pod);
    const struct pod_shape *shape = intern_shape(catalog, pod, text_content(&text), text.length);
    text_release(&text);
    return add_class(catalog, pod, shape)->id;
}

uint32_t catalog_add_pod_like(struct catalog *catalog, const struct pod *pod, uint32_t class)
{
    return add_class(catalog, pod, catalog->pods.items[class]->shape)->id;
}

/* The size of an image is that of the first node that reports it, as in the scheduler. */
static void note_images(struct catalog *catalog, const struct node *node)
{
    for (uint32_t i = 0; i < node->status.image_count; i++) {
        const struct container_image *image = &node->status.images[i];
        for (uint32_t n = 0; n < image->names.count; n++) {
            struct map_entry *entry = map_put(&catalog->images, image->names.items[n]);
            if (entry->value)
                continue;
            int64_t *size = ARENA_NEW(catalog->arena, int64_t);
            *size = image->size_bytes;
            entry->value = size;
        }
    }
}

static uint32_t add_template(struct catalog *catalog, const struct node *node, bool anonymous)
{
    struct node_template *template = ARENA_NEW(catalog->arena, struct node_template);
    template->id = catalog->templates.count;
    template->node = node;
    template->anonymous = anonymous;
    amounts_add_list(catalog, &template->allocatable, &node->status.allocatable);
    const struct quantity *pods = resource_list_find(&node->status.allocatable, "pods");
    template->allocatable_pods = pods ? quantity_value(*pods) : 0;
    for (uint32_t i = 0; i < catalog->topology_keys.count; i++)
        VEC_PUSH(catalog->arena, &template->domains,
                 catalog_domain(template, catalog->topology_keys.items[i]));
    note_images(catalog, node);
    VEC_PUSH(catalog->arena, &catalog->templates, template);
    return template->id;
}

uint32_t catalog_add_named_node(struct catalog *catalog, const struct node *node)
{
    return add_template(catalog, node, false);
}

uint32_t catalog_add_anonymous_node(struct catalog *catalog, const struct node *node)
{
    return add_template(catalog, node, true);
}
