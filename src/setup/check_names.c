/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Names in a Check stand for one object each. A name without a namespace stands for the
 * object of that name in whatever namespace it is; if there are several, choosing one
 * would be a guess, and the others would not be checked.
 */
#include "setup/check_names.h"

#include "base/vec.h"
#include "object/path.h"

#include <string.h>

typedef VEC(const char *) candidates;

struct naming {
    struct arena *arena;
    const struct scope *scope;
    const struct value *root; /* of the Check */
    struct problems *problems;
};

/* Only StatefulSets give pods names that can be known: NAME-0, NAME-1, ... */
static bool is_pod_of(const char *pod, const struct object *set)
{
    const size_t own = strlen(set->meta->name);
    return set->kind == OBJECT_STATEFUL_SET && strncmp(pod, set->meta->name, own) == 0 &&
           pod[own] == '-' && pod[own + 1] != '\0' &&
           pod[own + 1 + strspn(pod + own + 1, "0123456789")] == '\0';
}

static void add(struct arena *arena, candidates *found, const char *kind,
                const struct object *object, const char *name)
{
    const char *text = arena_printf(arena, "%s/%s/%s", kind, object->meta->namespace, name);
    for (uint32_t i = 0; i < found->count; i++)
        if (strcmp(found->items[i], text) == 0)
            return;
    VEC_PUSH(arena, found, text);
}

static void add_objects(struct arena *arena, candidates *found, const struct object_name *name,
                        const struct objects *objects)
{
    for (uint32_t i = 0; i < objects->count; i++)
        if (objects->items[i].kind != OBJECT_OTHER && objects->items[i].meta->namespace &&
            !workload_template(&objects->items[i]) && object_name_matches(name, &objects->items[i]))
            add(arena, found, name->kind, &objects->items[i], name->name);
}

/* All that the name may stand for: workloads, pods of theirs, and other objects. */
static candidates find_candidates(struct arena *arena, const struct scope *scope,
                                  const struct object_name *name)
{
    const bool of_pod = strcmp(name->kind, "Pod") == 0;
    candidates found = {0};
    for (uint32_t w = 0; w < scope->workload_count; w++) {
        const struct object *object = scope->workloads[w].object;
        if (of_pod ? is_pod_of(name->name, object) : object_name_matches(name, object))
            add(arena, &found, name->kind, object, name->name);
    }
    if (of_pod)
        return found;
    add_objects(arena, &found, name, scope->objects);
    for (uint32_t e = 0; scope->check && e < scope->check->event_count; e++)
        add_objects(arena, &found, name, &scope->applied[e]);
    return found;
}

/* "a, b and c" */
static const char *list_of(struct arena *arena, const candidates *found)
{
    const char *list = found->items[0];
    for (uint32_t i = 1; i < found->count; i++)
        list = arena_printf(arena, "%s%s%s", list, i + 1 == found->count ? " and " : ", ",
                            found->items[i]);
    return list;
}

const char *scope_ambiguous_workload(struct arena *arena, const struct scope *scope,
                                     const char *name)
{
    candidates found = {0};
    for (uint32_t w = 0; w < scope->workload_count; w++) {
        const struct object *object = scope->workloads[w].object;
        if (strcmp(scope->workloads[w].name, name) == 0)
            return NULL;
        if (strcmp(object->meta->name, name) == 0)
            add(arena, &found, object->kind_name, object, name);
    }
    return found.count > 1 ? list_of(arena, &found) : NULL;
}

static void report(const struct naming *naming, const struct object_name *name, struct place place,
                   const char *path)
{
    struct arena *arena = naming->arena;
    if (!name->name || name->namespace)
        return;
    const candidates found = find_candidates(arena, naming->scope, name);
    if (found.count > 1)
        problem_error(naming->problems, place, path,
                      "%s is ambiguous: there is %s; write the namespace",
                      object_name_format(arena, name), list_of(arena, &found));
}

/* Of an item in a list of the Check's spec, which has the name in one of two fields. */
static void report_item(const struct naming *naming, const struct object_name *name,
                        const char *list, uint32_t index, const char *field, const char *or_field)
{
    const struct path spec = path_field(&path_root, "spec");
    const struct path items = path_field(&spec, list);
    const struct path item = path_item(&items, index);
    struct path path = path_field(&item, field);
    if (!path_value(naming->root, &path))
        path = path_field(&item, or_field);
    report(naming, name, path_place(naming->root, &path), path_text(naming->arena, &path));
}

static const struct value *root_of(const struct scope *scope)
{
    for (uint32_t i = 0; i < scope->objects->count; i++)
        if (scope->objects->items[i].kind == OBJECT_CHECK &&
            scope->objects->items[i].as.check == scope->check)
            return &scope->objects->items[i].source->root;
    return NULL;
}

static void check_workload(const struct naming *naming, const struct check_workload *workload)
{
    const struct scope *scope = naming->scope;
    for (uint32_t w = 0; w < scope->workload_count; w++)
        if (object_name_matches(&workload->name, scope->workloads[w].object))
            return;
    problem_error(naming->problems, workload->place, "spec.workloads",
                  "there is no %s among the manifests",
                  object_name_format(naming->arena, &workload->name));
}

void scope_check_names(struct arena *arena, const struct scope *scope,
                       const struct scope_options *options, struct problems *problems)
{
    const struct check *check = scope->check;
    const struct naming naming = {arena, scope, check ? root_of(scope) : NULL, problems};
    if (check && !naming.root)
        return; /* It was made from the objects, and names each of them in full. */
    for (uint32_t i = 0; check && i < check->workload_count; i++) {
        check_workload(&naming, &check->workloads[i]);
        report_item(&naming, &check->workloads[i].name, "workloads", i, "name", "name");
    }
    for (uint32_t e = 0; check && e < check->event_count; e++)
        report_item(&naming, &check->events[e].object, "events", e, "workload", "object");
    for (uint32_t i = 0; i < options->intent_count; i++)
        report(&naming, &options->intents[i].workload, (struct place){0}, "--intent");
    for (uint32_t i = 0; check && !options->intent_count && i < check->intent_count; i++)
        report_item(&naming, &check->intents[i].workload, "intents", i, "workload", "workload");
}
