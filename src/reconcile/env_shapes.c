/* SPDX-License-Identifier: Apache-2.0 */
/* Shapes, and the facts that are computed when a shape is added. */
#include "reconcile/env_facts.h"

#include <inttypes.h>

static void fill_owners(struct environment *environment, struct shape *shape)
{
    const struct datum *owners = datum_at(shape->tree, "metadata.ownerReferences");
    if (!owners || owners->kind != DATUM_LIST)
        return;
    struct shape_owner *list =
        ARENA_ARRAY(&environment->shapes.arena, struct shape_owner, owners->count + 1);
    const char *name_space = datum_text(datum_at(shape->tree, "metadata.namespace"), "");
    for (uint32_t i = 0; i < owners->count; i++) {
        const struct object_key key = {
            .kind = datum_text(datum_member(owners->items[i], "kind"), ""),
            .name_space = name_space,
            .name = datum_text(datum_member(owners->items[i], "name"), ""),
        };
        const struct datum *uid = datum_member(owners->items[i], "uid");
        list[i].key = shapes_key(&environment->shapes, &key);
        list[i].uid = uid && uid->kind == DATUM_UID ? (uint32_t)uid->number : UINT32_MAX;
    }
    shape->owners = list;
    shape->owner_count = owners->count;
}

static void fill_object(struct environment *environment, struct shape *shape)
{
    const struct object_key key = object_key_of(shape->tree);
    const struct datum *uid = datum_at(shape->tree, "metadata.uid");
    const struct api_kind *kind = environment_kind(environment, key.kind);
    shape->key = shapes_key(&environment->shapes, &key);
    shape->uid = uid && uid->kind == DATUM_UID ? (uint32_t)uid->number : UINT32_MAX;
    shape->reports = kind && kind->ready;
    shape->empty = datum_number(datum_at(shape->tree, "spec.replicas"), 1) == 0;
    fill_owners(environment, shape);
}

static void fill_request(struct environment *environment, struct shape *shape)
{
    shape->request = request_of_datum(shape->tree);
    const struct api_request *request = &shape->request;
    if (request->verb == API_EXTERNAL || request->verb == API_LIST)
        return;
    shape->generates_name =
        request->verb == API_CREATE && *request->key.name == '\0' &&
        *datum_text(datum_at(request->object, "metadata.generateName"), "") != '\0';
    shape->key = shapes_key(&environment->shapes, &request->key);
}

static void fill_memory(struct environment *environment, struct shape *shape)
{
    const struct controller *controller = environment->controller;
    struct arena arena;
    arena_init(&arena, environment->memory);
    const uint32_t errors = environment->problems->errors;
    if (!controller->status(controller, &arena, datum_member(shape->tree, "memory"), &shape->done,
                            &shape->failed, environment->problems)) {
        if (environment->problems->errors == errors)
            environment_fail(environment, "the controller cannot tell whether a round is over");
        atomic_store(&environment->failed, true);
    }
    arena_release(&arena);
}

void fill_shape(struct environment *environment, struct shape *shape)
{
    switch (shape->role) {
    case SHAPE_OBJECT: fill_object(environment, shape); break;
    case SHAPE_REQUEST: fill_request(environment, shape); break;
    case SHAPE_RESPONSE:
        shape->error = (enum api_error)datum_number(datum_member(shape->tree, "error"), API_OTHER);
        break;
    case SHAPE_MEMORY: fill_memory(environment, shape); break;
    case SHAPE_EXTERNAL: break;
    }
    if (environment->shapes.key_count + 1 >= KEYS_MOST)
        environment_fail(environment, "more than %d objects are spoken of", KEYS_MOST - 2);
}

static bool number_fits(uint64_t number, uint32_t count)
{
    return number < count || number == MEMO_FRESH;
}

bool make_part(struct environment *environment, enum shape_role role, const struct datum *tree,
               uint32_t versions, uint32_t uids, struct arena *arena, struct memo_part *part)
{
    *part = (struct memo_part){0};
    if (!tree)
        return true;
    struct holes holes;
    bool is_new = false;
    const uint32_t number = shapes_add(&environment->shapes, role, tree, &holes, &is_new);
    if (number == 0) {
        environment_fail(environment, "an object or message holds more than %d resource versions",
                         HOLES_MOST);
        return false;
    }
    uint8_t *bytes = arena_allocate(arena, holes.version_count + holes.uid_count + 1);
    for (uint32_t i = 0; i < holes.version_count + holes.uid_count; i++) {
        const bool is_version = i < holes.version_count;
        const uint64_t value = is_version ? holes.versions[i] : holes.uids[i - holes.version_count];
        if (!number_fits(value, is_version ? versions : uids)) {
            environment_fail(environment,
                             "the controller made up the %s %" PRIu64
                             ": they may be copied and compared, not computed",
                             is_version ? "resource version" : "uid", value);
            return false;
        }
        bytes[i] = (uint8_t)value;
    }
    if (is_new)
        fill_shape(environment, shape_at(&environment->shapes, number));
    const struct shape *shape = shape_at(&environment->shapes, number);
    *part = (struct memo_part){
        .shape = number, .versions = shape->versions, .uids = shape->uids, .holes = bytes};
    return true;
}
