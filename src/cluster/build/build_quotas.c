/* SPDX-License-Identifier: Apache-2.0 */
#include "cluster/build/build_quotas.h"

#include "cluster/state/population_model.h"
#include "cluster/state/quotas.h"
#include "cluster/state/workloads.h"
#include "decide/quota/quota.h"

#include <string.h>

/* The quota as its controller has it once it has synced: spec.hard counts. */
static const struct resource_quota *synced(struct arena *arena, const struct resource_quota *given)
{
    struct resource_quota *quota = arena_copy(arena, given, sizeof(*given));
    quota->status_hard = given->hard;
    return quota;
}

static struct quota_line line_of(struct arena *arena, const struct population *population,
                                 const struct resource *hard, uint32_t number)
{
    return (struct quota_line){
        .name = hard->name,
        .number = number,
        .hard = hard->quantity.nanos,
        .uses = ARENA_ARRAY(arena, quantity_nanos, population->revisions.count + 1),
    };
}

/* What a pod of the revision is charged. */
static void charge_revision(struct population *population, struct population_quota *quota,
                            uint32_t number)
{
    struct revision *revision = &population->revisions.items[number];
    const struct pod_spec *spec = &revision->pod->spec;
    const struct features *features = &population->options.features;
    const struct quota_request request = {
        .features = features,
        .pod = spec,
        .usage = quota_pod_usage(&population->arena, features, spec, true)};
    if (strcmp(revision->pod->meta.namespace, quota->quota->meta.namespace) != 0 ||
        !quota_matches(quota->quota, &request))
        return;
    const char *unstated = quota_unstated(&population->arena, features, quota->quota, spec);
    if (unstated && !revision->refusal)
        revision->refusal = arena_printf(&population->arena, "forbidden: %s", unstated);
    for (uint32_t i = 0; i < quota->line_count; i++) {
        const struct quantity *use = resource_list_find(&request.usage, quota->lines[i].name);
        quota->lines[i].uses[number] = use ? use->nanos : 0;
        quota->charges[number] |= quota->lines[i].uses[number] > 0;
    }
}

/* Are pods of others charged to the quota, too? */
static bool is_shared(const struct population *population, uint32_t number)
{
    const struct others *others = population->options.others;
    return others && number < SHARED_QUOTAS && (others->shared_quotas >> number & 1) != 0;
}

static void keep_quota(struct population *population, const struct population_quota *quota)
{
    const bool shared = is_shared(population, quota->number);
    for (uint32_t r = 0; r < population->revisions.count; r++) {
        struct revision *revision = &population->revisions.items[r];
        revision->may_be_refused |= quota->charges[r] && !shared;
        revision->may_be_delayed |= quota->charges[r] && shared;
    }
    if (shared)
        VEC_PUSH(&population->arena, &population->shared_quotas, *quota);
    else
        VEC_PUSH(&population->arena, &population->quotas, *quota);
}

/* `first_line`: the number of its first name. */
static void add_quota(struct population *population, const struct resource_quota *given,
                      uint32_t number, uint32_t first_line)
{
    struct arena *arena = &population->arena;
    struct population_quota quota = {
        .quota = synced(arena, given),
        .lines = ARENA_ARRAY(arena, struct quota_line, given->hard.count + 1),
        .charges = ARENA_ARRAY(arena, bool, population->revisions.count + 1),
        .number = number,
    };
    for (uint32_t i = 0; i < given->hard.count; i++)
        if (quota_name_of_pods(given->hard.items[i].name))
            quota.lines[quota.line_count++] =
                line_of(arena, population, &given->hard.items[i], first_line + i);
    bool charges = false;
    for (uint32_t r = 0; r < population->revisions.count; r++) {
        charge_revision(population, &quota, r);
        charges |= quota.charges[r];
    }
    if (charges)
        keep_quota(population, &quota);
}

void add_quotas(struct population *population)
{
    const struct objects *objects = population->scope->objects;
    uint32_t quotas = 0;
    uint32_t lines = 0;
    for (uint32_t i = 0; i < objects->count; i++)
        if (objects->items[i].kind == OBJECT_RESOURCE_QUOTA) {
            const struct resource_quota *quota = objects->items[i].as.resource_quota;
            add_quota(population, quota, quotas++, lines);
            lines += quota->hard.count;
        }
}
