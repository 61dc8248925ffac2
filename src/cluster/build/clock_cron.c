/* SPDX-License-Identifier: Apache-2.0 */
/*
 * All calendars are of one clock: a run begins at one instant of it. That may be every tick of
 * calendars that repeat after a day. Of longer ones it is each time of a calendar, and a tick
 * before: between them nothing but the rest of the cluster depends on the date.
 */
#include "cluster/build/clock_cron.h"
#include "base/saturating.h"
#include "cluster/build/clock_reading.h"
#include "cluster/event_type.h"
#include "cluster/state/clock.h"
#include "cluster/state/clock_words.h"
#include "cluster/state/events.h"
#include "cluster/state/population_model.h"
#include "cluster/state/state.h"
#include "cluster/state/workloads.h"
#include "setup/cron_calendar.h"

/* ---- what there is ---- */

static bool has_deadline(const struct population *population, uint32_t workload)
{
    const struct object *object = population->workloads.items[workload].setup->object;
    return population->workloads.items[workload].setup->cron_job &&
           object->as.job->active_deadline_seconds.set && !object->as.job->suspend;
}

/* May pods of the Job of a CronJob fail, or be lost? */
static bool may_back_off(const struct population *population, uint32_t workload)
{
    const struct workload *of = &population->workloads.items[workload];
    const struct revision *revision = &population->revisions.items[of->first_revision];
    bool priorities_differ = false;
    bool lost = false;
    for (uint32_t e = 0; e < population->events.count; e++)
        lost |= !population->events.items[e].type->suspends;
    for (uint32_t r = 0; r < population->revisions.count; r++)
        priorities_differ |= population->revisions.items[r].priority != revision->priority;
    return of->setup->cron_job &&
           (revision->outcome != OUTCOME_SUCCEEDS || lost || population->descheduler_policy ||
            priorities_differ || revision->node_name ||
            scope_scheduler_configuration(population->scope));
}

void clock_count_jobs(struct population *population, struct clock *clock)
{
    struct arena *arena = &population->arena;
    const struct scope *scope = population->scope;
    clock->crons = ARENA_ARRAY(arena, struct cron_times, scope->cron_job_count + 1);
    clock->timed_jobs = ARENA_ARRAY(arena, struct timed_job, population->managed_count + 1);
    for (uint32_t c = 0; c < scope->cron_job_count; c++) {
        const struct cron_calendar *calendar = scope->cron_jobs[c].calendar;
        clock->crons[clock->cron_count++] = (struct cron_times){
            .setup = &scope->cron_jobs[c],
            .gaps = ARENA_ARRAY(arena, uint32_t, calendar->count),
            .times = ARENA_ARRAY(arena, int64_t, calendar->count),
        };
    }
    for (uint32_t w = 0; w < population->managed_count; w++)
        if (has_deadline(population, w) || may_back_off(population, w))
            clock->timed_jobs[clock->timed_job_count++].workload = w;
}

void read_cron_jobs(struct reading_times *reading)
{
    const struct clock *clock = reading->population->clock;
    const struct cron_calendar *other = NULL;
    for (uint32_t c = 0; c < clock->cron_count; c++) {
        const struct cron_times *cron = &clock->crons[c];
        const struct cron_calendar *calendar = cron->setup->calendar;
        int64_t time = 0;
        for (uint32_t i = 0; i < calendar->count; i++) {
            cron->times[i] = time;
            cron->gaps[i] = reading_note(reading, calendar->gaps[i]);
            time += calendar->gaps[i];
        }
        if (calendar->from_creation)
            continue;
        if (other)
            reading_note(reading, calendar->first - other->first);
        other = calendar;
    }
}

void read_job_deadlines(struct reading_times *reading)
{
    const struct population *population = reading->population;
    const int64_t first = 10;
    const int64_t longest = population->options.features.job_backoff_600s ? 600 : 360;
    for (uint32_t t = 0; t < population->clock->timed_job_count; t++) {
        struct timed_job *timed = &population->clock->timed_jobs[t];
        const struct job *job = population->workloads.items[timed->workload].setup->object->as.job;
        if (has_deadline(population, timed->workload))
            timed->deadline =
                reading_note(reading, saturating_multiply(job->active_deadline_seconds.value,
                                                          NANOSECONDS_PER_SECOND));
        if (!may_back_off(population, timed->workload))
            continue;
        timed->first_wait = reading_note(reading, first * NANOSECONDS_PER_SECOND);
        timed->longest_wait = reading_note(reading, longest * NANOSECONDS_PER_SECOND);
    }
}

/* ---- where runs begin ---- */

/* The first CronJob whose times are those of the clock on the wall; NULL: none. */
static const struct cron_times *first_of_wall(const struct clock *clock)
{
    for (uint32_t c = 0; c < clock->cron_count; c++)
        if (!clock->crons[c].setup->calendar->from_creation)
            return &clock->crons[c];
    return NULL;
}

/* All calendars that are no longer than a day divide it. */
static bool starts_at_every_tick(const struct clock *clock)
{
    for (uint32_t c = 0; c < clock->cron_count; c++)
        if (clock->crons[c].setup->calendar->length > CALENDAR_ALL_STARTS_NS)
            return false;
    return true;
}

/* The time after which all calendars begin anew together, if none is longer than a day. */
static int64_t common_length(const struct clock *clock)
{
    int64_t common = 1;
    for (uint32_t c = 0; c < clock->cron_count; c++) {
        const struct cron_calendar *calendar = clock->crons[c].setup->calendar;
        if (!calendar->from_creation)
            common = common / common_divisor(common, calendar->length) * calendar->length;
    }
    return common;
}

uint64_t clock_start_count(const struct population *population)
{
    const struct clock *clock = population->clock;
    uint64_t count = 0;
    if (!first_of_wall(clock))
        return 1;
    if (starts_at_every_tick(clock))
        return (uint64_t)(common_length(clock) / clock->tick_ns);
    for (uint32_t c = 0; c < clock->cron_count; c++)
        if (!clock->crons[c].setup->calendar->from_creation)
            count += 2 * (uint64_t)clock->crons[c].setup->calendar->count;
    return count;
}

static int64_t instant_of(const struct clock *clock, uint64_t start)
{
    const struct cron_times *cron = first_of_wall(clock);
    if (starts_at_every_tick(clock))
        return cron->setup->calendar->first + (int64_t)start * clock->tick_ns;
    for (; cron->setup->calendar->from_creation ||
           start >= 2 * (uint64_t)cron->setup->calendar->count;
         cron++)
        start -=
            cron->setup->calendar->from_creation ? 0 : 2 * (uint64_t)cron->setup->calendar->count;
    return cron->setup->calendar->first + cron->times[start / 2] -
           (int64_t)(start % 2) * clock->tick_ns;
}

/* The first time of the calendar after the instant, and how long that is. */
static void find_next(const struct clock *clock, const struct cron_times *cron, int64_t instant,
                      struct cron_state *state)
{
    const struct cron_calendar *calendar = cron->setup->calendar;
    int64_t offset = (instant - calendar->first) % calendar->length;
    offset += offset < 0 ? calendar->length : 0;
    uint32_t next = 0;
    while (next < calendar->count && cron->times[next] <= offset)
        next++;
    const bool anew = next >= calendar->count;
    const int64_t end = anew ? calendar->length : cron->times[next];
    state->next = anew ? 0 : next;
    state->left = (uint32_t)((end - offset) / clock->tick_ns);
}

void clock_set_start(const struct population *population, struct state *state, uint64_t start)
{
    const struct clock *clock = population->clock;
    for (uint32_t c = 0; c < clock->cron_count; c++) {
        const struct cron_times *cron = &clock->crons[c];
        struct cron_state *of = &state->clocks.crons[c];
        if (cron->setup->calendar->from_creation)
            of->left = cron->gaps[0];
        else
            find_next(clock, cron, instant_of(clock, start), of);
    }
}
