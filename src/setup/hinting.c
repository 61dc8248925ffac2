/* SPDX-License-Identifier: Apache-2.0 */
#include "setup/hinting.h"

#include "manifest/document.h"
#include "object/as_written.h"
#include "object/kubectl_way.h"
#include "object/policy.h"
#include "setup/setup.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The member of the mapping, or the item of the list, that the path goes to next; NULL: it is not
 * there. `path` is put behind it. */
static const struct value *next_value(const struct value *value, const char **path,
                                      struct place *place)
{
    char name[64];
    const size_t length = strcspn(*path, ".[");
    const struct member *member = NULL;
    if (**path == '[') {
        const unsigned long index = strtoul(*path + 1, NULL, 10);
        *path += strcspn(*path, "]") + 1;
        if (value->kind != VALUE_SEQUENCE || index >= value->count)
            return NULL;
        *place = value_place(&value->items[index]);
        return &value->items[index];
    }
    if (length >= sizeof(name))
        return NULL;
    snprintf(name, sizeof(name), "%.*s", (int)length, *path);
    *path += length;
    member = value_find_member(value, name);
    if (!member)
        return NULL;
    *place = member_place(value, member);
    return &member->value;
}

/* False: the field is not there, and `place` is that of what comes nearest. */
static bool find_place(const struct value *value, const char *path, struct place *place)
{
    *place = value_place(value);
    while (value && *path) {
        path += *path == '.';
        value = next_value(value, &path, place);
    }
    return value != NULL;
}

/* Where something stands for a custom resource, it is the field that the user wrote, there or
 * elsewhere. */
static struct place place_of(struct arena *arena, const struct object *object, const char *path)
{
    struct place place = object->place;
    if (object->source &&
        !find_place(written_root(object), written_path(arena, object, path), &place))
        find_place(&object->source->root, path, &place);
    return place;
}

void hint_add(struct hinting *hinting, const struct object *object, const char *path,
              const char *text, const char *remedy)
{
    const struct hint hint = {
        .place = place_of(hinting->arena, object, path),
        .path = written_path(hinting->arena, object, path),
        .text = text,
        .remedy = remedy,
    };
    VEC_PUSH(hinting->arena, &hinting->found, hint);
}

/* ---- what pods there are ---- */

bool hint_same_space(const struct object *left, const struct object *right)
{
    return strcmp(left->meta->namespace, right->meta->namespace) == 0;
}

const struct labels *hint_labels_of_pods(const struct object *object)
{
    const struct pod_template *template = workload_template(object);
    if (template && !object_meta_controller(object->meta))
        return &template->meta.labels;
    return object->kind == OBJECT_POD ? &object->as.pod->meta.labels : NULL;
}

/* ---- what selects nobody ---- */

bool hint_is_complete(const struct hinting *hinting, const struct object *object)
{
    bool workloads = false;
    for (uint32_t i = 0; i < hinting->objects->count; i++) {
        const struct object *other = &hinting->objects->items[i];
        if (object_may_make_pods(other) &&
            (!other->meta->namespace ||
             strcmp(other->meta->namespace, object->meta->namespace) == 0))
            return false;
        workloads |= hint_labels_of_pods(other) && hint_same_space(object, other);
    }
    return workloads;
}

/* Would it select these pods, if they were in its namespace? */
static bool would_select(const struct object *object, const struct labels *labels)
{
    return object->kind == OBJECT_SERVICE
               ? labels_include(labels, &object->as.service->selector)
               : label_selector_matches(object->as.pod_disruption_budget->selector, labels);
}

/* A workload of another namespace whose pods the object would select; NULL: there is none. An empty
 * selector is no sign that it is meant. */
static const struct object *selected_elsewhere(const struct hinting *hinting,
                                               const struct object *object)
{
    static const struct labels none;
    for (uint32_t i = 0; i < hinting->objects->count; i++) {
        const struct labels *labels = hint_labels_of_pods(&hinting->objects->items[i]);
        if (labels && would_select(object, labels) && !would_select(object, &none))
            return &hinting->objects->items[i];
    }
    return NULL;
}

void hint_look_for_nobody(struct hinting *hinting, const struct object *object, const char *name,
                          const char *remedy)
{
    const struct object *elsewhere = selected_elsewhere(hinting, object);
    if (elsewhere)
        hint_add(hinting, object, "metadata.namespace",
                 arena_printf(hinting->arena,
                              "%s selects no pod, because those of %s %s with these labels are in "
                              "namespace %s",
                              name, elsewhere->kind_name, elsewhere->meta->name,
                              elsewhere->meta->namespace),
                 arena_printf(hinting->arena, "namespace: %s", elsewhere->meta->namespace));
    else if (hint_is_complete(hinting, object))
        hint_add(hinting, object, "spec.selector",
                 arena_printf(hinting->arena, "%s selects no pod of these manifests", name),
                 remedy);
}
