/* SPDX-License-Identifier: Apache-2.0 */
#include "cluster/build/supports_claims.h"
#include "cluster/ask/support.h"
#include "cluster/build/claim_templates.h"
#include "decide/quota/quota.h"
#include "decide/quota/resource_math.h"
#include "decide/quota/usage.h"
#include "manifest/document.h"
#include "object/policy.h"

#include <string.h>

/* The most pods that the StatefulSet may ever want: its own number, an autoscaler's, or that of an
 * event that scales it or applies it anew. */
static int32_t replicas_most(const struct scope *scope, uint32_t workload)
{
    const struct setup_workload *of = &scope->workloads[workload];
    int32_t most = of->most;
    if (of->autoscaler && of->autoscaler->max_replicas > most)
        most = of->autoscaler->max_replicas;
    for (uint32_t e = 0; scope->check && e < scope->check->event_count; e++) {
        const struct check_event *event = &scope->check->events[e];
        for (uint32_t i = 0;
             event->kind == EVENT_SCALE && scope_find_workload(scope, &event->object) == workload &&
             i < event->to_count;
             i++)
            most = event->to[i] > most ? event->to[i] : most;
        for (uint32_t i = 0; i < scope->applied[e].count; i++) {
            const struct object *applied = &scope->applied[e].items[i];
            if (applied->kind == OBJECT_STATEFUL_SET && same_object(applied, of->object) &&
                applied->as.stateful_set->replicas > most)
                most = applied->as.stateful_set->replicas;
        }
    }
    return most;
}

/* Doubles what one claim is charged as often as the number has binary digits. */
static void charge(struct arena *arena, const struct persistent_volume_claim *claim, int32_t times,
                   struct resource_list *used)
{
    struct resource_list usage = quota_claim_usage(arena, claim);
    for (; times > 0; times /= 2) {
        if (times % 2 == 1)
            *used = resources_add(arena, used, &usage);
        usage = resources_add(arena, &usage, &usage);
    }
}

void supports_claims(const struct support *support, const struct object *quota)
{
    const struct scope *scope = support->scope;
    const char *namespace = quota->meta->namespace;
    const struct resource_list *hard = &quota->as.resource_quota->hard;
    struct resource_list used = {0};
    uint32_t competitors = 0;
    for (uint32_t w = 0; w < scope->workload_count; w++) {
        const struct object *object = scope->workloads[w].object;
        const struct value *templates = claim_templates(object);
        if (!templates || strcmp(object->meta->namespace, namespace) != 0)
            continue;
        competitors++;
        for (uint32_t t = 0; t < templates->count; t++) {
            const struct persistent_volume_claim claim =
                claim_of_template(support->arena, &templates->items[t]);
            charge(support->arena, &claim, replicas_most(scope, w), &used);
        }
    }
    for (uint32_t i = 0; competitors > 1 && i < scope->objects->count; i++) {
        const struct object *object = &scope->objects->items[i];
        if (object->kind == OBJECT_PERSISTENT_VOLUME_CLAIM &&
            strcmp(object->meta->namespace, namespace) == 0)
            charge(support->arena, object->as.persistent_volume_claim, 1, &used);
    }
    for (uint32_t i = 0; competitors > 1 && i < hard->count; i++) {
        const char *name = hard->items[i].name;
        const struct quantity *wanted =
            quota_name_of_claims(name) ? resource_list_find(&used, name) : NULL;
        if (wanted && quantity_compare(*wanted, hard->items[i].quantity) > 0)
            problem_error(support->problems, quota->place,
                          arena_printf(support->arena, "spec.hard.%s", name),
                          "the claims of %u StatefulSets may need more than this, and who of them "
                          "comes first is not modelled; nothing is verified",
                          competitors);
    }
}
