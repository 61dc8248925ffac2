/* SPDX-License-Identifier: Apache-2.0 */
/* Quotas: pods are charged one by one, by the admission plugin itself. */
#include "decide/quota/quota.h"
#include "decide/quota/resource_math.h"
#include "twin/twin_internal.h"

#include <string.h>

enum { QUOTAS_MOST = 4 };

struct quotas {
    const struct resource_quota *items[QUOTAS_MOST];
    uint32_t count;
};

static struct quota_request request_of(struct twin *twin, uint32_t revision)
{
    const struct pod_spec *spec = &twin->revisions[revision].pod->spec;
    return (struct quota_request){.features = &twin->features,
                                  .pod = spec,
                                  .usage =
                                      quota_pod_usage(&twin->scratch, &twin->features, spec, true)};
}

static bool is_of(const struct twin *twin, const struct resource_quota *quota, uint32_t revision)
{
    return strcmp(quota->meta.namespace, twin->revisions[revision].pod->meta.namespace) == 0 &&
           quota_matches_pod(&twin->features, quota, &twin->revisions[revision].pod->spec);
}

/* Kubelets that do not answer keep pods for longer than quotas count them. */
static bool counts(const struct twin_state *state, const struct place_of_pod *pod)
{
    return pod_is_there(pod) &&
           (pod->stage != POD_TERMINATES || pod->node == NOBODY ||
            condition_works((enum twin_condition)state->conditions[pod->node]));
}

/* The quota with what is used of it. */
static const struct resource_quota *computed(struct twin *twin, const struct twin_state *state,
                                             const struct resource_quota *given)
{
    struct resource_quota *quota = arena_copy(&twin->scratch, given, sizeof(*given));
    quota->status_hard = given->hard;
    quota->used = (struct resource_list){0};
    for (uint32_t i = 0; i < given->hard.count; i++)
        resources_put(&twin->scratch, &quota->used, given->hard.items[i].name, quantity_of(0));
    for (uint32_t p = 0; p < TWIN_PODS_MOST; p++) {
        const uint32_t revision = state->pods[p].revision;
        if (!counts(state, &state->pods[p]) || !is_of(twin, given, revision))
            continue;
        const struct quota_request request = request_of(twin, revision);
        const struct resource_list used =
            resources_mask(&twin->scratch, &request.usage, &given->hard);
        quota->used = resources_add(&twin->scratch, &quota->used, &used);
    }
    return quota;
}

static struct quotas quotas_of(struct twin *twin, const struct twin_state *state, uint32_t revision)
{
    struct quotas found = {0};
    for (uint32_t i = 0; i < twin->scope->objects->count && found.count < QUOTAS_MOST; i++) {
        const struct object *object = &twin->scope->objects->items[i];
        if (object->kind == OBJECT_RESOURCE_QUOTA &&
            is_of(twin, object->as.resource_quota, revision))
            found.items[found.count++] = computed(twin, state, object->as.resource_quota);
    }
    return found;
}

bool twin_is_charged(struct twin *twin, uint32_t revision)
{
    const struct quotas quotas = quotas_of(twin, &twin->initial, revision);
    const struct quota_request request = request_of(twin, revision);
    for (uint32_t q = 0; q < quotas.count; q++)
        for (uint32_t i = 0; i < request.usage.count; i++)
            if (request.usage.items[i].quantity.nanos > 0 &&
                resource_list_find(&quotas.items[q]->hard, request.usage.items[i].name))
                return true;
    return twin_is_guarded(twin, revision);
}

uint32_t twin_admitted(struct twin *twin, const struct twin_state *state, uint32_t revision,
                       uint32_t wanted)
{
    struct quotas quotas = quotas_of(twin, state, revision);
    const struct quota_request request = request_of(twin, revision);
    if (twin_is_kept_out(twin, state, revision))
        return 0;
    for (uint32_t admitted = 0; admitted < wanted; admitted++) {
        struct resource_list used[QUOTAS_MOST];
        if (quota_admit(&twin->scratch, quotas.items, quotas.count, &request, used))
            return admitted;
        for (uint32_t q = 0; q < quotas.count; q++) {
            struct resource_quota *charged =
                arena_copy(&twin->scratch, quotas.items[q], sizeof(*charged));
            charged->used = used[q];
            quotas.items[q] = charged;
        }
    }
    return wanted;
}

uint32_t twin_admit(struct twin_run *run, uint32_t revision, uint32_t subject, uint32_t wanted)
{
    const uint32_t admitted = twin_admitted(run->twin, run->state, revision, wanted);
    struct twin_state same = *run->state;
    if (admitted == 0)
        twin_emit(run, &same, TWIN_ACT_CREATE_REFUSED, subject,
                  run->twin->revisions[revision].workload, 0, IDLE);
    return admitted;
}

uint32_t twin_fewer(struct twin *twin, uint32_t revision, uint32_t created)
{
    return twin_is_charged(twin, revision) ? created - 1 : 0;
}
