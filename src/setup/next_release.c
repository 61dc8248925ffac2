/* SPDX-License-Identifier: Apache-2.0 */
#include "setup/next_release.h"

#include "manifest/value_edit.h"
#include "object/path.h"
#include "object/workload.h"

#define RESTARTED_AT "kubectl.kubernetes.io/restartedAt"

bool next_release_rolls(const struct object *object)
{
    switch (object->kind) {
    case OBJECT_DEPLOYMENT: return !object->as.deployment->paused;
    case OBJECT_STATEFUL_SET:
        return object->as.stateful_set->update_strategy == UPDATE_ROLLING &&
               object->as.stateful_set->partition == 0;
    case OBJECT_DAEMON_SET: return object->as.daemon_set->update_strategy == UPDATE_ROLLING;
    default: return false;
    }
}

static struct value restarted(struct arena *arena, const struct value *root)
{
    const struct value *spec = value_find(root, "spec");
    const struct value *template = value_find(spec, "template");
    const struct value *meta = value_find(template, "metadata");
    const struct value annotations = value_with(arena, value_find(meta, "annotations"),
                                                RESTARTED_AT, value_of_text(root, "now"));
    const struct value new_meta = value_with(arena, meta, "annotations", annotations);
    const struct value new_template = value_with(arena, template, "metadata", new_meta);
    const struct value new_spec = value_with(arena, spec, "template", new_template);
    return value_with(arena, root, "spec", new_spec);
}

bool next_release_add(struct arena *arena, const struct object *object, struct objects *release)
{
    if (!object->source)
        return false;
    struct document *document = ARENA_NEW(arena, struct document);
    struct problems problems;
    struct object next = {0};
    const struct object_options options = {.namespace = object->meta->namespace};
    problems_init(&problems, arena);
    document->root = restarted(arena, &object->source->root);
    if (!object_decode_at(arena, &document->root, &path_root, OBJECT_OTHER, &options, &next,
                          &problems))
        return false;
    next.source = document;
    return objects_put(arena, release, &next);
}
