/* SPDX-License-Identifier: Apache-2.0 */
#include "cluster/ask/quotas.h"

#include "cluster/state/config_facts.h"
#include "cluster/state/nodes.h"
#include "cluster/state/population_model.h"
#include "cluster/state/quotas.h"
#include "cluster/state/state.h"
#include "cluster/state/tally.h"
#include "cluster/state/worker.h"
#include "cluster/state/workloads.h"
#include "decide/quota/quota.h"
#include "decide/quota/resource_math.h"

/* What the pods of the state use of one name of a quota. */
static quantity_nanos used_of(struct worker *worker, const struct state *state,
                              const struct quota_line *line)
{
    quantity_nanos used = 0;
    for (uint32_t r = 0; r < worker->population->revisions.count; r++)
        used += line->uses[r] * state->pending[r];
    for (uint32_t n = 0; n < state->node_count; n++) {
        const struct config_facts *facts = config_facts(worker, state->nodes[n].config);
        const bool works = condition_traits[facts->condition].works;
        for (uint32_t p = 0; p < facts->pod_count; p++) {
            const struct revision_pods *pods = &facts->pods[p];
            used += line->uses[pods->revision] * state->nodes[n].count *
                    (pods->active + (works ? pods->terminating : 0));
        }
    }
    return used;
}

uint32_t quota_room(struct worker *worker, const struct state *state, uint32_t revision)
{
    const struct population *population = worker->population;
    uint32_t room = UINT32_MAX;
    for (uint32_t q = 0; q < population->quotas.count; q++) {
        const struct population_quota *quota = &population->quotas.items[q];
        for (uint32_t i = 0; quota->charges[revision] && i < quota->line_count; i++) {
            const struct quota_line *line = &quota->lines[i];
            if (line->uses[revision] == 0)
                continue;
            const quantity_nanos left = line->hard - used_of(worker, state, line);
            const quantity_nanos fits = left > 0 ? left / line->uses[revision] : 0;
            if (fits < room)
                room = (uint32_t)fits;
        }
    }
    return room;
}

/* The quota with what the pods of the state use of it. */
static const struct resource_quota *charged(struct worker *worker, const struct state *state,
                                            const struct population_quota *of)
{
    struct arena *arena = &worker->scratch;
    struct resource_quota *quota = arena_copy(arena, of->quota, sizeof(*quota));
    quota->used = (struct resource_list){0};
    for (uint32_t i = 0; i < quota->status_hard.count; i++)
        resources_put(arena, &quota->used, quota->status_hard.items[i].name, quantity_of(0));
    for (uint32_t i = 0; i < of->line_count; i++) {
        const struct quantity used = {
            .nanos = used_of(worker, state, &of->lines[i]),
            .format = resource_list_find(&quota->status_hard, of->lines[i].name)->format};
        resources_put(arena, &quota->used, of->lines[i].name, used);
    }
    return quota;
}

enum crowding quota_crowding(const struct population *population, uint32_t revision)
{
    const struct others *others = population->options.others;
    if (!population->revisions.items[revision].may_be_delayed)
        return CROWDING_NONE;
    for (uint32_t q = 0; q < population->shared_quotas.count; q++) {
        const struct population_quota *quota = &population->shared_quotas.items[q];
        if (quota->charges[revision] &&
            (others->unknown || (others->scarce_quotas >> quota->number & 1) != 0))
            return CROWDING_LASTING;
    }
    return CROWDING_PASSING;
}

/* The pods of the revision that do not terminate, but for those that its ReplicaSet is about to
 * delete. */
static uint32_t pods_that_stay(struct worker *worker, const struct state *state, uint32_t revision)
{
    const uint32_t active = state_active(worker, state, revision);
    const int32_t wanted = state->sets[revision].replicas;
    return wanted >= 0 && (uint32_t)wanted < active ? (uint32_t)wanted : active;
}

void note_charges(struct worker *worker, const struct state *state)
{
    const struct population *population = worker->population;
    for (uint32_t q = 0; q < population->shared_quotas.count; q++) {
        const struct population_quota *quota = &population->shared_quotas.items[q];
        for (uint32_t i = 0; i < quota->line_count; i++) {
            const struct quota_line *line = &quota->lines[i];
            quantity_nanos *most = &worker->findings.held.charged[line->number];
            quantity_nanos used = 0;
            for (uint32_t r = 0; r < population->revisions.count; r++)
                used += line->uses[r] > 0 ? line->uses[r] * pods_that_stay(worker, state, r) : 0;
            *most = used > *most ? used : *most;
        }
    }
}

const char *quota_refusal(struct worker *worker, const struct state *state, uint32_t revision)
{
    const struct population *population = worker->population;
    struct arena *arena = &worker->scratch;
    const struct pod_spec *spec = &population->revisions.items[revision].pod->spec;
    const struct features *features = &population->options.features;
    const struct quota_request request = {
        .features = features, .pod = spec, .usage = quota_pod_usage(arena, features, spec, true)};
    for (uint32_t q = 0; q < population->quotas.count; q++) {
        const struct population_quota *quota = &population->quotas.items[q];
        if (!quota->charges[revision])
            continue;
        const struct resource_quota *with_use = charged(worker, state, quota);
        struct resource_list used;
        const char *refusal = quota_admit(arena, &with_use, 1, &request, &used);
        if (refusal)
            return arena_printf(arena, "forbidden: %s", refusal);
    }
    return NULL;
}
