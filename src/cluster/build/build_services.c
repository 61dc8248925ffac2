/* SPDX-License-Identifier: Apache-2.0 */
/* The Services that select pods of the model, if some intent is about traffic. */
#include "cluster/build/build_services.h"
#include "cluster/ask/traffic.h"
#include "cluster/intent_class.h"
#include "cluster/state/population_model.h"
#include "cluster/state/workloads.h"
#include "object/policy.h"

void add_services(struct population *population)
{
    const struct surroundings *around = &population->catalog->surroundings;
    bool wanted = false;
    for (uint32_t i = 0; i < population->intents.count; i++)
        wanted |= population->intents.items[i].class->needs_services;
    for (uint32_t s = 0; wanted && s < around->services.count; s++) {
        struct service_info info = {
            .service = around->services.items[s],
            .selects = ARENA_ARRAY(&population->arena, bool, population->revisions.count + 1),
        };
        for (uint32_t r = 0; r < population->revisions.count; r++) {
            struct revision *revision = &population->revisions.items[r];
            info.selects[r] = service_selects(info.service, &revision->pod->meta);
            if (!info.selects[r])
                continue;
            revision->served = true;
            revision->published |= info.service->publish_not_ready_addresses;
            revision->serves_on = pod_serves_on(&revision->pod->spec);
        }
        VEC_PUSH(&population->arena, &population->services, info);
    }
}
