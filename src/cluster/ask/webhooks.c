/* SPDX-License-Identifier: Apache-2.0 */
#include "cluster/ask/webhooks.h"

#include "cluster/state/population_model.h"
#include "cluster/state/state.h"
#include "cluster/state/tally.h"
#include "cluster/state/webhooks.h"
#include "cluster/state/worker.h"

/* Does the Service have an endpoint? */
static bool answers(struct worker *worker, const struct state *state,
                    const struct population_webhook *webhook)
{
    for (uint32_t r = 0; r < worker->population->revisions.count; r++)
        if (webhook->backs[r] && (state_ready(worker, state, r) > 0 ||
                                  (webhook->service->publish_not_ready_addresses &&
                                   state_active(worker, state, r) > state->pending[r])))
            return true;
    return false;
}

const struct population_webhook *webhook_silent(struct worker *worker, const struct state *state,
                                                uint32_t revision)
{
    const struct population *population = worker->population;
    for (uint32_t i = 0; state->begun && i < population->webhooks.count; i++)
        if (population->webhooks.items[i].guards[revision] &&
            !answers(worker, state, &population->webhooks.items[i]))
            return &population->webhooks.items[i];
    return NULL;
}

const struct population_webhook *webhook_refuses(struct worker *worker, const struct state *state,
                                                 enum webhook_request request, uint32_t revision)
{
    const struct population *population = worker->population;
    if (!state->begun)
        return NULL;
    for (uint32_t i = 0; i < population->webhooks.count; i++) {
        const struct population_webhook *webhook = &population->webhooks.items[i];
        if (webhook->refuses[request][revision] && !answers(worker, state, webhook))
            return webhook;
    }
    return NULL;
}

static bool may_refuse(const struct population *population,
                       const struct population_webhook *webhook, enum population_action action,
                       uint32_t revision)
{
    const unsigned asked = webhook->asked[action];
    /* The revision of an eviction may be that of the pod for which there has to be room. */
    const bool known = revision < population->revisions.count && !action_has(action, EVICTS_PODS);
    return (asked & (1U << WEBHOOK_SYSTEM | 1U << WEBHOOK_CLUSTER)) != 0 ||
           ((asked & 1U << WEBHOOK_POD) != 0 && (!known || webhook->covers[revision])) ||
           ((asked & 1U << WEBHOOK_NAMESPACED) != 0 && (!known || webhook->near[revision]));
}

bool webhook_may_refuse(struct worker *worker, const struct state *state,
                        enum population_action action, uint32_t revision)
{
    const struct population *population = worker->population;
    if (!population->webhooks_ask_more || !state->begun)
        return false;
    for (uint32_t i = 0; i < population->webhooks.count; i++)
        if (may_refuse(population, &population->webhooks.items[i], action, revision) &&
            !answers(worker, state, &population->webhooks.items[i]))
            return true;
    return false;
}

bool webhook_disturbs(struct worker *worker, const struct state *state)
{
    const struct population *population = worker->population;
    if (!population->webhooks_ask_more || !state->begun)
        return false;
    for (uint32_t i = 0; i < population->webhooks.count; i++)
        if (population->webhooks.items[i].asked_always &&
            !answers(worker, state, &population->webhooks.items[i]))
            return true;
    return false;
}

const char *webhook_refusal(struct arena *arena, const struct population_webhook *webhook)
{
    return arena_printf(arena,
                        "Internal error occurred: failed calling webhook \"%s\": failed to call "
                        "webhook: no endpoints available for service \"%s\"",
                        webhook->webhook->name, webhook->service->meta.name);
}
