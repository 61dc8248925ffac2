/* SPDX-License-Identifier: Apache-2.0 */
#include "apiserver/render.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

int64_t apiserver_seconds(const struct apiserver *server)
{
    return server->settings.now ? server->settings.now() : (int64_t)time(NULL);
}

const char *apiserver_now(const struct apiserver *server, struct arena *arena)
{
    const time_t now = (time_t)apiserver_seconds(server);
    struct tm date;
    char text[sizeof("2026-01-31T12:00:00Z") + 16];
    gmtime_r(&now, &date);
    strftime(text, sizeof(text), "%Y-%m-%dT%H:%M:%SZ", &date);
    return arena_strdup(arena, text);
}

struct rendering rendering_of(const struct apiserver *server, struct arena *arena,
                              const struct resource_type *type,
                              const struct resource_version_served *version,
                              const struct http_request *request)
{
    /* A client that takes a table lists it before plain JSON. */
    const char *table = strstr(request->accept, "as=Table");
    const char *include = http_parameter(request, "includeObject");
    return (struct rendering){
        .arena = arena,
        .type = type,
        .version = version,
        .table =
            table && strstr(request->accept, "v=v1;") && strstr(request->accept, "g=meta.k8s.io"),
        .include = arena_strdup(arena, *include ? include : "Metadata"),
        .now = apiserver_seconds(server),
    };
}

/* Objects are stored in one version, and differ in others by its name alone. */
static const struct datum *spoken(const struct rendering *rendering, const struct datum *object)
{
    if (rendering->version == &rendering->type->versions[0])
        return object;
    return datum_with(
        rendering->arena, object, "apiVersion",
        datum_string(rendering->arena, resource_api_version(rendering->arena, rendering->type,
                                                            rendering->version->name)));
}

void render_object(struct text *text, const struct rendering *rendering, const struct datum *object)
{
    object = spoken(rendering, object);
    if (!rendering->table) {
        datum_write(text, DATUM_REAL, object);
        return;
    }
    const struct datum *version = datum_at(object, "metadata.resourceVersion");
    const char *number = version && version->kind == DATUM_VERSION
                             ? arena_printf(rendering->arena, "%" PRIu64, version->number)
                             : "";
    render_table_head(text, rendering, number);
    render_table_row(text, rendering, object);
    render_list_tail(text);
}

void render_list_head(struct text *text, const struct rendering *rendering, uint64_t version)
{
    const char *number = arena_printf(rendering->arena, "%" PRIu64, version);
    if (rendering->table)
        render_table_head(text, rendering, number);
    else
        text_printf(
            text,
            "{\"kind\":\"%s\",\"apiVersion\":\"%s\",\"metadata\":{\"resourceVersion\":\"%s\"},"
            "\"items\":[",
            rendering->type->list_kind,
            resource_api_version(rendering->arena, rendering->type, rendering->version->name),
            number);
}

void render_list_item(struct text *text, const struct rendering *rendering,
                      const struct datum *object)
{
    if (rendering->table)
        render_table_row(text, rendering, spoken(rendering, object));
    else
        datum_write(text, DATUM_REAL, spoken(rendering, object));
}

void render_list_tail(struct text *text)
{
    text_append_string(text, "]}");
}
