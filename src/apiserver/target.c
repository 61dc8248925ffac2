/* SPDX-License-Identifier: Apache-2.0 */
#include "apiserver/target.h"

#include <string.h>

enum { SEGMENTS_MOST = 8 };

struct segments {
    const char *items[SEGMENTS_MOST];
    uint32_t count;
};

/* False if the path is none that the API has: too long, or with empty segments. */
static bool split(struct arena *arena, const char *path, struct segments *segments)
{
    if (*path != '/')
        return false;
    while (*path == '/') {
        const char *start = path + 1;
        const size_t length = strcspn(start, "/");
        path = start + length;
        if (!length)
            return !*path; /* a slash at the end changes nothing */
        if (segments->count == SEGMENTS_MOST)
            return false;
        segments->items[segments->count++] = arena_strndup(arena, start, length);
    }
    return true;
}

/* The sub-resources of a namespace are not resources in it. */
static bool is_namespace_part(const char *segment)
{
    return strcmp(segment, "status") == 0 || strcmp(segment, "finalize") == 0;
}

/* What comes after the version: [namespaces/NAMESPACE/]PLURAL[/NAME[/SUB]]. */
static void read_resource(struct target *target, const char *const *items, uint32_t count)
{
    target->kind = TARGET_RESOURCE;
    if (count >= 3 && strcmp(items[0], "namespaces") == 0 &&
        !(count == 3 && !*target->group && is_namespace_part(items[2]))) {
        target->name_space = items[1];
        items += 2;
        count -= 2;
    }
    target->plural = items[0];
    if (count > 1)
        target->name = items[1];
    if (count > 2)
        target->sub_resource = items[2];
    if (count > 3)
        target->kind = TARGET_NONE;
}

static void read_versioned(struct target *target, const struct segments *path, uint32_t used)
{
    if (path->count == used)
        target->kind = TARGET_GROUP_VERSION;
    else
        read_resource(target, path->items + used, path->count - used);
}

static bool is_health(const struct segments *path)
{
    static const char *const names[] = {"healthz", "livez", "readyz"};
    for (size_t i = 0; path->count && i < sizeof(names) / sizeof(*names); i++)
        if (strcmp(path->items[0], names[i]) == 0)
            return true;
    return false;
}

static bool starts(const struct segments *path, const char *first, uint32_t least)
{
    return path->count >= least && strcmp(path->items[0], first) == 0;
}

static void read_openapi_group(struct target *target, const char *group, const char *version)
{
    target->kind = TARGET_OPENAPI_V3_GROUP;
    target->group = group;
    target->version = version;
}

static void read_openapi(struct target *target, const struct segments *path)
{
    const bool v2 = path->count == 2 && strcmp(path->items[1], "v2") == 0;
    const bool v3 = path->count >= 2 && strcmp(path->items[1], "v3") == 0;
    if (v2)
        target->kind = TARGET_OPENAPI_V2;
    else if (v3 && path->count == 2)
        target->kind = TARGET_OPENAPI_V3;
    else if (v3 && path->count == 4 && strcmp(path->items[2], "api") == 0)
        read_openapi_group(target, "", path->items[3]);
    else if (v3 && path->count == 5 && strcmp(path->items[2], "apis") == 0)
        read_openapi_group(target, path->items[3], path->items[4]);
}

struct target target_parse(struct arena *arena, const char *path)
{
    struct target target = {TARGET_NONE, "", "", "", "", "", ""};
    struct segments segments = {0};
    if (!split(arena, path, &segments) || !segments.count)
        return target;
    if (is_health(&segments)) {
        target.kind = TARGET_HEALTH;
    } else if (starts(&segments, "version", 1) && segments.count == 1) {
        target.kind = TARGET_VERSION;
    } else if (starts(&segments, "openapi", 2)) {
        read_openapi(&target, &segments);
    } else if (starts(&segments, "api", 2)) {
        target.version = segments.items[1];
        read_versioned(&target, &segments, 2);
    } else if (starts(&segments, "api", 1)) {
        target.kind = TARGET_CORE;
    } else if (starts(&segments, "apis", 3)) {
        target.group = segments.items[1];
        target.version = segments.items[2];
        read_versioned(&target, &segments, 3);
    } else if (starts(&segments, "apis", 2)) {
        target.kind = TARGET_GROUP;
        target.group = segments.items[1];
    } else if (starts(&segments, "apis", 1)) {
        target.kind = TARGET_GROUPS;
    }
    return target;
}
