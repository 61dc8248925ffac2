/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A state knows no date: an instant of its calendar that is at the same position stands for it, so
 * that the decider can be asked. Which instant that is makes no difference, because the schedule is
 * the same there.
 */
#include "cluster/ask/cron_jobs.h"
#include "base/saturating.h"
#include "cluster/ask/jobs.h"
#include "cluster/state/clock.h"
#include "cluster/state/clock_words.h"
#include "cluster/state/population_model.h"
#include "cluster/state/state.h"
#include "cluster/state/tally.h"
#include "cluster/state/worker.h"
#include "cluster/state/workloads.h"
#include "setup/cron_calendar.h"

#include <stdlib.h>

static bool is_there(const struct state *state, uint32_t workload)
{
    return state->present[workload] != WORKLOAD_ABSENT;
}

/* ---- time ---- */

/* From the time that is `back` times before number `next` until that. */
static int64_t time_back(const struct cron_times *cron, uint32_t next, uint32_t back)
{
    const struct cron_calendar *calendar = cron->setup->calendar;
    const uint32_t rest = back % calendar->count;
    const int64_t whole = (int64_t)(back / calendar->count) * calendar->length;
    return whole + (rest <= next ? cron->times[next] - cron->times[next - rest]
                                 : cron->times[next] + calendar->length -
                                       cron->times[calendar->count + next - rest]);
}

/* The controller finds the latest time of many that were missed from the interval between the first
 * two of them. It finds the same one if the last Job was later by a multiple of both this interval
 * and the calendar. If all intervals are the same, it always finds the latest. */
static uint32_t fold(const struct cron_times *cron, uint32_t next, uint32_t behind)
{
    enum { MANY = 128 }; /* more than the controller warns of */
    const struct cron_calendar *calendar = cron->setup->calendar;
    const struct optional_int deadline =
        cron->setup->object->as.cron_job->starting_deadline_seconds;
    if (calendar->count == 1)
        return lesser(behind, MANY);
    const uint32_t first = (next + calendar->count - behind % calendar->count) % calendar->count;
    const int64_t interval = calendar->gaps[first];
    const int64_t times = interval / common_divisor(calendar->length, interval) * calendar->count;
    const int64_t in_deadline =
        deadline.set
            ? saturating_multiply(
                  saturating_add(deadline.value / (calendar->length / NANOSECONDS_PER_SECOND), 1),
                  calendar->count)
            : 0;
    return behind > saturating_add(MANY + times, in_deadline) ? behind - (uint32_t)times : behind;
}

void cron_job_pass_time(const struct population *population, uint32_t number,
                        struct cron_state *state, uint32_t ticks)
{
    const struct cron_times *cron = &population->clock->crons[number];
    state->left -= ticks;
    if (state->left > 0)
        return;
    state->left = cron->gaps[state->next];
    state->next = (state->next + 1) % cron->setup->calendar->count;
    state->behind = fold(cron, state->next, state->behind + 1);
}

/* ---- the decision ---- */

enum { NAME_PLACE = 'p', NAME_KEPT = 'c', NAME_KEPT_FAILED = 'f' };

enum cron_job_named cron_job_named(const char *name, uint32_t *place)
{
    *place = (uint32_t)strtoul(name + 1, NULL, 10);
    return *name == NAME_PLACE ? CRON_PLACE : *name == NAME_KEPT ? CRON_KEPT : CRON_KEPT_FAILED;
}

/* A Job of the CronJob as the controller sees it. */
static struct job *make_job(struct arena *arena, const struct cron_job *cron_job, char kind,
                            uint32_t number, enum job_end end)
{
    struct job *job = ARENA_NEW(arena, struct job);
    struct owner_reference *owner = ARENA_NEW(arena, struct owner_reference);
    *owner = (struct owner_reference){
        .kind = "CronJob", .name = cron_job->meta.name, .controller = true};
    job->meta = (struct object_meta){
        .name = arena_printf(arena, "%c%u", kind, number),
        .namespace = cron_job->meta.namespace,
        .owners = owner,
        .owner_count = 1,
        .creation_time = TIME_NONE,
        .deletion_time = TIME_NONE,
    };
    job->status.start_time = (int64_t)number;
    job->status.completion_time = TIME_NONE;
    if (end != JOB_IS_COMPLETE && end != JOB_HAS_FAILED)
        return job;
    struct condition *condition = ARENA_NEW(arena, struct condition);
    condition->type = end == JOB_IS_COMPLETE ? "Complete" : "Failed";
    condition->status = "True";
    job->status.conditions.items = condition;
    job->status.conditions.count = 1;
    return job;
}

bool cron_job_syncs(struct worker *worker, const struct state *state, uint32_t number,
                    struct cron_job_decision *decision)
{
    struct arena *arena = &worker->scratch;
    const struct cron_times *cron = &worker->population->clock->crons[number];
    const struct cron_state *clocks = &state->clocks.crons[number];
    const struct setup_cron_job *setup = cron->setup;
    struct cron_job cron_job = *setup->object->as.cron_job;
    cron_job.suspend = clocks->suspended;
    const uint32_t most = setup->place_count + clocks->kept + clocks->kept_failed;
    const struct job **jobs = ARENA_ARRAY(arena, const struct job *, most + 1);
    struct job_reference *active = ARENA_ARRAY(arena, struct job_reference, most + 1);
    uint32_t count = 0;
    bool finished = false;
    cron_job.status = (struct cron_job_status){.active = active, .last_successful_time = TIME_NONE};
    for (uint32_t i = 0; i < setup->place_count; i++) {
        const uint32_t workload = setup->first_workload + i;
        if (!is_there(state, workload))
            continue;
        finished |= !job_is_unfinished(worker->population, state, workload);
        struct job *job = make_job(arena, &cron_job, NAME_PLACE, i, state->statuses[workload].over);
        job->status.start_time += most; /* those that are kept are older */
        active[cron_job.status.active_count++].name = job->meta.name;
        jobs[count++] = job;
    }
    if (clocks->behind == 0 && !finished)
        return false;
    for (uint32_t i = 0; i < clocks->kept; i++)
        jobs[count++] = make_job(arena, &cron_job, NAME_KEPT, i, JOB_IS_COMPLETE);
    for (uint32_t i = 0; i < clocks->kept_failed; i++)
        jobs[count++] = make_job(arena, &cron_job, NAME_KEPT_FAILED, i, JOB_HAS_FAILED);
    /* Dates of years are those that they are; others can be later. */
    enum { YEARLY_DAYS = 300, SECONDS_PER_DAY = 86400 };
    const bool yearly =
        setup->calendar->length > (int64_t)YEARLY_DAYS * SECONDS_PER_DAY * NANOSECONDS_PER_SECOND;
    const uint32_t cycles = yearly ? 0 : (clocks->behind + 1) / setup->calendar->count + 1;
    const int64_t next =
        setup->calendar->first + cycles * setup->calendar->length + cron->times[clocks->next];
    cron_job.status.last_schedule_time = next - time_back(cron, clocks->next, clocks->behind + 1);
    const struct cron_job_input input = {
        .cron_job = &cron_job,
        .jobs = jobs,
        .job_count = count,
        .now = next - clock_ticks_ns(worker->population, clocks->left),
    };
    cron_job_decide(arena, &input, decision);
    return finished || decision->action == CRON_STARTS_JOB;
}

/* ---- places ---- */

uint32_t cron_job_free_place(struct worker *worker, const struct state *state, uint32_t number)
{
    const struct setup_cron_job *setup = worker->population->clock->crons[number].setup;
    for (uint32_t w = setup->first_workload; w < setup->first_workload + setup->place_count; w++) {
        const uint32_t revision = worker->population->workloads.items[w].first_revision;
        if (!is_there(state, w) && state_active(worker, state, revision) == 0 &&
            state_terminating(worker, state, revision) == 0)
            return w;
    }
    return UINT32_MAX;
}

uint32_t cron_job_count(const struct population *population, const struct state *state,
                        uint32_t number, bool finished)
{
    const struct setup_cron_job *setup = population->clock->crons[number].setup;
    const struct cron_state *clocks = &state->clocks.crons[number];
    uint32_t count = finished ? clocks->kept + clocks->kept_failed : 0;
    for (uint32_t w = setup->first_workload; w < setup->first_workload + setup->place_count; w++)
        count += is_there(state, w) && (finished || job_is_unfinished(population, state, w));
    return count;
}
