/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What a pod means to the scheduler, worked out once for each shape.
 *
 * Mirrors pkg/scheduler/framework/types.go (calculateResource, newAffinityTerm)
 * and pkg/scheduler/util/pod_resources.go of v1.26.15, with the sidecars of
 * later versions behind their feature.
 */
#include "model/pod_shape.h"

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

static void amounts_raise_to(struct catalog *catalog, struct amounts *amounts,
                             const struct amounts *other)
{
    if (other->cpu_milli > amounts->cpu_milli)
        amounts->cpu_milli = other->cpu_milli;
    if (other->memory > amounts->memory)
        amounts->memory = other->memory;
    if (other->ephemeral_storage > amounts->ephemeral_storage)
        amounts->ephemeral_storage = other->ephemeral_storage;
    for (uint32_t i = 0; i < other->scalar_count; i++) {
        int64_t *amount =
            amount_of(catalog, amounts, catalog->resources.items[other->scalars[i].resource]);
        if (other->scalars[i].amount > *amount)
            *amount = other->scalars[i].amount;
    }
}

static struct amounts amounts_copy(struct catalog *catalog, const struct amounts *amounts)
{
    struct amounts copy = *amounts;
    if (copy.scalar_count > 0)
        copy.scalars = arena_copy(catalog->arena, amounts->scalars,
                                  amounts->scalar_count * sizeof(*amounts->scalars));
    return copy;
}

int64_t amounts_scalar(const struct amounts *amounts, uint32_t resource)
{
    for (uint32_t i = 0; i < amounts->scalar_count; i++)
        if (amounts->scalars[i].resource == resource)
            return amounts->scalars[i].amount;
    return 0;
}

bool container_is_sidecar(const struct catalog *catalog, const struct container *container)
{
    return catalog->features.sidecar_containers && container->restart_policy &&
           strcmp(container->restart_policy, "Always") == 0;
}

/* Adds what one container asks for, in the way the caller wants it counted. */
typedef void count_container(struct catalog *catalog, const struct container *container,
                             struct amounts *amounts);

static void count_requests(struct catalog *catalog, const struct container *container,
                           struct amounts *amounts)
{
    amounts_add_list(catalog, amounts, &container->resources.requests);
}

static void count_nonzero(struct catalog *catalog, const struct container *container,
                          struct amounts *amounts)
{
    (void)catalog;
    const struct resource_list *requests = &container->resources.requests;
    const struct quantity *cpu = resource_list_find(requests, "cpu");
    const struct quantity *memory = resource_list_find(requests, "memory");
    amounts->cpu_milli += cpu ? quantity_milli_value(*cpu) : NONZERO_CPU_MILLI;
    amounts->memory += memory ? quantity_value(*memory) : nonzero_memory;
}

/*
 * The sum over the containers, or what any init container needs if that is
 * more. A sidecar runs from its start on: it adds to everything that comes
 * after it, and to the init containers after it.
 */
static struct amounts sum_containers(struct catalog *catalog, const struct pod_spec *spec,
                                     count_container *count)
{
    struct amounts sum = {0};
    for (uint32_t i = 0; i < spec->container_count; i++)
        count(catalog, &spec->containers[i], &sum);

    struct amounts sidecars = {0};
    struct amounts most = {0};
    for (uint32_t i = 0; i < spec->init_container_count; i++) {
        const struct container *container = &spec->init_containers[i];
        struct amounts during = amounts_copy(catalog, &sidecars);
        count(catalog, container, &during);
        if (container_is_sidecar(catalog, container)) {
            count(catalog, container, &sum);
            sidecars = amounts_copy(catalog, &during);
        }
        amounts_raise_to(catalog, &most, &during);
    }
    amounts_raise_to(catalog, &sum, &most);
    return sum;
}

void catalog_pod_requests(struct catalog *catalog, const struct pod *pod, struct amounts *requests)
{
    *requests = sum_containers(catalog, &pod->spec, count_requests);
    amounts_add_list(catalog, requests, &pod->spec.overhead);
}

static void shape_nonzero_requests(struct catalog *catalog, struct pod_shape *shape)
{
    struct amounts sum = sum_containers(catalog, &shape->pod->spec, count_nonzero);
    const struct quantity *cpu = resource_list_find(&shape->pod->spec.overhead, "cpu");
    const struct quantity *memory = resource_list_find(&shape->pod->spec.overhead, "memory");
    shape->nonzero_cpu_milli = sum.cpu_milli + (cpu ? quantity_milli_value(*cpu) : 0);
    shape->nonzero_memory = sum.memory + (memory ? quantity_value(*memory) : 0);
}

static void shape_host_ports(struct catalog *catalog, struct pod_shape *shape)
{
    const struct pod_spec *spec = &shape->pod->spec;
    VEC(struct container_port) ports = {0};
    for (uint32_t c = 0; c < spec->container_count; c++)
        for (uint32_t p = 0; p < spec->containers[c].port_count; p++)
            if (spec->containers[c].ports[p].host_port > 0)
                VEC_PUSH(catalog->arena, &ports, spec->containers[c].ports[p]);
    for (uint32_t c = 0; c < spec->init_container_count; c++) {
        if (!container_is_sidecar(catalog, &spec->init_containers[c]) ||
            !catalog->features.sidecar_ports)
            continue;
        for (uint32_t p = 0; p < spec->init_containers[c].port_count; p++)
            if (spec->init_containers[c].ports[p].host_port > 0)
                VEC_PUSH(catalog->arena, &ports, spec->init_containers[c].ports[p]);
    }
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
    shape_nonzero_requests(catalog, shape);
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
