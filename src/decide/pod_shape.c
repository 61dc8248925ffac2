/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What the scheduler reads of a pod, computed once for each shape.
 *
 * Mirrors pkg/scheduler/framework/types.go (calculateResource, newAffinityTerm),
 * pkg/scheduler/util/pod_resources.go and pkg/scheduler/util/utils.go
 * (GetHostPorts) of v1.26.15, with what later versions count behind features.
 */
#include "decide/pod_shape.h"

#include "decide/pod_requests.h"

#include <stdlib.h>
#include <string.h>

bool resource_is_scalar(const char *name)
{
    if (strncmp(name, "hugepages-", 10) == 0 || strncmp(name, "attachable-volumes-", 19) == 0)
        return true;
    return strchr(name, '/') != NULL && strncmp(name, "requests.", 9) != 0;
}

/* The amount of a resource by its name; NULL for what the scheduler ignores. */
static int64_t *amount_of(struct catalog *catalog, struct amounts *amounts, const char *name)
{
    if (strcmp(name, "cpu") == 0)
        return &amounts->cpu_milli;
    if (strcmp(name, "memory") == 0)
        return &amounts->memory;
    if (strcmp(name, "ephemeral-storage") == 0)
        return &amounts->ephemeral_storage;
    if (!resource_is_scalar(name))
        return NULL;
    uint32_t resource = catalog_resource(catalog, name);
    uint32_t at = 0;
    while (at < amounts->scalar_count &&
           strcmp(catalog->resources.items[amounts->scalars[at].resource], name) < 0)
        at++;
    if (at < amounts->scalar_count && amounts->scalars[at].resource == resource)
        return &amounts->scalars[at].amount;
    struct scalar_amount *grown =
        ARENA_ARRAY(catalog->arena, struct scalar_amount, amounts->scalar_count + 1);
    if (amounts->scalar_count > 0) {
        memcpy(grown, amounts->scalars, at * sizeof(*grown));
        memcpy(grown + at + 1, amounts->scalars + at,
               (amounts->scalar_count - at) * sizeof(*grown));
    }
    grown[at].resource = resource;
    amounts->scalars = grown;
    amounts->scalar_count++;
    return &grown[at].amount;
}

static int64_t quantity_in_unit(const char *name, struct quantity quantity)
{
    return strcmp(name, "cpu") == 0 ? quantity_milli_value(quantity) : quantity_value(quantity);
}

void amounts_add_list(struct catalog *catalog, struct amounts *amounts,
                      const struct resource_list *list)
{
    for (uint32_t i = 0; i < list->count; i++) {
        int64_t *amount = amount_of(catalog, amounts, list->items[i].name);
        if (amount)
            *amount += quantity_in_unit(list->items[i].name, list->items[i].quantity);
    }
}

int64_t amounts_scalar(const struct amounts *amounts, uint32_t resource)
{
    for (uint32_t i = 0; i < amounts->scalar_count; i++)
        if (amounts->scalars[i].resource == resource)
            return amounts->scalars[i].amount;
    return 0;
}

struct naming {
    struct catalog *catalog;
    const struct pod *pod;
    enum requests_kind kind;
    struct amounts *requests;
};

static void add_request(void *context, const char *name)
{
    const struct naming *naming = context;
    struct quantity quantity;
    if (!pod_request(&naming->catalog->features, naming->pod, name, naming->kind, &quantity))
        return;
    int64_t *amount = amount_of(naming->catalog, naming->requests, name);
    if (amount)
        *amount = quantity_in_unit(name, quantity);
}

static void add_requests(struct catalog *catalog, const struct pod *pod, enum requests_kind kind,
                         struct amounts *requests)
{
    struct naming naming = {catalog, pod, kind, requests};
    *requests = (struct amounts){0};
    pod_request_names(pod, add_request, &naming);
}

void catalog_pod_requests(struct catalog *catalog, const struct pod *pod, struct amounts *requests)
{
    add_requests(catalog, pod, REQUESTS_HELD, requests);
}

static int64_t request_of(const struct catalog *catalog, const struct pod *pod, const char *name,
                          enum requests_kind kind)
{
    struct quantity quantity;
    pod_request(&catalog->features, pod, name, kind, &quantity);
    return quantity_in_unit(name, quantity);
}

/* May the status say something else than the spec? */
static bool is_resized(const struct features *features, const struct pod_status *status)
{
    bool told = status->resources != NULL;
    for (uint32_t i = 0; i < status->container_status_count; i++)
        told |= status->container_statuses[i].resources != NULL;
    for (uint32_t i = 0; i < status->init_container_status_count; i++)
        told |= status->init_container_statuses[i].resources != NULL;
    return told && features->resize_in_place;
}

static void shape_requests(struct catalog *catalog, struct pod_shape *shape)
{
    const struct pod *pod = shape->pod;
    const bool resized = is_resized(&catalog->features, &pod->status);
    catalog_pod_requests(catalog, pod, &shape->requests);
    if (resized)
        add_requests(catalog, pod, REQUESTS_ASKED, &shape->asked);
    else
        shape->asked = shape->requests;
    shape->nonzero_cpu_milli = request_of(catalog, pod, "cpu", REQUESTS_HELD_MOST);
    shape->nonzero_memory = request_of(catalog, pod, "memory", REQUESTS_HELD_MOST);
    shape->scored_cpu_milli = shape->nonzero_cpu_milli;
    shape->scored_memory = shape->nonzero_memory;
    /* All that the two kinds differ in. */
    if (resized || pod->spec.init_container_count > 0 ||
        pod_has_own_requests(&catalog->features, pod)) {
        shape->scored_cpu_milli = request_of(catalog, pod, "cpu", REQUESTS_SCORED);
        shape->scored_memory = request_of(catalog, pod, "memory", REQUESTS_SCORED);
    }
}

static uint32_t host_ports_of(const struct container *container, struct container_port *ports)
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < container->port_count; i++)
        if (container->ports[i].host_port > 0) {
            if (ports)
                ports[count] = container->ports[i];
            count++;
        }
    return count;
}

/* Puts the ports of all containers that keep running into `ports`, if it is not NULL; how many. */
static uint32_t collect_host_ports(const struct features *features, const struct pod_spec *spec,
                                   struct container_port *ports)
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < spec->init_container_count; i++)
        if (features->sidecar_host_ports &&
            container_is_sidecar(features, &spec->init_containers[i]))
            count += host_ports_of(&spec->init_containers[i], ports ? ports + count : NULL);
    for (uint32_t i = 0; i < spec->container_count; i++)
        count += host_ports_of(&spec->containers[i], ports ? ports + count : NULL);
    return count;
}

static void shape_host_ports(struct catalog *catalog, struct pod_shape *shape)
{
    const struct pod_spec *spec = &shape->pod->spec;
    shape->host_port_count = collect_host_ports(&catalog->features, spec, NULL);
    if (shape->host_port_count == 0)
        return;
    shape->host_ports = ARENA_ARRAY(catalog->arena, struct container_port, shape->host_port_count);
    collect_host_ports(&catalog->features, spec, shape->host_ports);
}

/* Adds a requirement `key (not) in (the pod's value)` for each key that the pod has. */
static const struct label_selector *selector_with_keys(struct catalog *catalog,
                                                       const struct label_selector *selector,
                                                       const struct string_list *keys,
                                                       enum selector_operator operator,
                                                       const struct labels * labels)
{
    if (!selector || keys->count == 0)
        return selector;
    struct label_selector *grown = ARENA_NEW(catalog->arena, struct label_selector);
    *grown = *selector;
    grown->match_expressions = ARENA_ARRAY(catalog->arena, struct selector_requirement,
                                           selector->match_expression_count + keys->count);
    if (selector->match_expression_count > 0)
        memcpy(grown->match_expressions, selector->match_expressions,
               selector->match_expression_count * sizeof(*grown->match_expressions));
    for (uint32_t i = 0; i < keys->count; i++) {
        const char *value = labels_find(labels, keys->items[i]);
        if (!value)
            continue;
        const char **values = ARENA_NEW(catalog->arena, const char *);
        values[0] = value;
        grown->match_expressions[grown->match_expression_count++] = (struct selector_requirement){
            .key = keys->items[i], .operator= operator, .values = {values, 1} };
    }
    return grown;
}

const struct label_selector *selector_with_label_keys(struct catalog *catalog,
                                                      const struct label_selector *selector,
                                                      const struct string_list *keys,
                                                      const struct labels *labels)
{
    return selector_with_keys(catalog, selector, keys, SELECTOR_IN, labels);
}

static struct affinity_term compile_term(struct catalog *catalog, const struct pod *pod,
                                         const struct pod_affinity_term *term, int32_t weight)
{
    struct affinity_term compiled = {
        .topology_key = catalog_topology_key(catalog, term->topology_key),
        .selector = term->label_selector,
        .namespaces = term->namespaces,
        .namespace_selector = term->namespace_selector,
        .weight = weight,
    };
    if (catalog->features.affinity_match_label_keys) {
        compiled.selector = selector_with_keys(catalog, compiled.selector, &term->match_label_keys,
                                               SELECTOR_IN, &pod->meta.labels);
        compiled.selector =
            selector_with_keys(catalog, compiled.selector, &term->mismatch_label_keys,
                               SELECTOR_NOT_IN, &pod->meta.labels);
    }
    if (term->namespaces.count == 0 && !term->namespace_selector) {
        const char **own = ARENA_NEW(catalog->arena, const char *);
        own[0] = pod->meta.namespace;
        compiled.namespaces = (struct string_list){own, 1};
    }
    return compiled;
}

static struct affinity_terms compile_required(struct catalog *catalog, const struct pod *pod,
                                              const struct pod_affinity *affinity)
{
    struct affinity_terms terms = {0};
    if (!affinity)
        return terms;
    terms.items = ARENA_ARRAY(catalog->arena, struct affinity_term, affinity->required_count + 1);
    for (uint32_t i = 0; i < affinity->required_count; i++)
        terms.items[terms.count++] = compile_term(catalog, pod, &affinity->required[i], 0);
    return terms;
}

static struct affinity_terms compile_preferred(struct catalog *catalog, const struct pod *pod,
                                               const struct pod_affinity *affinity)
{
    struct affinity_terms terms = {0};
    if (!affinity)
        return terms;
    terms.items = ARENA_ARRAY(catalog->arena, struct affinity_term, affinity->preferred_count + 1);
    for (uint32_t i = 0; i < affinity->preferred_count; i++)
        terms.items[terms.count++] =
            compile_term(catalog, pod, &affinity->preferred[i].term, affinity->preferred[i].weight);
    return terms;
}

struct pod_shape *pod_shape_create(struct catalog *catalog, const struct pod *pod)
{
    struct pod_shape *shape = ARENA_NEW(catalog->arena, struct pod_shape);
    shape->pod = pod;
    shape->priority = pod->spec.priority.set ? (int32_t)pod->spec.priority.value : 0;
    shape->preempts = pod->spec.preemption_policy != PREEMPT_NEVER;
    shape_requests(catalog, shape);
    shape_host_ports(catalog, shape);
    const struct affinity *affinity = pod->spec.affinity;
    if (affinity) {
        shape->required_affinity = compile_required(catalog, pod, affinity->pod_affinity);
        shape->required_anti_affinity = compile_required(catalog, pod, affinity->pod_anti_affinity);
        shape->preferred_affinity = compile_preferred(catalog, pod, affinity->pod_affinity);
        shape->preferred_anti_affinity =
            compile_preferred(catalog, pod, affinity->pod_anti_affinity);
    }
    return shape;
}
