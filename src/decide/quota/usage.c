/* SPDX-License-Identifier: Apache-2.0 */
#include "decide/quota/usage.h"

#include "base/saturating.h"
#include "decide/pod_requests.h"
#include "decide/quota/resource_math.h"
#include "object/names.h"

#include <ctype.h>
#include <string.h>

#define REQUESTS      "requests."
#define LIMITS        "limits."
#define HUGE_PAGES    "hugepages-"
#define STORAGE_CLASS ".storageclass.storage.k8s.io/"

static bool begins_with(const char *text, const char *prefix)
{
    return strncmp(text, prefix, strlen(prefix)) == 0;
}

static bool ends_with(const char *text, const char *end)
{
    const size_t length = strlen(text);
    return length >= strlen(end) && strcmp(text + length - strlen(end), end) == 0;
}

static bool is_one_of(const char *name, const char *const *names)
{
    for (; *names; names++)
        if (strcmp(name, *names) == 0)
            return true;
    return false;
}

/* A resource of Kubernetes itself: without a domain, or of kubernetes.io. */
static bool is_native(const char *name)
{
    return !strchr(name, '/') || strstr(name, "kubernetes.io/");
}

static bool is_extended(struct arena *arena, const char *name)
{
    return !is_native(name) && !begins_with(name, REQUESTS) &&
           name_is_qualified(arena_printf(arena, REQUESTS "%s", name));
}

/* ---- pods ---- */

/* The names of containers' resources that quotas also have limits for. */
static const char *const limited_resources[] = {"cpu", "memory", "ephemeral-storage", NULL};

bool quota_name_of_pods(const char *name)
{
    static const char *const names[] = {
        "pods",
        "count/pods",
        "cpu",
        "memory",
        "ephemeral-storage",
        REQUESTS "cpu",
        REQUESTS "memory",
        REQUESTS "ephemeral-storage",
        LIMITS "cpu",
        LIMITS "memory",
        LIMITS "ephemeral-storage",
        NULL,
    };
    return is_one_of(name, names) || begins_with(name, HUGE_PAGES) ||
           begins_with(name, REQUESTS HUGE_PAGES) ||
           (!is_native(name) && begins_with(name, REQUESTS));
}

bool quota_counts_pod(const struct pod *pod, int64_t now)
{
    if (pod->status.phase == POD_SUCCEEDED || pod->status.phase == POD_FAILED)
        return false;
    if (pod->meta.deletion_time == TIME_NONE || !pod->meta.deletion_grace_seconds.set)
        return true;
    return now <= saturating_add(pod->meta.deletion_time,
                                 saturating_multiply(pod->meta.deletion_grace_seconds.value,
                                                     NANOSECONDS_PER_SECOND));
}

static const struct resource_list *list_of(const struct resource_requirements *resources,
                                           bool limits)
{
    return limits ? &resources->limits : &resources->requests;
}

/* The sum over the containers, or what an init container needs if that is more. Sidecars run beside
 * all that come after them. */
static struct resource_list containers_of(struct arena *arena, const struct features *features,
                                          const struct pod_spec *spec, bool limits)
{
    struct resource_list total = {0};
    struct resource_list sidecars = {0};
    struct resource_list most = {0};
    for (uint32_t i = 0; i < spec->container_count; i++)
        total = resources_add(arena, &total, list_of(&spec->containers[i].resources, limits));
    for (uint32_t i = 0; i < spec->init_container_count; i++) {
        const struct container *container = &spec->init_containers[i];
        const struct resource_list *own = list_of(&container->resources, limits);
        const struct resource_list during = resources_add(arena, &sidecars, own);
        if (container_is_sidecar(features, container)) {
            total = resources_add(arena, &total, own);
            sidecars = during;
        }
        most = resources_max(arena, &most, &during);
    }
    return resources_max(arena, &total, &most);
}

/* What is stated for the pod as a whole counts instead. */
static void replace_by_own(struct arena *arena, const struct features *features,
                           const struct pod_spec *spec, bool limits, struct resource_list *total)
{
    const struct pod pod = {.spec = *spec};
    struct quantity own;
    if (!pod_has_own_requests(features, &pod))
        return;
    const struct resource_list stated =
        resources_add(arena, total, list_of(spec->resources, limits));
    const struct resource_list both = resources_add(arena, &stated, list_of(spec->resources, true));
    const struct resource_list *names = limits ? &stated : &both;
    for (uint32_t i = 0; i < names->count; i++) {
        const char *name = names->items[i].name;
        const struct quantity *limit = resource_list_find(&spec->resources->limits, name);
        if (limits ? limit != NULL : pod_own_request(features, &pod, name, &own))
            resources_put(arena, total, name, limits ? *limit : own);
    }
}

/* Up to 1.26 the overhead was a limit, too, where the pod had none. */
static struct resource_list with_overhead(struct arena *arena, const struct features *features,
                                          const struct pod_spec *spec, bool limits,
                                          const struct resource_list *total)
{
    struct resource_list overhead = {0};
    for (uint32_t i = 0; i < spec->overhead.count; i++) {
        const struct quantity *limit = resource_list_find(total, spec->overhead.items[i].name);
        if (!limits || !features->overhead_of_limits || (limit && limit->nanos != 0))
            resources_put(arena, &overhead, spec->overhead.items[i].name,
                          spec->overhead.items[i].quantity);
    }
    return resources_add(arena, total, &overhead);
}

static struct resource_list total_of(struct arena *arena, const struct features *features,
                                     const struct pod_spec *spec, bool limits)
{
    struct resource_list total = containers_of(arena, features, spec, limits);
    replace_by_own(arena, features, spec, limits, &total);
    return with_overhead(arena, features, spec, limits, &total);
}

static void charge_request(struct arena *arena, struct resource_list *usage,
                           const struct resource *request)
{
    const bool both =
        is_one_of(request->name, limited_resources) || begins_with(request->name, HUGE_PAGES);
    if (both)
        resources_put(arena, usage, request->name, request->quantity);
    if (both || is_extended(arena, request->name))
        resources_put(arena, usage, arena_printf(arena, REQUESTS "%s", request->name),
                      request->quantity);
}

struct resource_list quota_pod_usage(struct arena *arena, const struct features *features,
                                     const struct pod_spec *spec, bool charged)
{
    struct resource_list usage = {0};
    resources_put(arena, &usage, "count/pods", quantity_of(1));
    if (!charged)
        return usage;
    resources_put(arena, &usage, "pods", quantity_of(1));
    const struct resource_list requests = total_of(arena, features, spec, false);
    const struct resource_list limits = total_of(arena, features, spec, true);
    for (uint32_t i = 0; i < requests.count; i++)
        charge_request(arena, &usage, &requests.items[i]);
    for (uint32_t i = 0; i < limits.count; i++)
        if (is_one_of(limits.items[i].name, limited_resources))
            resources_put(arena, &usage, arena_printf(arena, LIMITS "%s", limits.items[i].name),
                          limits.items[i].quantity);
    return usage;
}

/* ---- Services ---- */

bool quota_name_of_services(const char *name)
{
    static const char *const names[] = {"services", "count/services", "services.nodeports",
                                        "services.loadbalancers", NULL};
    return is_one_of(name, names);
}

/* Ports of nodes are not given out yet, so those that will be are counted. */
static int64_t node_ports_of(const struct service *service)
{
    const bool balanced = strcmp(service->type, "LoadBalancer") == 0;
    if (!balanced && strcmp(service->type, "NodePort") != 0)
        return 0;
    if (!balanced || service->allocate_node_ports != TRISTATE_FALSE)
        return service->port_count;
    int64_t given = 0;
    for (uint32_t i = 0; i < service->port_count; i++)
        given += service->ports[i].node_port != 0;
    return given;
}

struct resource_list quota_service_usage(struct arena *arena, const struct service *service)
{
    struct resource_list usage = {0};
    resources_put(arena, &usage, "count/services", quantity_of(1));
    resources_put(arena, &usage, "services", quantity_of(1));
    resources_put(arena, &usage, "services.loadbalancers",
                  quantity_of(strcmp(service->type, "LoadBalancer") == 0));
    resources_put(arena, &usage, "services.nodeports", quantity_of(node_ports_of(service)));
    return usage;
}

/* ---- claims ---- */

#define CLAIMS  "persistentvolumeclaims"
#define STORAGE "requests.storage"

bool quota_name_of_claims(const char *name)
{
    static const char *const names[] = {CLAIMS, "count/" CLAIMS, STORAGE, NULL};
    return is_one_of(name, names) || ends_with(name, STORAGE_CLASS CLAIMS) ||
           ends_with(name, STORAGE_CLASS STORAGE);
}

struct resource_list quota_claim_usage(struct arena *arena,
                                       const struct persistent_volume_claim *claim)
{
    struct resource_list usage = {0};
    const char *class =
        labels_find(&claim->meta.annotations, "volume.beta.kubernetes.io/storage-class");
    class = class ? class : claim->storage_class_name;
    const bool has_class = class && *class;
    const struct quantity *storage = resource_list_find(&claim->requests, "storage");
    resources_put(arena, &usage, CLAIMS, quantity_of(1));
    resources_put(arena, &usage, "count/" CLAIMS, quantity_of(1));
    if (has_class)
        resources_put(arena, &usage, arena_printf(arena, "%s" STORAGE_CLASS CLAIMS, class),
                      quantity_of(1));
    if (!storage)
        return usage;
    struct quantity bytes = quantity_of(quantity_value(*storage)); /* whole ones */
    bytes.format = storage->format;
    resources_put(arena, &usage, STORAGE, bytes);
    if (has_class)
        resources_put(arena, &usage, arena_printf(arena, "%s" STORAGE_CLASS STORAGE, class), bytes);
    return usage;
}

/* ---- objects that are counted ---- */

bool quota_name_of_objects(const char *name)
{
    static const char *const old_names[] = {"configmaps", "resourcequotas",
                                            "replicationcontrollers", "secrets", NULL};
    return is_one_of(name, old_names) ||
           (begins_with(name, "count/") && !quota_name_of_pods(name) &&
            !quota_name_of_services(name) && !quota_name_of_claims(name));
}

/* "networkpolicies" of the kind NetworkPolicy. */
static const char *resource_of_kind(struct arena *arena, const char *kind)
{
    char *name = arena_strdup(arena, kind);
    for (char *at = name; *at; at++)
        *at = (char)tolower((unsigned char)*at);
    const size_t length = strlen(name);
    if (ends_with(name, "endpoints"))
        return name;
    if (ends_with(name, "y"))
        return arena_printf(arena, "%.*sies", (int)length - 1, name);
    return arena_printf(arena, "%s%s", name, ends_with(name, "s") ? "es" : "s");
}

struct resource_list quota_object_usage(struct arena *arena, const char *api_version,
                                        const char *kind)
{
    struct resource_list usage = {0};
    const char *resource = resource_of_kind(arena, kind);
    const char *slash = strchr(api_version, '/');
    const char *counted = slash ? arena_printf(arena, "count/%s.%.*s", resource,
                                               (int)(slash - api_version), api_version)
                                : arena_printf(arena, "count/%s", resource);
    resources_put(arena, &usage, counted, quantity_of(1));
    if (!slash && quota_name_of_objects(resource))
        resources_put(arena, &usage, resource, quantity_of(1));
    return usage;
}

enum pod_totals limit_range_totals(const struct features *features)
{
    if (!features->limits_of_some_add)
        return POD_TOTALS_OF_ALL;
    if (!features->sidecar_containers)
        return POD_TOTALS_OF_SOME;
    return features->pod_level_resources ? POD_TOTALS_OF_PODS : POD_TOTALS_OF_SIDECARS;
}
