/* SPDX-License-Identifier: Apache-2.0 */
/* Lists of resources: what the API server refuses in them, and how it rounds. */
#include "object/names.h"
#include "object/schemas.h"

#include <string.h>

static const quantity_nanos NANOS_PER_MILLI = 1000000;
static const quantity_nanos NANOS_PER_UNIT = 1000000000;

static bool has_prefix(const char *text, const char *prefix)
{
    return strncmp(text, prefix, strlen(prefix)) == 0;
}

/* Is it a resource of Kubernetes itself, without a domain or with the domain kubernetes.io? */
static bool is_native(const char *name)
{
    return !strchr(name, '/') || strstr(name, "kubernetes.io/");
}

static bool is_huge_pages(const char *name)
{
    return has_prefix(name, "hugepages-");
}

static bool counts_things(const char *name)
{
    return !is_native(name) || strcmp(name, "pods") == 0 || has_prefix(name, "attachable-volumes-");
}

static bool is_container_resource(const char *name)
{
    return strchr(name, '/') || strcmp(name, "cpu") == 0 || strcmp(name, "memory") == 0 ||
           strcmp(name, "ephemeral-storage") == 0 || is_huge_pages(name);
}

bool resource_is_of_pods(const char *name)
{
    return strcmp(name, "cpu") == 0 || strcmp(name, "memory") == 0 || is_huge_pages(name);
}

static void quantity_validate(struct reading *reading, const struct path *path,
                              const struct resource *resource)
{
    const struct path entry = path_field(path, resource->name);
    const char *wanted = NULL;
    if (resource->quantity.nanos < 0)
        wanted = "a quantity of at least 0";
    else if (counts_things(resource->name) && resource->quantity.nanos % NANOS_PER_UNIT != 0)
        wanted = "a whole number";
    if (wanted)
        reading_error(reading, &entry, "expected %s, found %s", wanted,
                      quantity_format_text(reading->problems->arena, resource->quantity));
}

void resource_list_validate(struct reading *reading, const struct path *path,
                            const struct resource_list *list)
{
    for (uint32_t i = 0; i < list->count; i++)
        quantity_validate(reading, path, &list->items[i]);
}

static void container_resource_validate(struct reading *reading, const struct path *path,
                                        const struct resource *resource)
{
    const struct path entry = path_field(path, resource->name);
    if (!name_is_qualified(resource->name))
        qualified_name_validate(reading, &entry, resource->name);
    else if (!is_container_resource(resource->name))
        reading_error(reading, &entry,
                      "expected cpu, memory, ephemeral-storage, hugepages-SIZE or a name with "
                      "a domain such as example.com/gpu, found \"%s\"",
                      resource->name);
    quantity_validate(reading, path, resource);
}

bool resource_overcommits(const char *name)
{
    return is_native(name) && !is_huge_pages(name);
}

static void request_validate(struct reading *reading, const struct path *path,
                             const struct resource *request, const struct quantity *limit)
{
    struct arena *arena = reading->problems->arena;
    const struct path entry = path_field(path, request->name);
    const bool overcommits = resource_overcommits(request->name);
    if (!limit && !overcommits) {
        /* The API server refuses it, but the scheduler handles it, so it is only a warning. */
        reading_warning(reading, &entry,
                        "expected a limit as well, since %s cannot be overcommitted",
                        request->name);
        return;
    }
    const int order = limit ? quantity_compare(request->quantity, *limit) : 0;
    if (order != 0 && !overcommits)
        reading_error(reading, &entry, "expected the same as the limit, %s, found %s",
                      quantity_format_text(arena, *limit),
                      quantity_format_text(arena, request->quantity));
    else if (order > 0)
        reading_error(reading, &entry, "expected at most the limit, %s, found %s",
                      quantity_format_text(arena, *limit),
                      quantity_format_text(arena, request->quantity));
}

static bool has_huge_pages(const struct resource_list *list)
{
    for (uint32_t i = 0; i < list->count; i++)
        if (is_huge_pages(list->items[i].name))
            return true;
    return false;
}

static bool has_cpu_or_memory(const struct resource_list *list)
{
    return resource_list_find(list, "cpu") || resource_list_find(list, "memory");
}

void resource_requirements_validate(struct reading *reading, const struct path *path,
                                    const struct resource_requirements *resources)
{
    const struct path limits = path_field(path, "limits");
    const struct path requests = path_field(path, "requests");
    for (uint32_t i = 0; i < resources->limits.count; i++)
        container_resource_validate(reading, &limits, &resources->limits.items[i]);
    for (uint32_t i = 0; i < resources->requests.count; i++) {
        const struct resource *request = &resources->requests.items[i];
        const struct quantity *limit = resource_list_find(&resources->limits, request->name);
        if (limit && quantity_compare(request->quantity, *limit) == 0)
            continue; /* copied from the limit, or as good */
        container_resource_validate(reading, &requests, request);
        request_validate(reading, &requests, request, limit);
    }
    if ((has_huge_pages(&resources->limits) || has_huge_pages(&resources->requests)) &&
        !has_cpu_or_memory(&resources->limits) && !has_cpu_or_memory(&resources->requests))
        reading_error(reading, path, "expected cpu or memory beside huge pages, found neither");
}

void resource_list_round(struct resource_list *list)
{
    for (uint32_t i = 0; i < list->count; i++) {
        quantity_nanos *nanos = &list->items[i].quantity.nanos;
        const quantity_nanos rest = *nanos % NANOS_PER_MILLI;
        if (rest > 0)
            *nanos += NANOS_PER_MILLI - rest;
        else if (rest < 0)
            *nanos -= NANOS_PER_MILLI + rest;
    }
}

/* Both lists are sorted by name, so this is a merge. */
void resource_list_complete(struct arena *arena, struct resource_list *list,
                            const struct resource_list *defaults)
{
    if (!defaults->count)
        return;
    struct resource_list merged = {
        .items = ARENA_ARRAY(arena, struct resource, defaults->count + list->count)};
    uint32_t next = 0;
    for (uint32_t i = 0; i < defaults->count; i++) {
        const char *name = defaults->items[i].name;
        while (next < list->count && strcmp(list->items[next].name, name) < 0)
            merged.items[merged.count++] = list->items[next++];
        if (next < list->count && strcmp(list->items[next].name, name) == 0)
            merged.items[merged.count++] = list->items[next++];
        else
            merged.items[merged.count++] = defaults->items[i];
    }
    while (next < list->count)
        merged.items[merged.count++] = list->items[next++];
    *list = merged;
}
