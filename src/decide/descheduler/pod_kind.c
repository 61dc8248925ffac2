/* SPDX-License-Identifier: Apache-2.0 */
#include "decide/descheduler/pod_kind.h"

#include "decide/fingerprint.h"
#include "decide/pod_fingerprint.h"

#include <string.h>

#define EVICT_ANNOTATION "descheduler.alpha.kubernetes.io/evict"

/* Below every priority that a pod can have. */
#define PRIORITY_ABSENT (-(INT64_C(1) << 40))

void resource_names_init(struct resource_names *names, struct arena *arena)
{
    *names = (struct resource_names){.arena = arena};
    map_init(&names->numbers, arena);
    resource_names_number(names, "cpu");
    resource_names_number(names, "memory");
}

uint32_t resource_names_number(struct resource_names *names, const char *name)
{
    struct map_entry *entry = map_put(&names->numbers, name);
    if (!entry->value) {
        VEC_PUSH(names->arena, &names->names, name);
        entry->value = (void *)(uintptr_t)names->names.count;
    }
    return (uint32_t)((uintptr_t)entry->value - 1);
}

int64_t resource_amount(uint32_t resource, struct quantity quantity)
{
    return resource == RESOURCE_CPU ? quantity_milli_value(quantity) : quantity_value(quantity);
}

/* ---- requests ---- */

typedef VEC(struct resource) resource_vec;

static struct quantity *sum_of(struct arena *arena, resource_vec *sums, const char *name,
                               bool *is_new)
{
    *is_new = false;
    for (uint32_t i = 0; i < sums->count; i++)
        if (strcmp(sums->items[i].name, name) == 0)
            return &sums->items[i].quantity;
    *is_new = true;
    const struct resource sum = {.name = name};
    VEC_PUSH(arena, sums, sum);
    return &sums->items[sums->count - 1].quantity;
}

static void add_list(struct arena *arena, resource_vec *sums, const struct resource_list *list)
{
    bool is_new;
    for (uint32_t i = 0; i < list->count; i++) {
        struct quantity *sum = sum_of(arena, sums, list->items[i].name, &is_new);
        *sum = is_new ? list->items[i].quantity : quantity_add(*sum, list->items[i].quantity);
    }
}

static void raise_to_list(struct arena *arena, resource_vec *sums, const struct resource_list *list)
{
    bool is_new;
    for (uint32_t i = 0; i < list->count; i++) {
        struct quantity *sum = sum_of(arena, sums, list->items[i].name, &is_new);
        if (is_new || quantity_compare(list->items[i].quantity, *sum) > 0)
            *sum = list->items[i].quantity;
    }
}

static void fill_requests(struct arena *arena, struct resource_names *names, struct pod_kind *kind)
{
    const struct pod_spec *spec = &kind->pod->spec;
    resource_vec sums = {0};
    for (uint32_t i = 0; i < spec->container_count; i++)
        add_list(arena, &sums, &spec->containers[i].resources.requests);
    for (uint32_t i = 0; i < spec->init_container_count; i++)
        raise_to_list(arena, &sums, &spec->init_containers[i].resources.requests);
    resource_vec loads = {0};
    for (uint32_t i = 0; i < sums.count; i++)
        VEC_PUSH(arena, &loads, sums.items[i]);
    add_list(arena, &loads, &spec->overhead);

    kind->requests = ARENA_ARRAY(arena, struct kind_request, loads.count + 1);
    for (uint32_t i = 0; i < loads.count; i++) {
        struct kind_request *request = &kind->requests[kind->request_count++];
        request->resource = resource_names_number(names, loads.items[i].name);
        request->amount = resource_amount(request->resource, loads.items[i].quantity);
        const bool something = i < sums.count && sums.items[i].quantity.nanos != 0;
        request->moved = something ? request->amount : 0;
    }
}

/* ---- quality of service ---- */

struct quality_sums {
    struct quantity requests[2]; /* cpu, memory */
    struct quantity limits[2];
    bool limited; /* every container has a limit for both */
};

static void add_container(struct quality_sums *sums, const struct container *container)
{
    static const char *const names[2] = {"cpu", "memory"};
    for (int i = 0; i < 2; i++) {
        const struct quantity *request =
            resource_list_find(&container->resources.requests, names[i]);
        const struct quantity *limit = resource_list_find(&container->resources.limits, names[i]);
        if (request && request->nanos > 0)
            sums->requests[i] = quantity_add(sums->requests[i], *request);
        if (limit && limit->nanos > 0)
            sums->limits[i] = quantity_add(sums->limits[i], *limit);
        else
            sums->limited = false;
    }
}

static enum pod_quality quality_of(const struct pod_spec *spec)
{
    struct quality_sums sums = {.limited = true};
    for (uint32_t i = 0; i < spec->container_count; i++)
        add_container(&sums, &spec->containers[i]);
    for (uint32_t i = 0; i < spec->init_container_count; i++)
        add_container(&sums, &spec->init_containers[i]);
    bool nothing = true;
    bool equal = true;
    for (int i = 0; i < 2; i++) {
        nothing = nothing && sums.requests[i].nanos == 0 && sums.limits[i].nanos == 0;
        equal = equal && quantity_compare(sums.requests[i], sums.limits[i]) == 0;
    }
    if (nothing)
        return QUALITY_BEST_EFFORT;
    return sums.limited && equal ? QUALITY_GUARANTEED : QUALITY_BURSTABLE;
}

/* ---- the kind ---- */

void pod_kind_init(struct arena *arena, struct resource_names *names, const struct pod *pod,
                   struct pod_kind *kind)
{
    const struct affinity *affinity = pod->spec.affinity;
    *kind = (struct pod_kind){
        .pod = pod,
        .finished = pod->status.phase == POD_SUCCEEDED || pod->status.phase == POD_FAILED,
        .terminating = pod->meta.deletion_time != TIME_NONE,
        .evict_annotated = labels_find(&pod->meta.annotations, EVICT_ANNOTATION) != NULL,
        .pinned = pod->spec.node_selector.count > 0 || (affinity && affinity->node_affinity),
        .quality = quality_of(&pod->spec),
        .priority_rank = pod->spec.priority.set ? pod->spec.priority.value : PRIORITY_ABSENT,
    };
    fill_requests(arena, names, kind);
}

int64_t pod_age_seconds(const struct pod *pod, int64_t now)
{
    if (pod->meta.creation_time == TIME_NONE || pod->meta.creation_time > now)
        return 0;
    return (now - pod->meta.creation_time) / NANOSECONDS_PER_SECOND;
}

static void put_statuses(struct text *text, const struct container_status *statuses, uint32_t count,
                         struct kind_readers readers)
{
    fingerprint_number(text, count);
    for (uint32_t i = 0; i < count; i++) {
        if (readers.restarts)
            fingerprint_number(text, statuses[i].restart_count);
        if (readers.reasons) {
            fingerprint_number(text, statuses[i].state);
            fingerprint_string(text, statuses[i].reason);
        }
    }
}

void pod_kind_fingerprint(struct text *text, const struct pod *pod, struct kind_readers readers)
{
    const struct condition *ready = conditions_find(&pod->status.conditions, "Ready");
    pod_fingerprint(text, pod);
    fingerprint_number(text, pod->meta.owner_count);
    for (uint32_t i = 0; i < pod->meta.owner_count; i++) {
        fingerprint_string(text, pod->meta.owners[i].kind);
        fingerprint_string(text, pod->meta.owners[i].name);
    }
    fingerprint_labels(text, &pod->meta.annotations);
    fingerprint_number(text, pod->status.phase);
    fingerprint_number(text, pod->meta.deletion_time != TIME_NONE);
    fingerprint_number(text, ready && strcmp(ready->status, "True") == 0);
    if (readers.restarts || readers.reasons) {
        put_statuses(text, pod->status.container_statuses, pod->status.container_status_count,
                     readers);
        put_statuses(text, pod->status.init_container_statuses,
                     pod->status.init_container_status_count, readers);
    }
    if (readers.reasons)
        fingerprint_string(text, pod->status.reason);
    if (readers.ages)
        fingerprint_number(text, pod->meta.creation_time);
    if (readers.names)
        fingerprint_string(text, pod->meta.name);
}
