/* SPDX-License-Identifier: Apache-2.0 */
/* The user who resumes a CronJob that a `suspend` event has suspended. */
#include "cluster/actor_type.h"
#include "cluster/emit.h"
#include "cluster/event_type.h"
#include "cluster/state/actions.h"
#include "cluster/state/clock.h"
#include "cluster/state/events.h"
#include "cluster/state/happening.h"
#include "cluster/state/invariants.h"
#include "cluster/state/population_model.h"
#include "cluster/state/state.h"
#include "cluster/state/worker.h"

/* Is there an event that suspends it for a while only? */
static bool recovers(const struct population *population, const struct cron_times *cron)
{
    for (uint32_t e = 0; e < population->events.count; e++) {
        const struct population_event *event = &population->events.items[e];
        if (event->type->suspends && event->event->recovers &&
            object_name_matches(&event->event->object, cron->setup->object))
            return true;
    }
    return false;
}

static void step_resume(struct expansion *expansion)
{
    const struct clock *clock = expansion->population->clock;
    for (uint32_t c = 0; c < clock->cron_count; c++) {
        if (!expansion->state->clocks.crons[c].suspended ||
            !recovers(expansion->population, &clock->crons[c]))
            continue;
        struct state *next = state_copy(expansion->worker, expansion->state);
        next->clocks.crons[c].suspended = 0;
        expansion_emit(expansion, next, happening_to(ACT_RESUME, UINT32_MAX, 0));
    }
}

const struct actor actor_resume = {
    .name = "user who resumes a CronJob",
    .step = step_resume,
    .lazy_with_clocks = true,
    .reads = PART_CLOCKS | PART_EVENTS,
    .writes = PART_CLOCKS,
};
