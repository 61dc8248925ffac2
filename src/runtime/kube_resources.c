/* SPDX-License-Identifier: Apache-2.0 */
#include "runtime/kube_resources.h"

#include "base/uri.h"
#include "base/vec.h"

#include <string.h>

static const struct datum *list_at(const struct datum *object, const char *key)
{
    static const struct datum empty = {.kind = DATUM_LIST};
    const struct datum *list = datum_member(object, key);
    return list && list->kind == DATUM_LIST ? list : &empty;
}

/* One APIResourceList. */
static void add_resources(struct kube_resources *resources, const char *api_version,
                          const struct datum *content)
{
    const struct datum *list = list_at(content, "resources");
    for (uint32_t i = 0; i < list->count; i++) {
        const char *name = datum_text(datum_member(list->items[i], "name"), "");
        const char *kind = datum_text(datum_member(list->items[i], "kind"), "");
        const struct datum *namespaced = datum_member(list->items[i], "namespaced");
        if (!*name || !*kind || strchr(name, '/'))
            continue;
        struct kube_resource *resource = ARENA_NEW(resources->arena, struct kube_resource);
        *resource = (struct kube_resource){
            .kind = arena_strdup(resources->arena, kind),
            .api_version = arena_strdup(resources->arena, api_version),
            .plural = arena_strdup(resources->arena, name),
            .namespaced = namespaced && namespaced->kind == DATUM_TRUE,
        };
        VEC_PUSH(resources->arena, resources, resource);
    }
}

static const char *group_path(struct arena *arena, const char *api_version)
{
    return arena_printf(arena, "/%s/%s", strchr(api_version, '/') ? "apis" : "api", api_version);
}

/* A group whose server does not answer (an extension's) is left out, as kubectl does. */
static bool ask_group(struct kube_resources *resources, struct kube_client *client,
                      struct arena *scratch, const char *api_version, struct kube_reply *failure)
{
    const struct kube_reply reply =
        kube_request(client, scratch, "GET", group_path(scratch, api_version), NULL);
    if (reply.error == API_OK)
        add_resources(resources, api_version, reply.content);
    else
        *failure = reply;
    return reply.error == API_OK || reply.status >= 500 || reply.status == 404;
}

static bool is_own_group(const char *name)
{
    const size_t length = strlen(name);
    return !strchr(name, '.') || (length > 7 && strcmp(name + length - 7, ".k8s.io") == 0);
}

static struct kube_reply kept(struct arena *arena, struct kube_reply failure)
{
    failure.message = arena_strdup(arena, failure.message ? failure.message : "");
    failure.content = NULL;
    return failure;
}

/* What was known and was not found again stays known, behind the rest: a server that restarts, or
 * an extension's that does not answer, does not take kinds away that are in use. */
static void take_over(struct kube_resources *resources, const struct kube_resources *found)
{
    struct kube_resources all = *found;
    for (uint32_t i = 0; i < resources->count; i++) {
        const struct kube_resource *known = resources->items[i];
        if (!kube_resource_find(found, known->kind, known->api_version))
            VEC_PUSH(resources->arena, &all, known);
    }
    *resources = all;
}

bool kube_resources_discover(struct kube_resources *known, struct kube_client *client,
                             struct kube_reply *failure)
{
    struct arena scratch;
    struct kube_resources discovered = {.arena = known->arena};
    struct kube_resources *resources = &discovered;
    arena_init(&scratch, resources->arena->memory);
    const struct kube_reply groups = kube_request(client, &scratch, "GET", "/apis", NULL);
    *failure = groups;
    bool good = groups.error == API_OK && ask_group(resources, client, &scratch, "v1", failure);
    const struct datum *list = list_at(groups.content, "groups");
    for (int own = 1; good && own >= 0; own--)
        for (uint32_t i = 0; good && i < list->count; i++) {
            const char *name = datum_text(datum_member(list->items[i], "name"), "");
            const char *version =
                datum_text(datum_at(list->items[i], "preferredVersion.groupVersion"), "");
            if (*version && is_own_group(name) == (own == 1))
                good = ask_group(resources, client, &scratch, version, failure);
        }
    *failure = kept(resources->arena, *failure);
    take_over(known, resources);
    arena_release(&scratch);
    return good;
}

const struct kube_resource *kube_resource_find(const struct kube_resources *resources,
                                               const char *kind, const char *api_version)
{
    for (uint32_t i = 0; i < resources->count; i++)
        if (strcmp(resources->items[i]->kind, kind) == 0 &&
            (!api_version || strcmp(resources->items[i]->api_version, api_version) == 0))
            return resources->items[i];
    return NULL;
}

const char *kube_resource_path(struct arena *arena, const struct kube_resource *resource,
                               const char *name_space, const char *name)
{
    const char *path = group_path(arena, resource->api_version);
    if (resource->namespaced && *name_space)
        path = arena_printf(arena, "%s/namespaces/%s", path, uri_segment(arena, name_space));
    path = arena_printf(arena, "%s/%s", path, resource->plural);
    return *name ? arena_printf(arena, "%s/%s", path, uri_segment(arena, name)) : path;
}
