/* SPDX-License-Identifier: Apache-2.0 */
#include "cluster/ask/expression_pods.h"

#include "base/vec.h"
#include "cluster/state/configs.h"
#include "cluster/state/population_model.h"
#include "cluster/state/state.h"
#include "cluster/state/worker.h"
#include "cluster/state/workloads.h"
#include "decide/pod_requests.h"
#include "object/pod.h"

#include <string.h>

/* ---- bags ---- */

struct bag {
    struct arena *arena;
    struct expression_value *items;
    uint64_t *counts;
    uint32_t count;
    uint32_t capacity;
};

/* Makes room for twice as many. What is filled at once is not cleared before. */
static __attribute__((noinline)) void bag_grow(struct bag *bag)
{
    enum { FIRST = 32 };
    const uint32_t capacity = bag->capacity > 0 ? 2 * bag->capacity : FIRST;
    struct expression_value *items =
        arena_allocate_raw(bag->arena, capacity * sizeof(*items), sizeof(uint64_t));
    uint64_t *counts = arena_allocate_raw(bag->arena, capacity * sizeof(*counts), sizeof(uint64_t));
    for (uint32_t i = 0; i < bag->count; i++) {
        items[i] = bag->items[i];
        counts[i] = bag->counts[i];
    }
    bag->items = items;
    bag->counts = counts;
    bag->capacity = capacity;
}

static inline void bag_add(struct bag *bag, struct expression_value item, uint64_t count)
{
    if (count == 0)
        return;
    if (bag->count == bag->capacity)
        bag_grow(bag);
    bag->items[bag->count] = item;
    bag->counts[bag->count++] = count;
}

/* Inline, so that a function that is known does not cost a call for each pod. */
static inline struct expression_value chosen(const struct expression_cluster *cluster,
                                             struct arena *scratch, struct pod_choice choice)
{
    struct worker *worker = cluster->worker;
    const uint32_t *pending = cluster->state->pending;
    const uint32_t revision_count = worker->population->revisions.count;
    struct bag bag = {.arena = scratch};
    /* Pods that wait are what is asked for most, so that they come first. */
    for (uint32_t r = 0; r < revision_count; r++)
        if (pending[r] > 0 &&
            (!choice.wants || choice.wants(cluster, r, UINT32_MAX, choice.wanted)))
            bag_add(&bag, expression_of_object(cluster->classes->pod, r, 0), pending[r]);
    for (struct pod_walk pods = pods_of_nodes(worker, cluster->state); pods_next(&pods);) {
        const uint32_t entry = pods.info->stage == STAGE_WAITING ? UINT32_MAX : pods.entry;
        if (!choice.wants || choice.wants(cluster, pods.info->revision, entry, choice.wanted))
            bag_add(&bag, expression_of_object(cluster->classes->pod, pods.class, pods.entry + 1),
                    choice.per_node ? pods.count : (uint64_t)pods.count * pods.nodes);
    }
    return expression_of_bag(scratch, bag.items, bag.counts, bag.count);
}

struct expression_value pods_chosen(const struct expression_cluster *cluster, struct arena *scratch,
                                    struct pod_choice choice)
{
    return chosen(cluster, scratch, choice);
}

struct expression_value read_pods(void *context, struct arena *scratch)
{
    return chosen(context, scratch, (struct pod_choice){0});
}

static inline bool is_of_workload(const struct expression_cluster *cluster, uint32_t revision,
                                  uint32_t entry, uint32_t wanted)
{
    (void)entry;
    return cluster->worker->population->revisions.items[revision].workload == wanted;
}

struct expression_value workload_field_pods(void *context, struct arena *scratch,
                                            struct expression_object object)
{
    return chosen(context, scratch, (struct pod_choice){is_of_workload, object.first, false});
}

/* ---- one pod ---- */

/* NULL: it waits for a node, and its class is that of its revision. */
static const struct class_info *info_of(const struct expression_cluster *cluster,
                                        struct expression_object object)
{
    return object.second == 0 ? NULL : class_info(cluster->worker, object.first);
}

uint32_t pod_object_revision(const struct expression_cluster *cluster,
                             struct expression_object object)
{
    return object.second == 0 ? object.first : info_of(cluster, object)->revision;
}

static const struct revision *revision_of(const struct expression_cluster *cluster,
                                          struct expression_object object)
{
    return &cluster->worker->population->revisions.items[pod_object_revision(cluster, object)];
}

static const struct workload *workload_of(const struct expression_cluster *cluster,
                                          struct expression_object object)
{
    return revision_workload(cluster->worker->population, pod_object_revision(cluster, object));
}

static bool is_on_node(const struct class_info *info)
{
    return info && info->stage != STAGE_WAITING;
}

struct expression_value pod_field_labels(void *context, struct arena *scratch,
                                         struct expression_object object)
{
    return expression_of_labels(scratch, &revision_of(context, object)->pod->meta.labels);
}

struct expression_value pod_field_namespace(void *context, struct arena *scratch,
                                            struct expression_object object)
{
    (void)scratch;
    return expression_of_string(revision_of(context, object)->pod->meta.namespace);
}

/* Pods that no modelled controller has made have none. */
struct expression_value pod_field_owner(void *context, struct arena *scratch,
                                        struct expression_object object)
{
    const struct workload *workload = workload_of(context, object);
    (void)scratch;
    return workload->bystander ? expression_absent() : expression_of_string(workload->setup->name);
}

/* As the eviction API sees it: a pod that becomes ready runs from then on, one that never does runs
 * once its kubelet has admitted it. */
struct expression_value pod_field_phase(void *context, struct arena *scratch,
                                        struct expression_object object)
{
    const struct class_info *info = info_of(context, object);
    (void)scratch;
    if (!is_on_node(info) || info->stage == STAGE_BOUND)
        return expression_of_string("Pending");
    const bool runs = info->stage != STAGE_STARTING || revision_of(context, object)->never_ready;
    return expression_of_string(runs ? "Running" : "Pending");
}

struct expression_value pod_field_ready(void *context, struct arena *scratch,
                                        struct expression_object object)
{
    const struct expression_cluster *cluster = context;
    const struct class_info *info = info_of(cluster, object);
    (void)scratch;
    return expression_of_bool(
        is_on_node(info) &&
        pod_is_ready_on(cluster->worker, info, cluster->state->nodes[object.second - 1].config));
}

struct expression_value pod_field_terminating(void *context, struct arena *scratch,
                                              struct expression_object object)
{
    const struct class_info *info = info_of(context, object);
    (void)scratch;
    return expression_of_bool(info && info->stage == STAGE_TERMINATING);
}

struct expression_value pod_field_node(void *context, struct arena *scratch,
                                       struct expression_object object)
{
    const struct expression_cluster *cluster = context;
    (void)scratch;
    if (!is_on_node(info_of(cluster, object)))
        return expression_absent();
    return expression_of_object(cluster->classes->node, object.second - 1, 0);
}

/* Templates of a workload count from 1, in the order in which they come. */
struct expression_value pod_field_revision(void *context, struct arena *scratch,
                                           struct expression_object object)
{
    (void)scratch;
    return expression_of_int((int64_t)revision_of(context, object)->number + 1);
}

struct expression_value pod_field_current(void *context, struct arena *scratch,
                                          struct expression_object object)
{
    const struct expression_cluster *cluster = context;
    const struct population *population = cluster->worker->population;
    const struct revision *revision = revision_of(cluster, object);
    const uint32_t present = cluster->state->present[revision->workload];
    (void)scratch;
    return expression_of_bool(present != WORKLOAD_ABSENT &&
                              population->revisions.items[present].number == revision->number);
}

struct expression_value pod_field_priority(void *context, struct arena *scratch,
                                           struct expression_object object)
{
    (void)scratch;
    return expression_of_int(revision_of(context, object)->priority);
}

/* ---- requests ---- */

struct request_list {
    struct arena *arena;
    const struct features *features;
    const struct pod *pod;
    VEC(struct expression_value) names;
    VEC(struct expression_value) amounts;
};

static void add_request(void *context, const char *name)
{
    struct request_list *list = context;
    struct quantity quantity;
    for (uint32_t i = 0; i < list->names.count; i++)
        if (strcmp(list->names.items[i].text, name) == 0)
            return;
    if (!pod_request(list->features, list->pod, name, REQUESTS_HELD, &quantity))
        return;
    VEC_PUSH(list->arena, &list->names, expression_of_string(name));
    VEC_PUSH(list->arena, &list->amounts, expression_of_quantity(list->arena, quantity));
}

struct expression_value pod_field_requests(void *context, struct arena *scratch,
                                           struct expression_object object)
{
    const struct expression_cluster *cluster = context;
    struct request_list list = {.arena = scratch,
                                .features = &cluster->worker->population->options.features,
                                .pod = revision_of(cluster, object)->pod};
    struct expression_map *map = ARENA_NEW(scratch, struct expression_map);
    pod_request_names(list.pod, add_request, &list);
    *map = (struct expression_map){
        .keys = list.names.items, .values = list.amounts.items, .count = list.names.count};
    return (struct expression_value){.tag = VALUE_IS_MAP, .map = map};
}

const char *pod_title(void *context, struct arena *arena, struct expression_object object)
{
    const struct workload *workload = workload_of(context, object);
    return workload->bystander ? "a pod"
                               : arena_printf(arena, "a pod of %s", workload->setup->name);
}
