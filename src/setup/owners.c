/* SPDX-License-Identifier: Apache-2.0 */
#include "setup/owners.h"

#include "base/map.h"
#include "object/policy.h"

uint32_t owner_find(const struct scope *scope, const struct object *object)
{
    for (uint32_t w = 0; w < scope->workload_count; w++) {
        const struct setup_workload *workload = &scope->workloads[w];
        if (same_object(workload->object, object))
            return w;
        for (uint32_t s = 0; s < workload->set_count; s++)
            if (same_object(workload->sets[s], object))
                return w;
        if (object->kind == OBJECT_HORIZONTAL_POD_AUTOSCALER &&
            autoscaler_targets(object->as.horizontal_pod_autoscaler, workload->object))
            return w;
    }
    return UINT32_MAX;
}

static const char *key_of(struct arena *arena, const struct object *object)
{
    return arena_printf(arena, "%d/%s/%s", (int)object->kind,
                        object->meta->namespace ? object->meta->namespace : "",
                        object->meta->name ? object->meta->name : "");
}

static const char *target_key(struct arena *arena, const char *kind, const char *namespace,
                              const char *name)
{
    return arena_printf(arena, "target/%s/%s/%s", kind ? kind : "", namespace ? namespace : "",
                        name ? name : "");
}

/* The first workload stays. */
static void put(struct map *map, const char *key, uint32_t workload)
{
    struct map_entry *entry = map_put(map, key);
    if (!entry->value)
        entry->value = (void *)((uintptr_t)workload + 1);
}

static uint32_t get(const struct map *map, const char *key)
{
    return (uint32_t)((uintptr_t)map_get(map, key) - 1);
}

const uint32_t *owners_find(struct arena *arena, const struct scope *scope)
{
    struct arena keys;
    struct map map;
    uint32_t *owners = ARENA_ARRAY(arena, uint32_t, scope->objects->count + 1);
    arena_init(&keys, arena->memory);
    map_init(&map, &keys);
    for (uint32_t w = 0; w < scope->workload_count; w++) {
        const struct setup_workload *workload = &scope->workloads[w];
        const struct object *object = workload->object;
        put(&map, key_of(&keys, object), w);
        for (uint32_t s = 0; s < workload->set_count; s++)
            put(&map, key_of(&keys, workload->sets[s]), w);
        put(&map, target_key(&keys, object->kind_name, object->meta->namespace, object->meta->name),
            w);
    }
    for (uint32_t i = 0; i < scope->objects->count; i++) {
        const struct object *object = &scope->objects->items[i];
        owners[i] = get(&map, key_of(&keys, object));
        if (owners[i] == UINT32_MAX && object->kind == OBJECT_HORIZONTAL_POD_AUTOSCALER) {
            const struct horizontal_pod_autoscaler *of = object->as.horizontal_pod_autoscaler;
            owners[i] = get(&map, target_key(&keys, of->scale_target.kind, of->meta.namespace,
                                             of->scale_target.name));
        }
    }
    arena_release(&keys);
    return owners;
}
