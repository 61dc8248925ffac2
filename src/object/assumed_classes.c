/* SPDX-License-Identifier: Apache-2.0 */
#include "object/assumed_classes.h"

#include "manifest/document.h"
#include "object/policy.h"
#include "object/workload.h"
#include "object/workload_parts.h"

#include <string.h>

struct assuming {
    struct arena *arena;
    struct objects *objects;
    struct problems *problems;
};

/* What the pods of a cluster have need not be guessed. */
static bool pods_have(const struct objects *objects, const char *priority_class,
                      const char *runtime_class)
{
    for (uint32_t i = 0; i < objects->count; i++) {
        if (objects->items[i].kind != OBJECT_POD)
            continue;
        const struct pod_spec *spec = &objects->items[i].as.pod->spec;
        if (priority_class && spec->priority.set && spec->priority_class_name &&
            strcmp(spec->priority_class_name, priority_class) == 0)
            return true;
        if (runtime_class && spec->node_name && spec->runtime_class_name &&
            strcmp(spec->runtime_class_name, runtime_class) == 0)
            return true;
    }
    return false;
}

static struct object_meta meta_of(const char *name)
{
    return (struct object_meta){
        .name = name, .creation_time = TIME_NONE, .deletion_time = TIME_NONE};
}

/* Of the field, or of the object. */
static struct place place_of(const struct object *object, const char *field)
{
    const struct value *spec = object->source ? value_find(&object->source->root, "spec") : NULL;
    spec = value_find(value_find(spec, "template"), "spec");
    const struct member *member = value_find_member(spec, field);
    return member ? member_place(spec, member) : object->place;
}

static void assume_priority(const struct assuming *assuming, struct place place, const char *name)
{
    if (!name || strcmp(name, "system-cluster-critical") == 0 ||
        strcmp(name, "system-node-critical") == 0 ||
        objects_find(assuming->objects, OBJECT_PRIORITY_CLASS, NULL, name) ||
        pods_have(assuming->objects, name, NULL))
        return;
    struct priority_class *class = ARENA_NEW(assuming->arena, struct priority_class);
    *class = (struct priority_class){.meta = meta_of(name)};
    const struct object object = {.kind = OBJECT_PRIORITY_CLASS,
                                  .api_version = "scheduling.k8s.io/v1",
                                  .kind_name = "PriorityClass",
                                  .meta = &class->meta,
                                  .as.priority_class = class};
    objects_put(assuming->arena, assuming->objects, &object);
    problem_warning(assuming->problems, place, NULL,
                    "PriorityClass %s is not given; it is taken to be one of the cluster with "
                    "value 0",
                    name);
}

static void assume_runtime(const struct assuming *assuming, struct place place, const char *name)
{
    if (!name || objects_find(assuming->objects, OBJECT_RUNTIME_CLASS, NULL, name) ||
        pods_have(assuming->objects, NULL, name))
        return;
    struct runtime_class *class = ARENA_NEW(assuming->arena, struct runtime_class);
    *class = (struct runtime_class){.meta = meta_of(name), .handler = name};
    const struct object object = {.kind = OBJECT_RUNTIME_CLASS,
                                  .api_version = "node.k8s.io/v1",
                                  .kind_name = "RuntimeClass",
                                  .meta = &class->meta,
                                  .as.runtime_class = class};
    objects_put(assuming->arena, assuming->objects, &object);
    problem_warning(assuming->problems, place, NULL,
                    "RuntimeClass %s is not given; it is taken to be one of the cluster that adds "
                    "nothing to pods",
                    name);
}

void objects_assume_classes(struct arena *arena, struct objects *objects, struct problems *problems)
{
    const struct assuming assuming = {arena, objects, problems};
    const uint32_t given = objects->count;
    for (uint32_t i = 0; i < given; i++) {
        /* The list may move while classes are added to it. */
        const struct object object = objects->items[i];
        const struct pod_template *template = object.kind == OBJECT_CRON_JOB
                                                  ? &object.as.cron_job->job_template.template
                                                  : object_pod_template(&object);
        if (!template)
            continue;
        assume_priority(&assuming, place_of(&object, "priorityClassName"),
                        template->spec.priority_class_name);
        assume_runtime(&assuming, place_of(&object, "runtimeClassName"),
                       template->spec.runtime_class_name);
    }
}
