/* SPDX-License-Identifier: Apache-2.0 */
/* Webhooks that fail closed: nobody is admitted while no pod of their Service is ready. */
#include "twin/twin_internal.h"

#include <string.h>

static bool is_of_service(const struct twin *twin, const struct service *service, uint32_t revision)
{
    const struct object_meta *meta = &twin->revisions[revision].pod->meta;
    return service->selector.count > 0 && strcmp(service->meta.namespace, meta->namespace) == 0 &&
           labels_include(&meta->labels, &service->selector);
}

/* Those of random Checks are about new pods, and have no selector of namespaces. */
static const struct service *service_of(const struct twin *twin, const struct webhook *webhook,
                                        uint32_t revision)
{
    const struct object *service = objects_find(twin->scope->objects, OBJECT_SERVICE,
                                                webhook->service_namespace, webhook->service_name);
    if (!service || webhook->failure_policy != WEBHOOK_FAILS_CLOSED ||
        (webhook->object_selector &&
         !label_selector_matches(webhook->object_selector,
                                 &twin->revisions[revision].pod->meta.labels)))
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

/* Is the webhook asked about pods of the revision; and in a state: does it not answer? */
static bool some_webhook(const struct twin *twin, const struct twin_state *state, uint32_t revision)
{
    for (uint32_t i = 0; i < twin->scope->objects->count; i++) {
        const struct object *object = &twin->scope->objects->items[i];
        if (object->kind != OBJECT_VALIDATING_WEBHOOK_CONFIGURATION)
            continue;
        for (uint32_t w = 0; w < object->as.validating_webhooks->webhook_count; w++) {
            const struct service *service =
                service_of(twin, &object->as.validating_webhooks->webhooks[w], revision);
            if (service && (!state || !answers(twin, state, service)))
                return true;
        }
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
            for (uint32_t r = 0; r < twin->revision_count; r++) {
                const struct service *service =
                    service_of(twin, &object->as.validating_webhooks->webhooks[w], r);
                if (service && is_of_service(twin, service, revision))
                    return true;
            }
    }
    return false;
}

bool twin_is_guarded(const struct twin *twin, uint32_t revision)
{
    return some_webhook(twin, NULL, revision);
}

bool twin_is_kept_out(const struct twin *twin, const struct twin_state *state, uint32_t revision)
{
    return state->begun && some_webhook(twin, state, revision);
}
