/* SPDX-License-Identifier: Apache-2.0 */
#include "object/as_written.h"

#include "manifest/document.h"

#include <string.h>

/* Fields, with all that is in them, that have another name there than where they stand for it. */
static const struct {
    const char *kind;
    const char *path;
    const char *written;
} renamed[] = {
    {"CloneSet", "spec.strategy", "spec.updateStrategy"},
    {"Rollout", "spec.strategy.rollingUpdate", "spec.strategy.canary"},
    {"ScaledJob", "spec", "spec.jobTargetRef"},
    {"ScaledObject", "spec.maxReplicas", "spec.maxReplicaCount"},
    {"ScaledObject", "spec.metrics", "spec.triggers"},
    {"ScaledObject", "spec.minReplicas", "spec.minReplicaCount"},
};

static bool has_stand_in(const struct object *object)
{
    return object->source && object->source->written;
}

const char *written_kind(const struct object *object)
{
    return has_stand_in(object) ? value_find_string(object->source->written, "kind")
                                : object->kind_name;
}

const char *written_name(const struct object *object)
{
    const char *name =
        has_stand_in(object)
            ? value_find_string(value_find(object->source->written, "metadata"), "name")
            : NULL;
    return name ? name : object->meta->name;
}

const char *written_words(struct arena *arena, const struct object *object)
{
    return arena_printf(arena, "%s %s/%s", written_kind(object), object->meta->namespace,
                        written_name(object));
}

const char *written_object(struct arena *arena, const struct object *object)
{
    return arena_printf(arena, "%s/%s/%s", written_kind(object), object->meta->namespace,
                        written_name(object));
}

const char *written_path(struct arena *arena, const struct object *object, const char *path)
{
    const char *kind = written_kind(object);
    for (size_t i = 0; has_stand_in(object) && i < sizeof(renamed) / sizeof(*renamed); i++) {
        const size_t length = strlen(renamed[i].path);
        if (strcmp(renamed[i].kind, kind) == 0 && strncmp(path, renamed[i].path, length) == 0 &&
            (path[length] == '\0' || path[length] == '.' || path[length] == '['))
            return arena_printf(arena, "%s%s", renamed[i].written, path + length);
    }
    return path;
}

const char *written_field(struct arena *arena, const struct object *object, const char *path)
{
    const char *written = written_path(arena, object, path);
    const char *dot = strrchr(written, '.');
    return dot ? dot + 1 : written;
}

const struct value *written_root(const struct object *object)
{
    if (!object->source)
        return NULL;
    return object->source->written ? object->source->written : &object->source->root;
}
