/* SPDX-License-Identifier: Apache-2.0 */
/* suspend: the user suspends a CronJob, whose Jobs go on. With `recovers` it is resumed some time
 * (step_resume.c): the Job of the latest time that has passed then starts at once. */
#include "base/text.h"
#include "cluster/ask/support.h"
#include "cluster/emit.h"
#include "cluster/event/event.h"
#include "cluster/event/registry.h"
#include "cluster/event_type.h"
#include "cluster/state/actions.h"
#include "cluster/state/clock.h"
#include "cluster/state/events.h"
#include "cluster/state/happening.h"
#include "cluster/state/population_model.h"
#include "cluster/state/state.h"

static void emit(struct expansion *expansion, const struct population_event *event)
{
    const struct clock *clock = expansion->population->clock;
    for (uint32_t c = 0; c < clock->cron_count; c++) {
        if (expansion->state->clocks.crons[c].suspended ||
            !object_name_matches(&event->event->object, clock->crons[c].setup->object))
            continue;
        struct state *next = state_after_event(expansion, event);
        next->clocks.crons[c].suspended = 1;
        expansion_emit(expansion, next, happening_to(event->type->action, UINT32_MAX, 0));
    }
}

static void check_object(const struct support *support, const struct check_event *event)
{
    const struct scope *scope = support->scope;
    for (uint32_t c = 0; c < scope->cron_job_count; c++)
        if (object_name_matches(&event->object, scope->cron_jobs[c].object))
            return;
    problem_error(
        support->problems, event->place, NULL,
        "expected a CronJob that an intent jobsAtMost is about and that is not suspended, "
        "found %s",
        object_name_format(support->arena, &event->object));
}

static void describe(const struct event_telling *telling, struct text *text)
{
    if (telling->event)
        text_printf(text, "the user suspends CronJob %s", telling->event->object.name);
}

const struct event_type event_suspend = {
    .action = ACT_EVENT_SUSPEND,
    .emit = emit,
    .check_object = check_object,
    .suspends = true,
    .describe = describe,
    .traits = NEEDS_NO_READINESS | NEEDS_NO_USAGE | LEAVES_ADMISSION_ALONE | LEAVES_OBJECTS_ALONE |
              LEAVES_NODES_READY | LEAVES_PLACES_ALONE,
};
