/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A StatefulSet creates the claims of a pod before the pod. Claims stay for ever, and are made in
 * the order of ordinals, so what a quota has left for a claim does not depend on the run as long as
 * one StatefulSet alone needs it, or there is enough for all. Several that need more than there is
 * are refused (supports_claims.c).
 */
#include "cluster/build/build_claims.h"
#include "cluster/build/claim_templates.h"
#include "cluster/state/population_model.h"
#include "cluster/state/workloads.h"
#include "decide/quota/quota.h"
#include "decide/quota/resource_math.h"
#include "manifest/document.h"
#include "object/limit_ranger.h"

#include <string.h>

static const struct value *templates_of(const struct workload *workload)
{
    return claim_templates(workload->setup->object);
}

/* The claim that is made for the pod; false: it is there already. */
static bool make_claim(struct population *population, const struct value *template,
                       const struct object_meta *pod, struct persistent_volume_claim *claim)
{
    const char *name = value_find_string(value_find(template, "metadata"), "name");
    *claim = claim_of_template(&population->arena, template);
    claim->meta = (struct object_meta){
        .name = arena_printf(&population->arena, "%s-%s", name ? name : "", pod->name),
        .namespace = pod->namespace,
    };
    return !objects_find(population->scope->objects, OBJECT_PERSISTENT_VOLUME_CLAIM, pod->namespace,
                         claim->meta.name);
}

/* What LimitRanges of the namespace have against the claim; NULL: nothing. */
static const char *limit_refusal(struct population *population,
                                 const struct persistent_volume_claim *claim)
{
    const struct objects *objects = population->scope->objects;
    limit_messages messages = {0};
    for (uint32_t i = 0; i < objects->count && messages.count == 0; i++)
        if (objects->items[i].kind == OBJECT_LIMIT_RANGE &&
            strcmp(objects->items[i].meta->namespace, claim->meta.namespace) == 0)
            limit_range_judge_claim(&population->arena, objects->items[i].as.limit_range,
                                    &claim->requests, &messages);
    return messages.count > 0 ? messages.items[0] : NULL;
}

/* What the claims of the workload are charged, each ordinal included. */
static void charge_workload(struct population *population, const struct workload *workload,
                            struct resource_list *used)
{
    const struct value *templates = templates_of(workload);
    for (uint32_t o = 0; templates && o < workload->ordinal_count; o++)
        for (uint32_t t = 0; t < templates->count; t++) {
            struct persistent_volume_claim claim;
            const struct revision *revision =
                &population->revisions.items[workload->first_revision + o];
            if (!make_claim(population, &templates->items[t], &revision->pod->meta, &claim))
                continue;
            const struct resource_list usage = quota_claim_usage(&population->arena, &claim);
            *used = resources_add(&population->arena, used, &usage);
        }
}

/* What the quota has used when the workload comes last. */
static struct resource_list used_by_others(struct population *population, uint32_t number)
{
    struct arena *arena = &population->arena;
    const struct objects *objects = population->scope->objects;
    const char *namespace = population->workloads.items[number].setup->object->meta->namespace;
    struct resource_list used = {0};
    for (uint32_t i = 0; i < objects->count; i++)
        if (objects->items[i].kind == OBJECT_PERSISTENT_VOLUME_CLAIM &&
            strcmp(objects->items[i].meta->namespace, namespace) == 0) {
            const struct resource_list usage =
                quota_claim_usage(arena, objects->items[i].as.persistent_volume_claim);
            used = resources_add(arena, &used, &usage);
        }
    for (uint32_t w = 0; w < population->managed_count; w++)
        if (w != number &&
            strcmp(population->workloads.items[w].setup->object->meta->namespace, namespace) == 0)
            charge_workload(population, &population->workloads.items[w], &used);
    return used;
}

/* What quotas of the namespace have against one more claim; NULL: nothing. */
static const char *quota_refusal_of(struct population *population,
                                    const struct persistent_volume_claim *claim,
                                    const struct resource_list *used)
{
    struct arena *arena = &population->arena;
    const struct objects *objects = population->scope->objects;
    const struct quota_request request = {.claim = claim, .usage = quota_claim_usage(arena, claim)};
    for (uint32_t i = 0; i < objects->count; i++) {
        if (objects->items[i].kind != OBJECT_RESOURCE_QUOTA ||
            strcmp(objects->items[i].meta->namespace, claim->meta.namespace) != 0)
            continue;
        struct resource_quota quota = *objects->items[i].as.resource_quota;
        const struct resource_quota *asked = &quota;
        struct resource_list after;
        quota.status_hard = quota.hard;
        quota.used = (struct resource_list){0};
        for (uint32_t n = 0; n < quota.hard.count; n++) {
            const struct quantity *amount = resource_list_find(used, quota.hard.items[n].name);
            resources_put(arena, &quota.used, quota.hard.items[n].name,
                          amount ? *amount : quantity_of(0));
        }
        const char *refusal = quota_admit(arena, &asked, 1, &request, &after);
        if (refusal)
            return refusal;
    }
    return NULL;
}

/* Pods of the ordinal are refused, whatever their template. */
static void refuse_ordinal(struct population *population, const struct workload *workload,
                           uint32_t ordinal, const struct persistent_volume_claim *claim,
                           const char *refusal)
{
    for (uint32_t r = ordinal; r < workload->revision_count; r += workload->ordinal_count) {
        struct revision *revision = &population->revisions.items[workload->first_revision + r];
        if (!revision->refusal)
            revision->refusal =
                arena_printf(&population->arena, "persistentvolumeclaims \"%s\" is forbidden: %s",
                             claim->meta.name, refusal);
    }
}

static void refuse_of(struct population *population, uint32_t number)
{
    const struct workload *workload = &population->workloads.items[number];
    const struct value *templates = templates_of(workload);
    if (!templates)
        return;
    struct resource_list used = used_by_others(population, number);
    for (uint32_t o = 0; o < workload->ordinal_count; o++)
        for (uint32_t t = 0; t < templates->count; t++) {
            struct persistent_volume_claim claim;
            const struct object_meta *pod =
                &population->revisions.items[workload->first_revision + o].pod->meta;
            if (!make_claim(population, &templates->items[t], pod, &claim))
                continue;
            const char *limits = limit_refusal(population, &claim);
            const char *refusal = limits ? limits : quota_refusal_of(population, &claim, &used);
            if (refusal) {
                refuse_ordinal(population, workload, o, &claim, refusal);
                break;
            }
            const struct resource_list usage = quota_claim_usage(&population->arena, &claim);
            used = resources_add(&population->arena, &used, &usage);
        }
}

/* Does any object limit claims? Otherwise it need not be known how many there are. */
static bool claims_are_limited(const struct population *population)
{
    const struct objects *objects = population->scope->objects;
    for (uint32_t i = 0; i < objects->count; i++)
        if (objects->items[i].kind == OBJECT_LIMIT_RANGE ||
            objects->items[i].kind == OBJECT_RESOURCE_QUOTA)
            return true;
    return false;
}

void refuse_claims(struct population *population)
{
    if (!claims_are_limited(population))
        return;
    /* A dump without claims says nothing of those that are there. */
    if (population->scope->start == START_OBSERVED &&
        population->catalog->surroundings.claims.count == 0)
        return;
    /* Each looks at the claims of all others. */
    for (uint32_t w = 0; w < population->managed_count && !population_must_give_up(population); w++)
        refuse_of(population, w);
}
