/* SPDX-License-Identifier: Apache-2.0 */
/*
 * For the tests of this folder: a check's `controller`, opened, and a store in which
 * its rounds can be run without anything in between. Included after cmocka.h.
 */
#ifndef FATHOM_RECONCILE_FRONT_FRONT_FIXTURE_H
#define FATHOM_RECONCILE_FRONT_FRONT_FIXTURE_H

#include "manifest/manifest.h"
#include "reconcile/front/controller_open.h"

#include <stdlib.h>
#include <string.h>

enum { FRONT_OBJECTS_MOST = 32, FRONT_STEPS_MOST = 100 };

struct front {
    struct memory memory;
    struct arena arena;
    struct problems problems;
    struct controller controller;
    bool open;
    int64_t timeout_ns;
    const struct datum *objects[FRONT_OBJECTS_MOST]; /* sorted by key */
    uint32_t count;
    uint64_t version;
    uint64_t uid;
    const struct datum *external;
    int writes; /* that changed something, in the last round */
};

static inline void front_set_up(struct front *front)
{
    memset(front, 0, sizeof *front);
    memory_init(&front->memory, SIZE_MAX);
    arena_init(&front->arena, &front->memory);
    problems_init(&front->problems, &front->arena);
    front->version = 10;
    front->uid = 5;
    front->timeout_ns = INT64_C(60000000000); /* enough on a busy machine */
}

static inline void front_tear_down(struct front *front)
{
    if (front->open)
        front->controller.release(&front->controller);
    arena_release(&front->arena);
    assert_int_equal(front->memory.used_bytes, 0);
}

/* A file of the source tree. */
static inline const char *front_file(struct front *front, const char *name)
{
    const char *root = getenv("FATHOM_SOURCE_ROOT");
    return arena_printf(&front->arena, "%s/%s", root ? root : ".", name);
}

/* `yaml` is the mapping, in flow style; `check` the file that it stands in. */
static inline bool front_open(struct front *front, const char *check, const char *yaml)
{
    struct documents documents = {0};
    const char *text = arena_printf(&front->arena, "spec: {controller: %s}\n", yaml);
    assert_true(
        manifest_parse(&front->arena, check, text, strlen(text), &documents, &front->problems));
    struct controller_options options = {.timeout_ns = front->timeout_ns};
    front->open = controller_open(&front->arena, &documents.items[0].root, &options,
                                  &front->controller, &front->problems);
    return front->open;
}

/* The first problem, as it is printed. */
static inline const char *front_problem(struct front *front)
{
    return front->problems.count > 0 ? problem_format(&front->arena, &front->problems.items[0])
                                     : "no problem";
}

static inline const struct datum *front_read(struct front *front, const char *json)
{
    const struct datum *datum = datum_read(&front->arena, DATUM_TAGGED, (struct place){0}, json,
                                           strlen(json), &front->problems);
    assert_int_equal(front->problems.count, 0);
    return datum;
}

static inline const char *front_write(struct front *front, const struct datum *datum)
{
    struct text text;
    text_init(&text, &front->memory);
    datum_write(&text, DATUM_TAGGED, datum);
    const char *written = arena_strdup(&front->arena, text_content(&text));
    text_release(&text);
    return written;
}

static inline struct object_list front_store(const struct front *front)
{
    return (struct object_list){front->objects, front->count};
}

static inline int front_key_order(const struct datum *object, const struct object_key *key)
{
    int order = strcmp(datum_text(datum_at(object, "kind"), ""), key->kind);
    if (!order)
        order = strcmp(datum_text(datum_at(object, "metadata.namespace"), ""), key->name_space);
    return order ? order : strcmp(datum_text(datum_at(object, "metadata.name"), ""), key->name);
}

static inline const struct datum *front_find(const struct front *front, const char *kind,
                                             const char *name)
{
    struct object_key key = {kind, "default", name};
    for (uint32_t i = 0; i < front->count; i++)
        if (front_key_order(front->objects[i], &key) == 0)
            return front->objects[i];
    return NULL;
}

static inline void front_store_put(struct front *front, const struct object_key *key,
                                   const struct datum *object)
{
    uint32_t i = 0;
    while (i < front->count && front_key_order(front->objects[i], key) < 0)
        i++;
    bool there = i < front->count && front_key_order(front->objects[i], key) == 0;
    size_t behind = (front->count - i) * sizeof front->objects[0];
    if (object && !there) {
        assert_true(front->count < FRONT_OBJECTS_MOST);
        memmove(&front->objects[i + 1], &front->objects[i], behind);
        front->count++;
    } else if (!object && there) {
        memmove(&front->objects[i], &front->objects[i + 1], behind - sizeof front->objects[0]);
        front->count--;
    }
    if (object)
        front->objects[i] = object;
}

static inline struct controller_response front_list(struct front *front,
                                                    const struct object_key *key)
{
    const struct datum *items[FRONT_OBJECTS_MOST];
    uint32_t count = 0;
    for (uint32_t i = 0; i < front->count; i++)
        if (strcmp(datum_text(datum_at(front->objects[i], "kind"), ""), key->kind) == 0)
            items[count++] = front->objects[i];
    return (struct controller_response){API_OK, datum_list(&front->arena, items, count)};
}

static inline struct controller_response front_apply(struct front *front,
                                                     const struct api_request *request)
{
    if (request->verb == API_LIST)
        return front_list(front, &request->key);
    if (request->verb == API_EXTERNAL) {
        struct controller_response response;
        struct object_list store = front_store(front);
        assert_non_null(front->controller.external);
        assert_true(front->controller.external(&front->controller, &front->arena, request->object,
                                               &store, front->external, front->version++, &response,
                                               &front->external, &front->problems));
        return response;
    }
    const struct api_kind *kind = api_kind_built_in(request->key.kind);
    struct api_kind custom = {.kind = request->key.kind, .custom = true};
    const struct datum *stored = front_find(front, request->key.kind, request->key.name);
    struct api_numbers numbers = {.version = front->version, .uid = front->uid};
    struct api_outcome outcome =
        api_apply(&front->arena, kind ? kind : &custom, request, stored, &numbers);
    front->version += outcome.version_used;
    front->uid += outcome.uid_used;
    front->writes += outcome.written;
    if (outcome.written)
        front_store_put(front, &request->key, outcome.stored);
    return (struct controller_response){outcome.error, outcome.reply};
}

/* The user's deed. */
static inline void front_user(struct front *front, enum api_verb verb, const char *json)
{
    const struct datum *object = front_read(front, json);
    const char *kind = datum_text(datum_at(object, "kind"), "");
    const char *name = datum_text(datum_at(object, "metadata.name"), "");
    if (verb == API_UPDATE) /* as somebody who has just looked */
        object = datum_with(&front->arena, object, "metadata.resourceVersion",
                            datum_at(front_find(front, kind, name), "metadata.resourceVersion"));
    struct api_request request = {.verb = verb, .key = {kind, "default", name}, .object = object};
    assert_int_equal(front_apply(front, &request).error, API_OK);
}

/* One whole round for this custom resource: "done", "error", or "failed" with a problem. */
static inline const char *front_round(struct front *front, const char *kind, const char *name)
{
    const struct controller *controller = &front->controller;
    const struct datum *cr = front_find(front, kind, name);
    const struct datum *local = NULL;
    struct controller_response response = {0};
    bool has_response = false;
    front->writes = 0;
    if (!controller->init(controller, &front->arena, &local, &front->problems))
        return "failed";
    for (int i = 0; i < FRONT_STEPS_MOST; i++) {
        bool done = false;
        bool error = false;
        if (!controller->status(controller, &front->arena, local, &done, &error, &front->problems))
            return "failed";
        if (done || error)
            return done ? "done" : "error";
        struct controller_answer answer = {0};
        if (!controller->step(controller, &front->arena, cr, has_response ? &response : NULL, local,
                              &answer, &front->problems))
            return "failed";
        local = answer.local;
        has_response = answer.has_request;
        if (answer.has_request)
            response = front_apply(front, &answer.request);
    }
    return "endless";
}

static inline bool front_matches(struct front *front, const char *kind, const char *name)
{
    bool matches = false;
    struct object_list store = front_store(front);
    assert_true(front->controller.match(&front->controller, &front->arena, &store,
                                        front_find(front, kind, name), &matches, &front->problems));
    return matches;
}

#endif
