/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Descriptions in OpenAPI, as far as clients need some to go on: which kinds can
 * be patched, and that patches can be tried (`dryRun`). There are no schemas;
 * clients skip their own validation of what has none, and the server's verbs
 * check what they check.
 */
#include "apiserver/discovery.h"
#include "base/json_out.h"

#include <string.h>

#define TITLE   "Fathom's API server in memory"
#define VERSION "v1.26"

/* A Document of gnostic's openapi.v2: swagger = 1, info = 2 {title = 1, version = 2}. */
static void append_field(struct text *text, char tag, const char *bytes, size_t count)
{
    text_append_char(text, tag);
    text_append_char(text, (char)count); /* below 128, so one byte */
    text_append(text, bytes, count);
}

static void append_protobuf(struct text *text)
{
    struct text info;
    text_init(&info, text->memory);
    append_field(&info, '\x0a', TITLE, strlen(TITLE));
    append_field(&info, '\x12', VERSION, strlen(VERSION));
    append_field(text, '\x0a', "2.0", 3);
    append_field(text, '\x12', info.content, info.length);
    text_release(&info);
}

static void write_info(struct json_out *json)
{
    json_object_begin(json, "info");
    json_string(json, "title", TITLE);
    json_string(json, "version", VERSION);
    json_object_end(json);
}

void openapi_v2_respond(const struct http_request *request, struct http_response *response)
{
    response->status = 200;
    if (strstr(request->accept, "com.github.proto-openapi")) {
        response->content_type = "application/com.github.proto-openapi.spec.v2.v1.0+protobuf";
        append_protobuf(&response->body);
        return;
    }
    struct json_out json;
    response->content_type = "application/json";
    json_out_init(&json, &response->body, 0);
    json_object_begin(&json, NULL);
    json_string(&json, "swagger", "2.0");
    write_info(&json);
    json_object_begin(&json, "paths");
    json_object_end(&json);
    json_object_begin(&json, "definitions");
    json_object_end(&json);
    json_object_end(&json);
}

void openapi_v3_respond(const struct apiserver *server, struct arena *arena,
                        struct http_response *response)
{
    const struct resource_types *types = &server->store.types;
    struct json_out json;
    response->status = 200;
    response->content_type = "application/json";
    json_out_init(&json, &response->body, 0);
    json_object_begin(&json, NULL);
    json_object_begin(&json, "paths");
    for (uint32_t i = 0; i < types->count; i++) {
        const struct resource_type *type = types->items[i];
        for (uint32_t j = 0; !type->out_of_service && j < type->version_count; j++) {
            const char *version = type->versions[j].name;
            bool told = false;
            for (uint32_t k = 0; k < i && !told; k++)
                told =
                    !types->items[k]->out_of_service &&
                    strcmp(types->items[k]->group, type->group) == 0 &&
                    resource_type_find(types, type->group, version, types->items[k]->plural, NULL);
            if (told)
                continue;
            const char *path = arena_printf(arena, "%s/%s", *type->group ? "apis" : "api",
                                            resource_api_version(arena, type, version));
            json_object_begin(&json, path);
            json_string(&json, "serverRelativeURL", arena_printf(arena, "/openapi/v3/%s", path));
            json_object_end(&json);
        }
    }
    json_object_end(&json);
    json_object_end(&json);
}

static void write_path(struct json_out *json, struct arena *arena, const struct resource_type *type,
                       const char *version)
{
    json_object_begin(json, arena_printf(arena, "/%s/%s/%s%s/{name}", *type->group ? "apis" : "api",
                                         resource_api_version(arena, type, version),
                                         type->namespaced ? "namespaces/{namespace}/" : "",
                                         type->plural));
    json_object_begin(json, "patch");
    json_string(json, "operationId", arena_printf(arena, "patch%s%s", version, type->kind));
    json_array_begin(json, "parameters");
    json_object_begin(json, NULL);
    json_string(json, "name", "dryRun");
    json_string(json, "in", "query");
    json_object_end(json);
    json_array_end(json);
    json_object_begin(json, "responses");
    json_object_end(json);
    json_object_begin(json, "x-kubernetes-group-version-kind");
    json_string(json, "group", type->group);
    json_string(json, "version", version);
    json_string(json, "kind", type->kind);
    json_object_end(json);
    json_object_end(json);
    json_object_end(json);
}

bool openapi_v3_group_respond(const struct apiserver *server, struct arena *arena,
                              const struct target *target, struct http_response *response)
{
    const struct resource_types *types = &server->store.types;
    if (!resource_group_known(types, target->group, target->version))
        return false;
    struct json_out json;
    response->status = 200;
    response->content_type = "application/json";
    json_out_init(&json, &response->body, 0);
    json_object_begin(&json, NULL);
    json_string(&json, "openapi", "3.0.0");
    write_info(&json);
    json_object_begin(&json, "paths");
    for (uint32_t i = 0; i < types->count; i++) {
        const struct resource_type *type = types->items[i];
        if (!type->out_of_service && strcmp(type->group, target->group) == 0 &&
            resource_type_find(types, type->group, target->version, type->plural, NULL) == type)
            write_path(&json, arena, type, target->version);
    }
    json_object_end(&json);
    json_object_begin(&json, "components");
    json_object_begin(&json, "schemas");
    json_object_end(&json);
    json_object_end(&json);
    json_object_end(&json);
    return true;
}
