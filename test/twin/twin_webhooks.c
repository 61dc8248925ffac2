/* SPDX-License-Identifier: Apache-2.0 */
/* Webhooks that fail closed: nothing is admitted that they are asked about while no pod of their
 * Service is ready. */
#include "twin/twin_internal.h"

#include <string.h>

static bool is_of_service(const struct twin *twin, const struct service *service, uint32_t revision)
{
    const struct object_meta *meta = &twin->revisions[revision].pod->meta;
    return service->selector.count > 0 && strcmp(service->meta.namespace, meta->namespace) == 0 &&
           labels_include(&meta->labels, &service->selector);
}

static bool lists(const struct string_list *list, const char *wanted)
{
    for (uint32_t i = 0; i < list->count; i++)
        if (strcmp(list->items[i], wanted) == 0)
            return true;
    return false;
}

static bool is_asked(const struct webhook *webhook, const char *resource, const char *operation)
{
    for (uint32_t i = 0; i < webhook->rule_count; i++)
        if (lists(&webhook->rules[i].resources, resource) &&
            lists(&webhook->rules[i].operations, operation))
            return true;
    return false;
}

/* Parts of pods are objects without labels; sets have those of their pods. */
static bool selects(const struct twin *twin, const struct webhook *webhook, const char *resource,
                    uint32_t revision)
{
    static const struct labels none = {0};
    return !webhook->object_selector ||
           label_selector_matches(
               webhook->object_selector,
               strchr(resource, '/') ? &none : &twin->revisions[revision].pod->meta.labels);
}

/* Whom the webhook is called at for the request; NULL: it does not matter. Those of random Checks
 * have no selector of namespaces. */
static const struct service *service_of(const struct twin *twin, const struct webhook *webhook,
                                        const char *resource, const char *operation,
                                        uint32_t revision)
{
    const struct object *service = objects_find(twin->scope->objects, OBJECT_SERVICE,
                                                webhook->service_namespace, webhook->service_name);
    if (!service || webhook->failure_policy != WEBHOOK_FAILS_CLOSED ||
        !is_asked(webhook, resource, operation) || !selects(twin, webhook, resource, revision))
        return NULL;
    for (uint32_t r = 0; r < twin->revision_count; r++)
        if (is_of_service(twin, service->as.service, r))
            return service->as.service;
    return NULL;
}

static bool answers(const struct twin *twin, const struct twin_state *state,
                    const struct service *service)
{
    for (uint32_t p = 0; p < TWIN_PODS_MOST; p++)
        if (pod_is_there(&state->pods[p]) && twin_pod_ready(state, p) &&
            is_of_service(twin, service, state->pods[p].revision))
            return true;
    return false;
}

/* Is a webhook asked about the request; and in a state: does it not answer? */
static bool some_webhook(const struct twin *twin, const struct twin_state *state,
                         const char *resource, const char *operation, uint32_t revision)
{
    for (uint32_t i = 0; i < twin->scope->objects->count; i++) {
        const struct object *object = &twin->scope->objects->items[i];
        if (object->kind != OBJECT_VALIDATING_WEBHOOK_CONFIGURATION)
            continue;
        for (uint32_t w = 0; w < object->as.validating_webhooks->webhook_count; w++) {
            const struct service *service = service_of(
                twin, &object->as.validating_webhooks->webhooks[w], resource, operation, revision);
            if (service && (!state || !answers(twin, state, service)))
                return true;
        }
    }
    return false;
}

static bool is_behind(const struct twin *twin, const struct webhook *webhook, uint32_t revision)
{
    static const char *const requests[][2] = {{"pods", "CREATE"},
                                              {"pods/eviction", "CREATE"},
                                              {"pods/binding", "CREATE"},
                                              {"replicasets", "CREATE"},
                                              {"replicasets", "UPDATE"}};
    for (size_t i = 0; i < sizeof(requests) / sizeof(*requests); i++)
        for (uint32_t r = 0; r < twin->revision_count; r++) {
            const struct service *service =
                service_of(twin, webhook, requests[i][0], requests[i][1], r);
            if (service && is_of_service(twin, service, revision))
                return true;
        }
    return false;
}

bool twin_answers_for_webhook(const struct twin *twin, uint32_t revision)
{
    for (uint32_t i = 0; i < twin->scope->objects->count; i++) {
        const struct object *object = &twin->scope->objects->items[i];
        if (object->kind != OBJECT_VALIDATING_WEBHOOK_CONFIGURATION)
            continue;
        for (uint32_t w = 0; w < object->as.validating_webhooks->webhook_count; w++)
            if (is_behind(twin, &object->as.validating_webhooks->webhooks[w], revision))
                return true;
    }
    return false;
}

bool twin_is_guarded(const struct twin *twin, uint32_t revision)
{
    return some_webhook(twin, NULL, "pods", "CREATE", revision);
}

bool twin_is_kept_out(const struct twin *twin, const struct twin_state *state, uint32_t revision)
{
    return state->begun && some_webhook(twin, state, "pods", "CREATE", revision);
}

bool twin_would_refuse(const struct twin *twin, const struct twin_state *state,
                       const char *resource, const char *operation, uint32_t revision)
{
    return state->begun && some_webhook(twin, state, resource, operation, revision);
}

bool twin_refuses(struct twin_run *run, const char *resource, const char *operation,
                  uint32_t revision)
{
    const uint32_t workload = run->twin->revisions[revision].workload;
    const enum twin_action action =
        strcmp(resource, "pods/eviction") == 0  ? TWIN_ACT_EVICTION_REFUSED
        : strcmp(resource, "pods/binding") == 0 ? TWIN_ACT_BINDING_REFUSED
                                                : TWIN_ACT_SETS_REFUSED;
    struct twin_state same = *run->state;
    if (!twin_would_refuse(run->twin, run->state, resource, operation, revision))
        return false;
    twin_emit(run, &same, action, about_set(revision), workload, 0, IDLE);
    return true;
}

bool twin_is_refusal(enum twin_action action)
{
    return action == TWIN_ACT_CREATE_REFUSED || action == TWIN_ACT_EVICTION_REFUSED ||
           action == TWIN_ACT_BINDING_REFUSED || action == TWIN_ACT_SETS_REFUSED;
}
