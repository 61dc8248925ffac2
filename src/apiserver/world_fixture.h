/* SPDX-License-Identifier: Apache-2.0 */
/* For tests: a server without sockets, and requests to it. */
#ifndef FATHOM_APISERVER_WORLD_FIXTURE_H
#define FATHOM_APISERVER_WORLD_FIXTURE_H

#include "apiserver/apiserver.h"
#include "apiserver/list_stream.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

#define CMS "/api/v1/namespaces/default/configmaps"

static inline int64_t noon(void)
{
    return 1800000000;
}

struct world {
    struct apiserver server;
    struct arena arena;
    struct memory memory;
    unsigned status; /* of the last response */
};

/* The next resource version is 10, the next uid 5: two namespaces of two writes each
 * come before. */
static inline void world_start_with(struct world *world, struct object_store_settings store,
                                    size_t bytes_most)
{
    const struct apiserver_settings settings = {
        .store = {5, 3, store.history, store.history_bytes},
        .bytes_most = bytes_most,
        .no_collector = true, /* tests collect when they want to */
        .now = noon,
    };
    apiserver_start(&world->server, &settings);
    memory_init(&world->memory, SIZE_MAX);
    arena_init(&world->arena, &world->memory);
}

static inline void world_start(struct world *world)
{
    world_start_with(world, (struct object_store_settings){.history = APISERVER_HISTORY}, 0);
}

static inline void world_end(struct world *world)
{
    apiserver_free(&world->server);
    assert_int_equal(world->server.memory.used_bytes, 0);
    arena_release(&world->arena);
}

static inline struct watch *exchange(struct world *world, const char *method, const char *target,
                                     const char *type, const char *body, const char **content)
{
    struct http_parameter parameters[8];
    uint32_t count = 0;
    char *path = arena_strdup(&world->arena, target);
    char *query = strchr(path, '?');
    while (query) {
        *query++ = '\0';
        char *value = strchr(query, '=');
        *value++ = '\0';
        parameters[count++] = (struct http_parameter){query, value};
        query = strchr(value, '&');
    }
    const struct http_request request = {
        .method = method,
        .path = path,
        .parameters = parameters,
        .parameter_count = count,
        .accept = "application/json",
        .content_type = type,
        .body = body,
        .body_length = strlen(body),
    };
    struct http_response response = {0};
    text_init(&response.body, &world->memory);
    apiserver_handle(&world->server, &request, &response);
    world->status = response.status;
    if (response.list)
        list_stream_drain(response.list, &response.body);
    *content = arena_strdup(&world->arena, text_content(&response.body));
    text_release(&response.body);
    return response.watch;
}

/* The response as JSON, after its status code. */
static inline const char *ask_as(struct world *world, const char *method, const char *target,
                                 const char *type, const char *body)
{
    const char *content = "";
    assert_null(exchange(world, method, target, type, body, &content));
    return content;
}

static inline const char *ask(struct world *world, const char *method, const char *target,
                              const char *body)
{
    return ask_as(world, method, target, "application/json", body);
}

static inline void assert_says(struct world *world, unsigned status, const char *content,
                               const char *part)
{
    if (world->status != status || !strstr(content, part))
        fail_msg("expected %u and '%s', found %u and '%s'", status, part, world->status, content);
}

#define EXPECT(status, part, ...) assert_says(&world, status, ask(&world, __VA_ARGS__), part)

static inline const char *cm(struct world *world, const char *name, const char *metadata,
                             const char *data)
{
    return arena_printf(
        &world->arena,
        "{\"apiVersion\":\"v1\",\"kind\":\"ConfigMap\",\"metadata\":{\"name\":\"%s\""
        "%s},\"data\":{\"v\":\"%s\"}}",
        name, metadata, data);
}

#endif
