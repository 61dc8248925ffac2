/* SPDX-License-Identifier: Apache-2.0 */
/* The collection of all objects that were read, with lookup by name. */
#include "object/kind.h"
#include "object/workload.h"

#include <stdint.h>
#include <stdio.h>
#include <string.h>

static const char *index_key(struct arena *arena, enum object_kind kind, const char *namespace,
                             const char *name)
{
    return arena_printf(arena, "%s/%s/%s", object_kind_name(kind), namespace ? namespace : "",
                        name);
}

/* For names that are longer than those that the API server accepts. */
static struct object *find_one_by_one(const struct objects *objects, enum object_kind kind,
                                      const char *namespace, const char *name)
{
    for (uint32_t i = 0; i < objects->count; i++) {
        const struct object_meta *meta = objects->items[i].meta;
        if (objects->items[i].kind == kind && meta->name && strcmp(meta->name, name) == 0 &&
            strcmp(meta->namespace ? meta->namespace : "", namespace ? namespace : "") == 0)
            return &objects->items[i];
    }
    return NULL;
}

/* Threads that build models of one scope look objects up at the same time, so the key is not made
 * in the arena of the objects. */
struct object *objects_find(const struct objects *objects, enum object_kind kind,
                            const char *namespace, const char *name)
{
    enum { KEY_BYTES = 512 };
    char key[KEY_BYTES];
    if (!objects->index.arena || kind == OBJECT_OTHER || !name)
        return NULL;
    const int length = snprintf(key, sizeof(key), "%s/%s/%s", object_kind_name(kind),
                                namespace ? namespace : "", name);
    if (length < 0 || (size_t)length >= sizeof(key))
        return find_one_by_one(objects, kind, namespace, name);
    const uintptr_t number = (uintptr_t)map_get(&objects->index, key);
    return number ? &objects->items[number - 1] : NULL;
}

/* Puts the object into the index; false if there is one of that name. */
static bool index_add(struct arena *arena, struct objects *objects, const struct object *object,
                      struct problems *problems)
{
    const struct object_meta *meta = object->meta;
    if (object->kind == OBJECT_OTHER || !meta->name)
        return true;
    if (!objects->index.arena)
        map_init(&objects->index, arena);
    const char *key = index_key(arena, object->kind, meta->namespace, meta->name);
    struct map_entry *entry = map_put(&objects->index, key);
    if (!entry->value) {
        entry->value = (void *)((uintptr_t)objects->count + 1);
        return true;
    }
    const struct object *first = &objects->items[(uintptr_t)entry->value - 1];
    problem_error(problems, object->place, "metadata.name",
                  "expected each object once, found %s %s%s%s again after %s:%u:%u",
                  object->kind_name, meta->namespace ? meta->namespace : "",
                  meta->namespace ? "/" : "", meta->name, first->place.file, first->place.line,
                  first->place.column);
    return false;
}

bool objects_add(struct arena *arena, struct objects *objects, const struct document *document,
                 const struct object_options *options, struct problems *problems)
{
    const struct object_options numbered = {.namespace = options ? options->namespace : NULL,
                                            .ordinal = objects->count,
                                            .unvalidated = options && options->unvalidated};
    struct object object;
    if (!object_decode_at(arena, &document->root, &path_root, OBJECT_OTHER, &numbered, &object,
                          problems))
        return false;
    object.source = document;
    if (!index_add(arena, objects, &object, problems))
        return false;
    VEC_PUSH(arena, objects, object);
    return true;
}

bool objects_put(struct arena *arena, struct objects *objects, const struct object *object)
{
    const struct object_meta *meta = object->meta;
    if (objects_find(objects, object->kind, meta->namespace, meta->name))
        return false;
    if (object->kind != OBJECT_OTHER && meta->name) {
        if (!objects->index.arena)
            map_init(&objects->index, arena);
        const char *key = index_key(arena, object->kind, meta->namespace, meta->name);
        map_put(&objects->index, key)->value = (void *)((uintptr_t)objects->count + 1);
    }
    VEC_PUSH(arena, objects, *object);
    return true;
}

bool object_decode(struct arena *arena, const struct documents *documents,
                   const struct object_options *options, struct objects *objects,
                   struct problems *problems)
{
    bool right = true;
    for (uint32_t i = 0; i < documents->count; i++)
        right &= objects_add(arena, objects, &documents->items[i], options, problems);
    return right;
}

struct pod_template *object_pod_template(const struct object *object)
{
    switch (object->kind) {
    case OBJECT_DEPLOYMENT: return &object->as.deployment->template;
    case OBJECT_REPLICA_SET: return &object->as.replica_set->template;
    case OBJECT_REPLICATION_CONTROLLER: return &object->as.replication_controller->template;
    case OBJECT_STATEFUL_SET: return &object->as.stateful_set->template;
    case OBJECT_DAEMON_SET: return &object->as.daemon_set->template;
    case OBJECT_JOB: return &object->as.job->template;
    default: return NULL;
    }
}
