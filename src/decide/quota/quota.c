/* SPDX-License-Identifier: Apache-2.0 */
#include "decide/quota/quota.h"

#include "base/vec.h"
#include "decide/claim.h"
#include "decide/pod_requests.h"
#include "decide/quota/resource_math.h"

#include <stdlib.h>
#include <string.h>

bool quota_handles(const struct quota_request *request)
{
    return !request->is_update || request->service || request->claim;
}

/* Is the name of a quota about objects like this one? */
static bool is_about(const char *name, const struct quota_request *request)
{
    if (request->pod)
        return quota_name_of_pods(name);
    if (request->service)
        return quota_name_of_services(name);
    if (request->claim)
        return quota_name_of_claims(name);
    return resource_list_find(&request->usage, name) != NULL;
}

bool quota_matches(const struct resource_quota *quota, const struct quota_request *request)
{
    const bool in_scope = request->pod ? quota_matches_pod(request->features, quota, request->pod)
                          : request->claim ? quota_matches_claim(quota, request->claim)
                                           : !quota_has_scopes(quota);
    for (uint32_t i = 0; in_scope && i < quota->status_hard.count; i++)
        if (is_about(quota->status_hard.items[i].name, request))
            return true;
    return false;
}

/* ---- what a pod must say ---- */

typedef VEC(const char *) names;

static void add_sorted(struct arena *arena, names *list, const char *name)
{
    for (uint32_t i = 0; i < list->count; i++)
        if (strcmp(list->items[i], name) == 0)
            return;
    VEC_PUSH(arena, list, name);
    qsort(list->items, list->count, sizeof(*list->items), claim_compare_texts);
}

static const char *join(struct arena *arena, const names *list)
{
    const char *text = "";
    for (uint32_t i = 0; i < list->count; i++)
        text = arena_printf(arena, "%s%s%s", text, i ? "," : "", list->items[i]);
    return text;
}

/* The list and the resource in it that a container must state for a name of a quota. */
static bool must_state(const char *name, bool *limit, const char **resource)
{
    *limit = strncmp(name, "limits.", 7) == 0;
    *resource = *limit ? name + 7 : strncmp(name, "requests.", 9) == 0 ? name + 9 : name;
    return strcmp(*resource, "cpu") == 0 || strcmp(*resource, "memory") == 0;
}

static void see_containers(struct arena *arena, const struct container *containers, uint32_t count,
                           bool limit, const char *resource, names *silent)
{
    for (uint32_t i = 0; i < count; i++) {
        const struct resource_requirements *stated = &containers[i].resources;
        if (!resource_list_find(limit ? &stated->limits : &stated->requests, resource))
            add_sorted(arena, silent, containers[i].name);
    }
}

/* "failed quota: q: must specify cpu for: a,b; limits.cpu for: b" */
const char *quota_unstated(struct arena *arena, const struct features *features,
                           const struct resource_quota *quota, const struct pod_spec *pod)
{
    const char *text = NULL;
    /* What is stated for the pod as a whole will do. */
    if (pod_has_own_requests(features, &(struct pod){.spec = *pod}))
        return NULL;
    for (uint32_t i = 0; i < quota->status_hard.count; i++) {
        const char *name = quota->status_hard.items[i].name;
        const char *resource;
        bool limit;
        names silent = {0};
        if (!must_state(name, &limit, &resource))
            continue;
        see_containers(arena, pod->containers, pod->container_count, limit, resource, &silent);
        see_containers(arena, pod->init_containers, pod->init_container_count, limit, resource,
                       &silent);
        if (silent.count > 0)
            text = arena_printf(arena, "%s%s for: %s",
                                text ? arena_printf(arena, "%s; ", text) : "must specify ", name,
                                join(arena, &silent));
    }
    return text ? arena_printf(arena, "failed quota: %s: %s", quota->meta.name, text) : NULL;
}

/* ---- the decision ---- */

/* The names that are about the object; NULL if the controller has computed all of them. */
static const char *find_unknown(struct arena *arena, const struct resource_quota *quota,
                                const struct quota_request *request)
{
    names about = {0};
    bool known = true;
    for (uint32_t i = 0; i < quota->status_hard.count; i++) {
        const char *name = quota->status_hard.items[i].name;
        if (!is_about(name, request))
            continue;
        add_sorted(arena, &about, name);
        known &= resource_list_find(&quota->used, name) != NULL;
    }
    return known ? NULL : join(arena, &about);
}

static struct resource_list without_zeros(struct arena *arena, const struct resource_list *list)
{
    struct resource_list result = {.items = ARENA_ARRAY(arena, struct resource, list->count + 1)};
    for (uint32_t i = 0; i < list->count; i++)
        if (list->items[i].quantity.nanos != 0)
            result.items[result.count++] = list->items[i];
    return result;
}

static const char *find_negative(struct arena *arena, const struct resource_list *usage)
{
    names negative = {0};
    for (uint32_t i = 0; i < usage->count; i++)
        if (usage->items[i].quantity.nanos < 0)
            add_sorted(arena, &negative, usage->items[i].name);
    return negative.count > 0 ? join(arena, &negative) : NULL;
}

static const char *write_list(struct arena *arena, const struct resource_list *list,
                              const struct resource_list *names_wanted)
{
    const struct resource_list shown = resources_mask(arena, list, names_wanted);
    const char *text = "";
    for (uint32_t i = 0; i < shown.count; i++)
        text = arena_printf(arena, "%s%s%s=%s", text, i ? "," : "", shown.items[i].name,
                            quantity_format_text(arena, shown.items[i].quantity));
    return text;
}

/* Charges the quota; a refusal if it does not have that much left. */
static const char *charge(struct arena *arena, const struct resource_quota *quota,
                          const struct resource_list *delta, struct resource_list *used)
{
    const struct resource_list requested = resources_mask(arena, delta, &quota->status_hard);
    const struct resource_list after = resources_add(arena, &quota->used, &requested);
    struct resource_list exceeded = {.items =
                                         ARENA_ARRAY(arena, struct resource, requested.count + 1)};
    for (uint32_t i = 0; i < requested.count; i++) {
        const char *name = requested.items[i].name;
        if (quantity_compare(*resource_list_find(&after, name),
                             *resource_list_find(&quota->status_hard, name)) > 0)
            exceeded.items[exceeded.count++] = requested.items[i];
    }
    if (exceeded.count > 0)
        return arena_printf(arena, "exceeded quota: %s, requested: %s, used: %s, limited: %s",
                            quota->meta.name, write_list(arena, &requested, &exceeded),
                            write_list(arena, &quota->used, &exceeded),
                            write_list(arena, &quota->status_hard, &exceeded));
    *used = after;
    return NULL;
}

/* What a quota that matches says before anything is charged. */
static const char *object_to(struct arena *arena, const struct resource_quota *quota,
                             const struct quota_request *request)
{
    const char *unstated =
        request->pod ? quota_unstated(arena, request->features, quota, request->pod) : NULL;
    if (unstated)
        return unstated;
    const char *unknown = find_unknown(arena, quota, request);
    if (unknown)
        return arena_printf(arena, "status unknown for quota: %s, resources: %s", quota->meta.name,
                            unknown);
    return NULL;
}

const char *quota_admit(struct arena *arena, const struct resource_quota *const *quotas,
                        uint32_t count, const struct quota_request *request,
                        struct resource_list *used)
{
    const char *refusal = NULL;
    for (uint32_t i = 0; i < count; i++)
        used[i] = quotas[i]->used;
    if (!quota_handles(request))
        return NULL;
    for (uint32_t i = 0; i < count && !refusal; i++)
        if (quota_matches(quotas[i], request))
            refusal = object_to(arena, quotas[i], request);
    if (refusal)
        return refusal;
    const char *negative = find_negative(arena, &request->usage);
    if (negative)
        return arena_printf(arena, "quota usage is negative for resource(s): %s", negative);
    struct resource_list delta = request->usage;
    if (request->is_update && request->old)
        delta = resources_less(arena, &delta, request->old);
    delta = without_zeros(arena, &delta);
    for (uint32_t i = 0; i < count && !refusal; i++)
        if (quota_matches(quotas[i], request))
            refusal = charge(arena, quotas[i], &delta, &used[i]);
    return refusal;
}
