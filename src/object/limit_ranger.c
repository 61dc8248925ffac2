/* SPDX-License-Identifier: Apache-2.0 */
/*
 * LimitRanger (plugin/pkg/admission/limitranger). A bound on containers counts for each container
 * and init container. A bound on pods counts for the sum over the containers, where a resource
 * that one of them does not name is missing in the sum, or for the largest init container.
 */
#include "object/limit_ranger.h"

#include "object/schemas.h"

#include <string.h>

/* Above this many units a quantity in thousandths does not fit an int64. */
enum { MILLI = 1000 };
static const int64_t MOST_IN_MILLI = INT64_MAX / MILLI;

static bool is_of_type(const struct limit_range_item *item, const char *type)
{
    return item->type && strcmp(item->type, type) == 0;
}

/* Adds what the list does not have, and gives the names of it: "cpu, memory"; NULL: nothing. */
static const char *complete_list(struct arena *arena, struct resource_list *list,
                                 const struct resource_list *defaults)
{
    const char *added = NULL;
    for (uint32_t i = 0; i < defaults->count; i++)
        if (!resource_list_find(list, defaults->items[i].name))
            added = arena_printf(arena, "%s%s%s", added ? added : "", added ? ", " : "",
                                 defaults->items[i].name);
    resource_list_complete(arena, list, defaults);
    return added;
}

/* A text that grows by parts with "; " between them. */
static void add_part(struct arena *arena, const char **text, const char *added, const char *what,
                     const char *container)
{
    if (added)
        *text = arena_printf(arena, "%s%s%s %s %s",
                             *text ? *text : "LimitRanger plugin set: ", *text ? "; " : "", added,
                             what, container);
}

static void complete_containers(struct arena *arena, struct container *containers, uint32_t count,
                                const struct resource_requirements *defaults, bool init,
                                const char **text)
{
    for (uint32_t i = 0; i < count; i++) {
        struct container *container = &containers[i];
        const char *limits = complete_list(arena, &container->resources.limits, &defaults->limits);
        const char *requests =
            complete_list(arena, &container->resources.requests, &defaults->requests);
        add_part(arena, text, requests,
                 init ? "request for init container" : "request for container", container->name);
        add_part(arena, text, limits, init ? "limit for init container" : "limit for container",
                 container->name);
    }
}

const char *limit_range_complete(struct arena *arena, const struct limit_range *range,
                                 struct pod_spec *spec)
{
    struct resource_requirements defaults = {0};
    const char *text = NULL;
    /* Of several limits for containers the last one sets a value. */
    for (uint32_t i = range->limit_count; i-- > 0;) {
        if (!is_of_type(&range->limits[i], "Container"))
            continue;
        resource_list_complete(arena, &defaults.limits, &range->limits[i].default_limit);
        resource_list_complete(arena, &defaults.requests, &range->limits[i].default_request);
    }
    complete_containers(arena, spec->containers, spec->container_count, &defaults, false, &text);
    complete_containers(arena, spec->init_containers, spec->init_container_count, &defaults, true,
                        &text);
    return text;
}

/* One resource of what is judged against one bound. */
struct judged_resource {
    struct arena *arena;
    const char *name;
    const char *type; /* "Container" or "Pod" */
    struct quantity bound;
    const struct quantity *request; /* NULL: none is given */
    const struct quantity *limit;
    limit_messages *messages;
};

/* Upstream compares in thousandths if all three fit, and in whole units otherwise. */
static bool in_milli(const struct judged_resource *judged)
{
    return quantity_value(judged->bound) <= MOST_IN_MILLI &&
           (!judged->request || quantity_value(*judged->request) <= MOST_IN_MILLI) &&
           (!judged->limit || quantity_value(*judged->limit) <= MOST_IN_MILLI);
}

static int64_t units(const struct judged_resource *judged, struct quantity quantity)
{
    return in_milli(judged) ? quantity_milli_value(quantity) : quantity_value(quantity);
}

static void add_message(const struct judged_resource *judged, const char *message)
{
    for (uint32_t i = 0; i < judged->messages->count; i++)
        if (strcmp(judged->messages->items[i], message) == 0)
            return;
    VEC_PUSH(judged->arena, judged->messages, message);
}

/* "minimum cpu usage per Pod is 1", and then what is wrong. */
static void add_bound(const struct judged_resource *judged, const char *which, const char *wrong,
                      const struct quantity *found)
{
    add_message(judged,
                arena_printf(judged->arena, "%s %s usage per %s is %s%s%s", which, judged->name,
                             judged->type, quantity_format_text(judged->arena, judged->bound),
                             wrong, found ? quantity_format_text(judged->arena, *found) : ""));
}

static void judge_min(const struct judged_resource *judged)
{
    const int64_t bound = units(judged, judged->bound);
    if (!judged->request)
        add_bound(judged, "minimum", ".  No request is specified", NULL);
    else if (units(judged, *judged->request) < bound)
        add_bound(judged, "minimum", ", but request is ", judged->request);
    else if (judged->limit && units(judged, *judged->limit) < bound)
        add_bound(judged, "minimum", ", but limit is ", judged->limit);
}

static void judge_max(const struct judged_resource *judged)
{
    const int64_t bound = units(judged, judged->bound);
    if (!judged->limit)
        add_bound(judged, "maximum", ".  No limit is specified", NULL);
    else if (units(judged, *judged->limit) > bound)
        add_bound(judged, "maximum", ", but limit is ", judged->limit);
    else if (judged->request && units(judged, *judged->request) > bound)
        add_bound(judged, "maximum", ", but request is ", judged->request);
}

static void add_ratio(const struct judged_resource *judged, const char *wrong)
{
    add_message(judged,
                arena_printf(judged->arena, "%s max limit to request ratio per %s is %s, but %s",
                             judged->name, judged->type,
                             quantity_format_text(judged->arena, judged->bound), wrong));
}

static void judge_ratio(const struct judged_resource *judged)
{
    if (!judged->request || units(judged, *judged->request) == 0) {
        add_ratio(judged, "no request is specified or request is 0");
        return;
    }
    if (!judged->limit || units(judged, *judged->limit) == 0) {
        add_ratio(judged, "no limit is specified or limit is 0");
        return;
    }
    const double found =
        (double)units(judged, *judged->limit) / (double)units(judged, *judged->request);
    const bool exceeds = quantity_value(judged->bound) <= MOST_IN_MILLI
                             ? found * MILLI > (double)quantity_milli_value(judged->bound)
                             : found > (double)quantity_value(judged->bound);
    if (exceeds)
        add_ratio(judged, arena_printf(judged->arena, "provided ratio is %f", found));
}

/* The bounds of one kind on what has these resources. */
static void judge_kind(struct arena *arena, const struct limit_range_item *item,
                       const struct resource_list *bounds,
                       void (*judge)(const struct judged_resource *judged),
                       const struct resource_requirements *resources, limit_messages *messages)
{
    for (uint32_t i = 0; i < bounds->count; i++) {
        const struct resource *bound = &bounds->items[i];
        judge(&(struct judged_resource){
            .arena = arena,
            .name = bound->name,
            .type = item->type,
            .bound = bound->quantity,
            .request = resource_list_find(&resources->requests, bound->name),
            .limit = resource_list_find(&resources->limits, bound->name),
            .messages = messages,
        });
    }
}

static void judge_bounds(struct arena *arena, const struct limit_range_item *item,
                         const struct resource_requirements *resources, limit_messages *messages)
{
    judge_kind(arena, item, &item->min, judge_min, resources, messages);
    judge_kind(arena, item, &item->max, judge_max, resources, messages);
    judge_kind(arena, item, &item->max_limit_request_ratio, judge_ratio, resources, messages);
}

static const struct resource_list *list_of(const struct container *container, bool limits)
{
    return limits ? &container->resources.limits : &container->resources.requests;
}

/* The total of a resource over the pod; false: neither all containers nor an init
 * container name it. Each part is rounded up, cpu to thousandths and all else to units, and the
 * sum is written without binary suffixes. */
static bool pod_total_of_all(const struct pod_spec *spec, const char *name, bool limits,
                             struct quantity *total)
{
    bool found = spec->container_count > 0;
    *total = quantity_of(0);
    for (uint32_t i = 0; i < spec->container_count && found; i++) {
        const struct quantity *one =
            resource_list_find(list_of(&spec->containers[i], limits), name);
        found = one != NULL;
        if (one)
            *total = quantity_add(*total, strcmp(name, "cpu") == 0
                                              ? quantity_of_milli(quantity_milli_value(*one))
                                              : quantity_of(quantity_value(*one)));
    }
    for (uint32_t i = 0; i < spec->init_container_count; i++) {
        const struct quantity *one =
            resource_list_find(list_of(&spec->init_containers[i], limits), name);
        if (one && (!found || quantity_compare(*one, *total) > 0))
            *total = *one;
        found |= one != NULL;
    }
    return found;
}

/* An amount that may not be there. */
struct total_part {
    bool there;
    struct quantity quantity;
};

static struct total_part part_of(const struct resource_list *list, const char *name)
{
    const struct quantity *found = resource_list_find(list, name);
    return (struct total_part){found != NULL, found ? *found : quantity_of(0)};
}

static struct total_part plus(struct total_part one, struct total_part other)
{
    if (!one.there || !other.there)
        return one.there ? one : other;
    return (struct total_part){true, quantity_add(one.quantity, other.quantity)};
}

static struct total_part larger(struct total_part one, struct total_part other)
{
    if (!one.there || !other.there)
        return one.there ? one : other;
    return quantity_compare(one.quantity, other.quantity) >= 0 ? one : other;
}

/* Sidecars run beside all containers that come after them. */
static bool pod_total_of_some(const struct pod_spec *spec, const char *name, enum pod_totals rule,
                              bool limits, struct quantity *total)
{
    struct total_part sum = {0};
    struct total_part sidecars = {0};
    struct total_part most = {0};
    for (uint32_t i = 0; i < spec->container_count; i++)
        sum = plus(sum, part_of(list_of(&spec->containers[i], limits), name));
    for (uint32_t i = 0; i < spec->init_container_count; i++) {
        const struct container *container = &spec->init_containers[i];
        const struct total_part own = part_of(list_of(container, limits), name);
        const struct total_part during = plus(sidecars, own);
        if (rule >= POD_TOTALS_OF_SIDECARS && container->restart_policy &&
            strcmp(container->restart_policy, "Always") == 0) {
            sum = plus(sum, own);
            sidecars = during;
        }
        most = larger(most, during);
    }
    struct total_part whole = larger(sum, most);
    if (rule >= POD_TOTALS_OF_PODS && spec->resources && resource_is_of_pods(name)) {
        const struct total_part given =
            part_of(limits ? &spec->resources->limits : &spec->resources->requests, name);
        whole = given.there ? given : whole;
    }
    *total = whole.quantity;
    return whole.there;
}

/* The totals of the resources that the item has bounds on. */
static struct resource_list pod_totals(struct arena *arena, const struct pod_spec *spec,
                                       const struct limit_range_item *item, enum pod_totals rule,
                                       bool limits)
{
    struct resource_list names = {0};
    resource_list_complete(arena, &names, &item->min);
    resource_list_complete(arena, &names, &item->max);
    resource_list_complete(arena, &names, &item->max_limit_request_ratio);
    struct resource_list totals = {.items = ARENA_ARRAY(arena, struct resource, names.count + 1)};
    for (uint32_t i = 0; i < names.count; i++) {
        struct resource *total = &totals.items[totals.count];
        total->name = names.items[i].name;
        totals.count += rule == POD_TOTALS_OF_ALL
                            ? pod_total_of_all(spec, total->name, limits, &total->quantity)
                            : pod_total_of_some(spec, total->name, rule, limits, &total->quantity);
    }
    return totals;
}

static void judge_containers(struct arena *arena, const struct limit_range_item *item,
                             const struct container *containers, uint32_t count,
                             limit_messages *messages)
{
    for (uint32_t i = 0; i < count; i++)
        judge_bounds(arena, item, &containers[i].resources, messages);
}

void limit_range_judge(struct arena *arena, const struct limit_range *range,
                       const struct pod_spec *spec, enum pod_totals rule, limit_messages *messages)
{
    for (uint32_t i = 0; i < range->limit_count; i++) {
        const struct limit_range_item *item = &range->limits[i];
        if (is_of_type(item, "Container")) {
            judge_containers(arena, item, spec->containers, spec->container_count, messages);
            judge_containers(arena, item, spec->init_containers, spec->init_container_count,
                             messages);
        } else if (is_of_type(item, "Pod")) {
            const struct resource_requirements totals = {
                .requests = pod_totals(arena, spec, item, rule, false),
                .limits = pod_totals(arena, spec, item, rule, true),
            };
            judge_bounds(arena, item, &totals, messages);
        }
    }
}

/* Of a claim there are no limits. */
static void judge_max_request(const struct judged_resource *judged)
{
    if (!judged->request)
        add_bound(judged, "maximum", ".  No request is specified", NULL);
    else if (units(judged, *judged->request) > units(judged, judged->bound))
        add_bound(judged, "maximum", ", but request is ", judged->request);
}

void limit_range_judge_claim(struct arena *arena, const struct limit_range *range,
                             const struct resource_list *requests, limit_messages *messages)
{
    const struct resource_requirements resources = {.requests = *requests};
    for (uint32_t i = 0; i < range->limit_count; i++) {
        const struct limit_range_item *item = &range->limits[i];
        if (!is_of_type(item, "PersistentVolumeClaim"))
            continue;
        judge_kind(arena, item, &item->min, judge_min, &resources, messages);
        judge_kind(arena, item, &item->max, judge_max_request, &resources, messages);
    }
}

static void judge_requests(struct arena *arena, const struct container *containers, uint32_t count,
                           limit_messages *messages)
{
    for (uint32_t i = 0; i < count; i++) {
        const struct resource_requirements *resources = &containers[i].resources;
        for (uint32_t r = 0; r < resources->requests.count; r++) {
            const struct resource *request = &resources->requests.items[r];
            const struct quantity *limit = resource_list_find(&resources->limits, request->name);
            const int order = limit ? quantity_compare(request->quantity, *limit) : 0;
            const bool overcommits = resource_overcommits(request->name);
            if (order == 0 || (order < 0 && overcommits))
                continue;
            const char *message =
                arena_printf(arena, "%s: must be %s %s limit", containers[i].name,
                             overcommits ? "less than or equal to" : "equal to", request->name);
            VEC_PUSH(arena, messages, message);
        }
    }
}

void pod_requests_judge(struct arena *arena, const struct pod_spec *spec, limit_messages *messages)
{
    judge_requests(arena, spec->containers, spec->container_count, messages);
    judge_requests(arena, spec->init_containers, spec->init_container_count, messages);
}
