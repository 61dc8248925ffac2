/* SPDX-License-Identifier: Apache-2.0 */
#include "decide/pod_requests.h"

#include "decide/pod_resize.h"
#include "object/schemas.h"

#include <string.h>

enum { NONZERO_CPU_MILLI = 100 };
static const int64_t nonzero_memory = INT64_C(200) * 1024 * 1024;

/* A quantity, if it is mentioned at all. */
struct mention {
    bool there;
    struct quantity quantity;
};

struct requests_question {
    const struct features *features;
    const struct pod *pod;
    const char *name;
    bool resized;            /* what the status says of a resize counts */
    bool whole;              /* what is requested for the pod as a whole counts */
    bool infeasible;         /* the resize; what the spec wants does not count */
    struct mention fallback; /* of a container that does not mention the resource */
    bool sidecars_apart;     /* they do not add to the containers' sum */
    bool limits;             /* the limits are asked for, not the requests */
};

bool container_restarts_always(const struct container *container)
{
    return container->restart_policy && strcmp(container->restart_policy, "Always") == 0;
}

bool container_is_sidecar(const struct features *features, const struct container *container)
{
    return features->sidecar_containers && container_restarts_always(container);
}

static struct mention listed(const struct resource_list *list, const char *name)
{
    const struct quantity *found = resource_list_find(list, name);
    return found ? (struct mention){true, *found} : (struct mention){false, quantity_of(0)};
}

static struct mention larger(struct mention left, struct mention right)
{
    if (!left.there || !right.there)
        return left.there ? left : right;
    return quantity_compare(left.quantity, right.quantity) >= 0 ? left : right;
}

static struct mention plus(struct mention left, struct mention right)
{
    if (!left.there || !right.there)
        return left.there ? left : right;
    return (struct mention){true, quantity_add(left.quantity, right.quantity)};
}

/* Up to 1.26 each amount was rounded up before it was added. */
static struct mention rounded(const struct requests_question *asked, struct mention mention)
{
    if (asked->features->requests_add_exactly)
        return mention;
    mention.quantity = strcmp(asked->name, "cpu") == 0
                           ? quantity_of_milli(quantity_milli_value(mention.quantity))
                           : quantity_of(quantity_value(mention.quantity));
    return mention;
}

/* The most of what is wanted, is there, and was promised. */
static struct mention of_resize(const struct requests_question *asked, struct mention wanted,
                                const struct resource_requirements *actual,
                                const struct resource_list *allocated)
{
    struct mention most =
        larger(listed(&actual->requests, asked->name), listed(allocated, asked->name));
    return asked->infeasible ? most : larger(wanted, most);
}

static struct mention of_container(const struct requests_question *asked,
                                   const struct container *container, bool may_resize)
{
    if (asked->limits)
        return listed(&container->resources.limits, asked->name);
    struct mention mention = listed(&container->resources.requests, asked->name);
    if (asked->resized && may_resize) {
        const struct container_status *status = resize_status(asked->pod, container);
        if (status)
            mention = of_resize(asked, mention, status->resources, &status->allocated_resources);
    }
    return rounded(asked, mention);
}

static struct mention or_fallback(const struct requests_question *asked, struct mention mention)
{
    return mention.there ? mention : asked->fallback;
}

/* All containers together. */
static struct mention of_containers(const struct requests_question *asked)
{
    const struct pod_spec *spec = &asked->pod->spec;
    struct mention sum = {false, quantity_of(0)};
    struct mention sidecars = sum;
    struct mention most = sum;
    for (uint32_t i = 0; i < spec->container_count; i++)
        sum = plus(sum, or_fallback(asked, of_container(asked, &spec->containers[i], true)));
    for (uint32_t i = 0; i < spec->init_container_count; i++) {
        const bool sidecar = container_is_sidecar(asked->features, &spec->init_containers[i]);
        struct mention own = of_container(asked, &spec->init_containers[i], sidecar);
        if (!asked->sidecars_apart)
            own = or_fallback(asked, own);
        const struct mention during = plus(sidecars, own);
        if (sidecar && !asked->sidecars_apart)
            sum = plus(sum, own);
        if (sidecar)
            sidecars = during;
        most = larger(most, or_fallback(asked, during));
    }
    return larger(sum, most);
}

/* ---- the pod as a whole ---- */

static bool mentions_any(const struct resource_list *list)
{
    for (uint32_t i = 0; i < list->count; i++)
        if (resource_is_of_pods(list->items[i].name))
            return true;
    return false;
}

/* The limit of huge pages is filled in from those of the containers, where neither is given. */
static struct mention pod_limit(const struct requests_question *asked)
{
    const struct resource_requirements *own = asked->pod->spec.resources;
    const struct mention given = listed(&own->limits, asked->name);
    if (given.there || listed(&own->requests, asked->name).there ||
        strncmp(asked->name, "hugepages-", 10) != 0 || own->limits.count + own->requests.count == 0)
        return given;
    const struct requests_question limits = {
        .features = asked->features, .pod = asked->pod, .name = asked->name, .limits = true};
    return of_containers(&limits);
}

/* Are there limits of the pod, given or filled in? */
static bool has_pod_limits(const struct requests_question *asked)
{
    const struct resource_requirements *own = asked->pod->spec.resources;
    const struct pod_spec *spec = &asked->pod->spec;
    struct requests_question huge = *asked;
    if (own->limits.count > 0)
        return true;
    for (uint32_t c = 0; c < spec->container_count + spec->init_container_count; c++) {
        const struct container *container = c < spec->container_count
                                                ? &spec->containers[c]
                                                : &spec->init_containers[c - spec->container_count];
        for (uint32_t i = 0; i < container->resources.limits.count; i++) {
            huge.name = container->resources.limits.items[i].name;
            if (pod_limit(&huge).there)
                return true;
        }
    }
    return false;
}

/* What is requested for the pod as a whole: as it is given, else what the API server fills in. */
static struct mention pod_own(const struct requests_question *asked)
{
    const struct resource_requirements *own = asked->pod->spec.resources;
    const struct mention given = listed(&own->requests, asked->name);
    if (given.there || !has_pod_limits(asked))
        return given;
    const struct requests_question plain = {
        .features = asked->features, .pod = asked->pod, .name = asked->name};
    const bool overcommits = strcmp(asked->name, "cpu") == 0 || strcmp(asked->name, "memory") == 0;
    const struct mention sum = overcommits ? of_containers(&plain) : given;
    return sum.there ? sum : pod_limit(asked);
}

bool pod_has_own_requests(const struct features *features, const struct pod *pod)
{
    const struct resource_requirements *own = pod->spec.resources;
    if (!features->pod_level_resources || !own)
        return false;
    return mentions_any(&own->requests) || mentions_any(&own->limits);
}

/* Instead of what the containers request, if there is any. */
static struct mention of_pod(const struct requests_question *asked, struct mention containers)
{
    if (!asked->whole || !resource_is_of_pods(asked->name))
        return containers;
    const struct mention own = pod_own(asked);
    const struct pod_status *status = &asked->pod->status;
    if (!own.there)
        return containers;
    if (!asked->resized || !asked->features->pod_level_resize || !status->resources)
        return own;
    struct mention most = of_resize(asked, own, status->resources, &status->allocated_resources);
    most.there = true;
    return most;
}

/* ---- questions ---- */

static struct mention total(const struct requests_question *asked)
{
    const struct mention overhead = rounded(asked, listed(&asked->pod->spec.overhead, asked->name));
    return plus(of_pod(asked, of_containers(asked)), overhead);
}

static struct mention nonzero(const char *name)
{
    if (strcmp(name, "cpu") == 0)
        return (struct mention){true, quantity_of_milli(NONZERO_CPU_MILLI)};
    if (strcmp(name, "memory") == 0)
        return (struct mention){true, quantity_of(nonzero_memory)};
    return (struct mention){false, quantity_of(0)};
}

/* Does the kind count a container that does not mention the resource as if it did? What is
 * requested for the pod as a whole, if that mentions the resource, may stand above it. */
static bool fills_in(enum requests_kind kind, const struct requests_question *asked)
{
    if (kind == REQUESTS_HELD_MOST)
        return !asked->whole || !total(asked).there;
    return kind == REQUESTS_SCORED;
}

bool pod_request(const struct features *features, const struct pod *pod, const char *name,
                 enum requests_kind kind, struct quantity *quantity)
{
    const bool held = kind == REQUESTS_HELD || kind == REQUESTS_HELD_MOST;
    struct requests_question asked = {
        .features = features,
        .pod = pod,
        .name = name,
        .resized = held && features->resize_in_place,
        .whole = kind != REQUESTS_SCORED && pod_has_own_requests(features, pod),
    };
    asked.infeasible = asked.resized && resize_is_infeasible(pod);
    if (fills_in(kind, &asked)) {
        asked.fallback = nonzero(name);
        asked.sidecars_apart = held && !features->nonzero_counts_sidecars;
    }
    const struct mention found = total(&asked);
    *quantity = found.quantity;
    return found.there;
}

bool pod_own_request(const struct features *features, const struct pod *pod, const char *name,
                     struct quantity *quantity)
{
    const struct requests_question asked = {.features = features, .pod = pod, .name = name};
    if (!pod_has_own_requests(features, pod) || !resource_is_of_pods(name))
        return false;
    const struct mention own = pod_own(&asked);
    *quantity = own.quantity;
    return own.there;
}
