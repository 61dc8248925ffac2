/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What the scheduler reads of a pod, computed once for each shape.
 *
 * Mirrors pkg/scheduler/framework/types.go (calculateResource, newAffinityTerm)
 * and pkg/scheduler/util/pod_resources.go of v1.26.15, with the sidecars of
 * later versions behind their feature.
 */
#include "decide/pod_shape.h"

#include <stdlib.h>
#include <string.h>

enum { NONZERO_CPU_MILLI = 100 };
static const int64_t nonzero_memory = INT64_C(200) * 1024 * 1024;

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

bool container_restarts_always(const struct container *container)
{
    return container->restart_policy && strcmp(container->restart_policy, "Always") == 0;
}

static bool container_is_sidecar(const struct catalog *catalog, const struct container *container)
{
    return catalog->features.sidecar_containers && container_restarts_always(container);
}

static struct quantity rounded(const char *name, struct quantity quantity)
{
    return strcmp(name, "cpu") == 0 ? quantity_of_milli(quantity_milli_value(quantity))
                                    : quantity_of(quantity_value(quantity));
}

/* What a list says about a resource, rounded up as upstream does before adding. */
static struct quantity listed(const struct resource_list *list, const char *name,
                              struct quantity otherwise)
{
    const struct quantity *found = resource_list_find(list, name);
    return rounded(name, found ? *found : otherwise);
}

static struct quantity larger(struct quantity left, struct quantity right)
{
    return quantity_compare(left, right) >= 0 ? left : right;
}

/*
 * The sum over the containers, or what any init container needs if that is
 * more, and the overhead. A sidecar runs from its start on: it adds to
 * everything that comes after it.
 */
static int64_t pod_request(const struct catalog *catalog, const struct pod_spec *spec,
                           const char *name, struct quantity otherwise)
{
    const struct quantity zero = quantity_of(0);
    struct quantity sum = zero;
    struct quantity sidecars = zero;
    struct quantity most = zero;
    for (uint32_t i = 0; i < spec->container_count; i++)
        sum = quantity_add(sum, listed(&spec->containers[i].resources.requests, name, otherwise));
    for (uint32_t i = 0; i < spec->init_container_count; i++) {
        const struct container *container = &spec->init_containers[i];
        struct quantity own = listed(&container->resources.requests, name, otherwise);
        struct quantity during = quantity_add(sidecars, own);
        if (container_is_sidecar(catalog, container)) {
            sum = quantity_add(sum, own);
            sidecars = during;
        }
        most = larger(most, during);
    }
    struct quantity total = quantity_add(larger(sum, most), listed(&spec->overhead, name, zero));
    return quantity_in_unit(name, total);
}

static void add_requests(struct catalog *catalog, const struct pod_spec *spec,
                         const struct resource_list *list, struct amounts *requests)
{
    for (uint32_t i = 0; i < list->count; i++) {
        const char *name = list->items[i].name;
        int64_t *amount = amount_of(catalog, requests, name);
        if (amount)
            *amount = pod_request(catalog, spec, name, quantity_of(0));
    }
}

void catalog_pod_requests(struct catalog *catalog, const struct pod *pod, struct amounts *requests)
{
    const struct pod_spec *spec = &pod->spec;
    *requests = (struct amounts){0};
    for (uint32_t i = 0; i < spec->container_count; i++)
        add_requests(catalog, spec, &spec->containers[i].resources.requests, requests);
    for (uint32_t i = 0; i < spec->init_container_count; i++)
        add_requests(catalog, spec, &spec->init_containers[i].resources.requests, requests);
    add_requests(catalog, spec, &spec->overhead, requests);
}

static void shape_host_ports(struct catalog *catalog, struct pod_shape *shape)
{
    const struct pod_spec *spec = &shape->pod->spec;
    VEC(struct container_port) ports = {0};
    for (uint32_t c = 0; c < spec->container_count; c++)
        for (uint32_t p = 0; p < spec->containers[c].port_count; p++)
            if (spec->containers[c].ports[p].host_port > 0)
                VEC_PUSH(catalog->arena, &ports, spec->containers[c].ports[p]);
    shape->host_ports = ports.items;
    shape->host_port_count = ports.count;
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
    catalog_pod_requests(catalog, pod, &shape->requests);
    shape->nonzero_cpu_milli =
        pod_request(catalog, &pod->spec, "cpu", quantity_of_milli(NONZERO_CPU_MILLI));
    shape->nonzero_memory = pod_request(catalog, &pod->spec, "memory", quantity_of(nonzero_memory));
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
