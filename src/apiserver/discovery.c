/* SPDX-License-Identifier: Apache-2.0 */
#include "apiserver/discovery.h"

#include "apiserver/handle_scale.h"
#include "base/json_out.h"

#include <string.h>

/* The version of Kubernetes whose API this is. */
#define KUBERNETES_MAJOR "1"
#define KUBERNETES_MINOR "26"

static void begin(struct json_out *json, struct http_response *response, const char *kind,
                  const char *api_version)
{
    response->status = 200;
    response->content_type = "application/json";
    json_out_init(json, &response->body, 0);
    json_object_begin(json, NULL);
    if (kind)
        json_string(json, "kind", kind);
    if (api_version)
        json_string(json, "apiVersion", api_version);
}

static void respond_version(struct http_response *response)
{
    struct json_out json;
    begin(&json, response, NULL, NULL);
    json_string(&json, "major", KUBERNETES_MAJOR);
    json_string(&json, "minor", KUBERNETES_MINOR);
    json_string(&json, "gitVersion", "v" KUBERNETES_MAJOR "." KUBERNETES_MINOR ".0+fathom");
    json_string(&json, "gitCommit", "");
    json_string(&json, "gitTreeState", "");
    json_string(&json, "buildDate", "");
    json_string(&json, "goVersion", "");
    json_string(&json, "compiler", "");
    json_string(&json, "platform", "linux/amd64");
    json_object_end(&json);
}

static void respond_core(struct http_response *response)
{
    struct json_out json;
    begin(&json, response, "APIVersions", NULL);
    json_array_begin(&json, "versions");
    json_string(&json, NULL, "v1");
    json_array_end(&json);
    json_array_begin(&json, "serverAddressByClientCIDRs");
    json_array_end(&json);
    json_object_end(&json);
}

static bool in_service(const struct resource_type *type, const char *group)
{
    return !type->out_of_service && strcmp(type->group, group) == 0;
}

static void write_group_version(struct json_out *json, struct arena *arena, const char *key,
                                const struct resource_type *type, const char *version)
{
    json_object_begin(json, key);
    json_string(json, "groupVersion", resource_api_version(arena, type, version));
    json_string(json, "version", version);
    json_object_end(json);
}

/* Was this version told by an earlier type of the group? */
static bool told(const struct resource_types *types, uint32_t before, const char *group,
                 const char *version)
{
    for (uint32_t i = 0; i < before; i++)
        for (uint32_t j = 0;
             in_service(types->items[i], group) && j < types->items[i]->version_count; j++)
            if (strcmp(types->items[i]->versions[j].name, version) == 0)
                return true;
    return false;
}

/* The members of an APIGroup; `first` is the index of its first type. */
static void write_group(struct json_out *json, struct arena *arena,
                        const struct resource_types *types, uint32_t first)
{
    const char *group = types->items[first]->group;
    json_string(json, "name", group);
    json_array_begin(json, "versions");
    for (uint32_t i = first; i < types->count; i++)
        for (uint32_t j = 0;
             in_service(types->items[i], group) && j < types->items[i]->version_count; j++)
            if (!told(types, i, group, types->items[i]->versions[j].name))
                write_group_version(json, arena, NULL, types->items[i],
                                    types->items[i]->versions[j].name);
    json_array_end(json);
    write_group_version(json, arena, "preferredVersion", types->items[first],
                        types->items[first]->versions[0].name);
}

/* The first type of a group, which stands for it; types->count: none. */
static uint32_t first_of_group(const struct resource_types *types, const char *group)
{
    uint32_t i = 0;
    while (i < types->count && !in_service(types->items[i], group))
        i++;
    return i;
}

static void respond_groups(const struct resource_types *types, struct arena *arena,
                           struct http_response *response)
{
    struct json_out json;
    begin(&json, response, "APIGroupList", "v1");
    json_array_begin(&json, "groups");
    for (uint32_t i = 0; i < types->count; i++) {
        const struct resource_type *type = types->items[i];
        if (type->out_of_service || !*type->group || first_of_group(types, type->group) != i)
            continue;
        json_object_begin(&json, NULL);
        write_group(&json, arena, types, i);
        json_object_end(&json);
    }
    json_array_end(&json);
    json_object_end(&json);
}

static bool respond_group(const struct resource_types *types, struct arena *arena,
                          const char *group, struct http_response *response)
{
    const uint32_t first = first_of_group(types, group);
    if (!*group || first == types->count)
        return false;
    struct json_out json;
    begin(&json, response, "APIGroup", "v1");
    write_group(&json, arena, types, first);
    json_object_end(&json);
    return true;
}

static void write_texts(struct json_out *json, const char *key, const char *const *items,
                        uint32_t count)
{
    json_array_begin(json, key);
    for (uint32_t i = 0; i < count; i++)
        json_string(json, NULL, items[i]);
    json_array_end(json);
}

static void write_short_names(struct json_out *json, struct arena *arena, const char *names)
{
    if (!*names)
        return;
    json_array_begin(json, "shortNames");
    while (*names) {
        const size_t length = strcspn(names, ",");
        json_string(json, NULL, arena_strndup(arena, names, length));
        names += length + (names[length] == ',');
    }
    json_array_end(json);
}

/* What `kubectl get all` shows. */
static bool is_in_all(const char *kind)
{
    return strcmp(kind, "Pod") == 0 || strcmp(kind, "Service") == 0 ||
           strcmp(kind, "DaemonSet") == 0 || strcmp(kind, "StatefulSet") == 0;
}

static void write_resource(struct json_out *json, struct arena *arena,
                           const struct resource_type *type,
                           const struct resource_version_served *version)
{
    static const char *const verbs[] = {"create", "delete", "deletecollection", "get",
                                        "list",   "patch",  "update",           "watch"};
    static const char *const status_verbs[] = {"get", "patch", "update"};
    json_object_begin(json, NULL);
    json_string(json, "name", type->plural);
    json_string(json, "singularName", type->singular);
    json_boolean(json, "namespaced", type->namespaced);
    json_string(json, "kind", type->kind);
    write_texts(json, "verbs", verbs, sizeof(verbs) / sizeof(*verbs));
    write_short_names(json, arena, type->short_names);
    if (!type->rules->custom && is_in_all(type->kind)) {
        static const char *const all[] = {"all"};
        write_texts(json, "categories", all, 1);
    }
    json_object_end(json);
    if (scale_is_served(type)) {
        json_object_begin(json, NULL);
        json_string(json, "name", arena_printf(arena, "%s/scale", type->plural));
        json_string(json, "singularName", "");
        json_boolean(json, "namespaced", type->namespaced);
        json_string(json, "group", "autoscaling");
        json_string(json, "version", "v1");
        json_string(json, "kind", "Scale");
        write_texts(json, "verbs", status_verbs, sizeof(status_verbs) / sizeof(*status_verbs));
        json_object_end(json);
    }
    if (!version->status)
        return;
    json_object_begin(json, NULL);
    json_string(json, "name", arena_printf(arena, "%s/status", type->plural));
    json_string(json, "singularName", "");
    json_boolean(json, "namespaced", type->namespaced);
    json_string(json, "kind", type->kind);
    write_texts(json, "verbs", status_verbs, sizeof(status_verbs) / sizeof(*status_verbs));
    json_object_end(json);
}

static bool respond_resources(const struct resource_types *types, struct arena *arena,
                              const struct target *target, struct http_response *response)
{
    if (!resource_group_known(types, target->group, target->version))
        return false;
    struct json_out json;
    begin(&json, response, "APIResourceList", "v1");
    json_string(&json, "groupVersion",
                *target->group ? arena_printf(arena, "%s/%s", target->group, target->version)
                               : target->version);
    json_array_begin(&json, "resources");
    for (uint32_t i = 0; i < types->count; i++) {
        const struct resource_type *type = types->items[i];
        for (uint32_t j = 0; in_service(type, target->group) && j < type->version_count; j++)
            if (strcmp(type->versions[j].name, target->version) == 0)
                write_resource(&json, arena, type, &type->versions[j]);
    }
    json_array_end(&json);
    json_object_end(&json);
    return true;
}

bool discovery_respond(const struct apiserver *server, struct arena *arena,
                       const struct target *target, const struct http_request *request,
                       struct http_response *response)
{
    const struct resource_types *types = &server->store.types;
    switch (target->kind) {
    case TARGET_HEALTH:
        response->status = 200;
        response->content_type = "text/plain; charset=utf-8";
        text_append_string(&response->body, "ok");
        return true;
    case TARGET_VERSION: respond_version(response); return true;
    case TARGET_CORE: respond_core(response); return true;
    case TARGET_GROUPS: respond_groups(types, arena, response); return true;
    case TARGET_GROUP: return respond_group(types, arena, target->group, response);
    case TARGET_GROUP_VERSION: return respond_resources(types, arena, target, response);
    case TARGET_OPENAPI_V2: openapi_v2_respond(request, response); return true;
    case TARGET_OPENAPI_V3: openapi_v3_respond(server, arena, response); return true;
    case TARGET_OPENAPI_V3_GROUP: return openapi_v3_group_respond(server, arena, target, response);
    case TARGET_RESOURCE:
    case TARGET_NONE: break;
    }
    return false;
}
