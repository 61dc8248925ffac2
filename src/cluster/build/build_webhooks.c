/* SPDX-License-Identifier: Apache-2.0 */
#include "cluster/build/build_webhooks.h"

#include "cluster/ask/traffic.h"
#include "cluster/build/webhook_requests.h"
#include "cluster/state/actions.h"
#include "cluster/state/population_model.h"
#include "cluster/state/webhooks.h"
#include "cluster/state/workloads.h"
#include "object/object.h"

#include <string.h>

static bool lists(const struct string_list *list, const char *wanted)
{
    for (uint32_t i = 0; i < list->count; i++)
        if (strcmp(list->items[i], "*") == 0 || strcmp(list->items[i], wanted) == 0)
            return true;
    return false;
}

/* A resource may be given with its subresources: star, or pods and a star. */
static bool names_pods(const struct string_list *resources)
{
    return lists(resources, "pods") || lists(resources, "*/*") || lists(resources, "pods/*");
}

static bool is_asked_about_pods(const struct webhook *webhook)
{
    for (uint32_t i = 0; i < webhook->rule_count; i++) {
        const struct webhook_rule *rule = &webhook->rules[i];
        if (lists(&rule->operations, "CREATE") && lists(&rule->api_groups, "") &&
            lists(&rule->api_versions, "v1") && names_pods(&rule->resources) &&
            !(rule->scope && strcmp(rule->scope, "Cluster") == 0))
            return true;
    }
    return false;
}

static const struct labels *labels_of_namespace(const struct population *population,
                                                const char *name)
{
    static const struct labels none = {0};
    const struct surroundings *around = &population->catalog->surroundings;
    for (uint32_t n = 0; n < around->namespaces.count; n++)
        if (strcmp(around->namespaces.items[n]->meta.name, name) == 0)
            return &around->namespaces.items[n]->meta.labels;
    return &none;
}

/* An absent selector selects everything. */
static bool selects(const struct label_selector *selector, const struct labels *labels)
{
    return !selector || label_selector_matches(selector, labels);
}

static void add_webhook(struct population *population, const struct object_meta *meta,
                        const struct webhook *webhook)
{
    const struct object *service =
        webhook->service_name ? objects_find(population->scope->objects, OBJECT_SERVICE,
                                             webhook->service_namespace, webhook->service_name)
                              : NULL;
    if (!service || webhook->failure_policy != WEBHOOK_FAILS_CLOSED)
        return;
    struct arena *arena = &population->arena;
    struct population_webhook added = {
        .meta = meta,
        .webhook = webhook,
        .service = service->as.service,
        .guards = ARENA_ARRAY(arena, bool, population->revisions.count + 1),
        .backs = ARENA_ARRAY(arena, bool, population->revisions.count + 1),
        .covers = ARENA_ARRAY(arena, bool, population->revisions.count + 1),
        .near = ARENA_ARRAY(arena, bool, population->revisions.count + 1),
        .asked = ARENA_ARRAY(arena, uint8_t, POPULATION_ACTION_COUNT),
    };
    for (uint32_t i = 0; i < WEBHOOK_REQUEST_COUNT; i++)
        added.refuses[i] = ARENA_ARRAY(arena, bool, population->revisions.count + 1);
    const bool asked_about_pods = is_asked_about_pods(webhook);
    bool guards = false;
    bool backs = false;
    for (uint32_t r = 0; r < population->revisions.count; r++) {
        const struct object_meta *pod = &population->revisions.items[r].pod->meta;
        added.near[r] =
            selects(webhook->namespace_selector, labels_of_namespace(population, pod->namespace));
        added.covers[r] = added.near[r] && selects(webhook->object_selector, &pod->labels);
        added.guards[r] = asked_about_pods && added.covers[r];
        added.backs[r] = service_selects(added.service, pod);
        guards |= added.guards[r];
        backs |= added.backs[r];
    }
    if (backs && !population->scope->webhooks_admit_rest)
        webhook_find_requests(population, &added);
    if (!backs || !(guards || added.refuses_some || added.asks_more))
        return;
    population->webhooks_ask_more |= added.asks_more;
    VEC_PUSH(arena, &population->webhooks, added);
    for (uint32_t r = 0; r < population->revisions.count; r++)
        population->revisions.items[r].may_be_refused |= added.guards[r];
}

static void add_configuration(struct population *population,
                              const struct webhook_configuration *configuration)
{
    for (uint32_t i = 0; i < configuration->webhook_count; i++)
        add_webhook(population, &configuration->meta, &configuration->webhooks[i]);
}

void add_webhooks(struct population *population)
{
    const struct objects *objects = population->scope->objects;
    for (uint32_t i = 0; i < objects->count; i++) {
        if (objects->items[i].kind == OBJECT_VALIDATING_WEBHOOK_CONFIGURATION)
            add_configuration(population, objects->items[i].as.validating_webhooks);
        else if (objects->items[i].kind == OBJECT_MUTATING_WEBHOOK_CONFIGURATION)
            add_configuration(population, objects->items[i].as.mutating_webhooks);
    }
}
