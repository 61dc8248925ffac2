/* SPDX-License-Identifier: Apache-2.0 */
#include "decide/controller/cron_job_controller.h"

#include "decide/claim.h"

#include <stdlib.h>
#include <string.h>

enum { MANY_MISSED = 100 };

/* A sync is queued a little after the time that it is for. */
static const int64_t REQUEUE_DELTA = (int64_t)NANOSECONDS_PER_SECOND / 10;
static const int64_t NANOSECONDS_PER_MINUTE = (int64_t)60 * NANOSECONDS_PER_SECOND;

/* Longer deadlines forbid nothing. */
static const int64_t DEADLINE_MOST = INT64_MAX / NANOSECONDS_PER_SECOND / 4;

struct sync {
    struct arena *arena;
    const struct cron_job *cron_job;
    const struct cron_job_input *input;
    struct cron_job_decision *decision;
    VEC(const struct job *) own; /* Jobs whose controller has the CronJob's name */
    struct cron_schedule schedule;
};

enum made_job_end { JOB_END_NONE, JOB_END_COMPLETE, JOB_END_FAILED };

static enum made_job_end end_of(const struct job *job)
{
    for (uint32_t i = 0; i < job->status.conditions.count; i++) {
        const struct condition *condition = &job->status.conditions.items[i];
        if (!condition->status || strcmp(condition->status, "True") != 0)
            continue;
        if (strcmp(condition->type, "Complete") == 0)
            return JOB_END_COMPLETE;
        if (strcmp(condition->type, "Failed") == 0)
            return JOB_END_FAILED;
    }
    return JOB_END_NONE;
}

static void tell(struct sync *sync, const char *event)
{
    VEC_PUSH(sync->arena, &sync->decision->events, event);
}

/* The UID decides, or the name where a manifest gives no UIDs. */
static bool is_same(const struct job_reference *reference, const char *uid, const char *name)
{
    return reference->uid && uid ? strcmp(reference->uid, uid) == 0
                                 : claim_same_text(reference->name, name);
}

static bool is_active(const struct sync *sync, const struct object_meta *job)
{
    for (uint32_t i = 0; i < sync->decision->active.count; i++)
        if (is_same(&sync->decision->active.items[i], job->uid, job->name))
            return true;
    return false;
}

static void forget_active(struct sync *sync, const char *uid, const char *name)
{
    cron_references *active = &sync->decision->active;
    uint32_t kept = 0;
    for (uint32_t i = 0; i < active->count; i++)
        if (!is_same(&active->items[i], uid, name))
            active->items[kept++] = active->items[i];
    active->count = kept;
}

static bool was_deleted(const struct sync *sync, const char *name)
{
    for (uint32_t i = 0; i < sync->decision->deleted.count; i++)
        if (strcmp(sync->decision->deleted.items[i], name) == 0)
            return true;
    return false;
}

/* The Job of that name that the API server has now. */
static const struct job *find_job(const struct sync *sync, const char *name)
{
    for (uint32_t i = 0; i < sync->input->job_count; i++) {
        const struct job *job = sync->input->jobs[i];
        if (claim_same_text(job->meta.name, name) && !was_deleted(sync, name))
            return job;
    }
    return NULL;
}

static void delete_job(struct sync *sync, const char *name, const char *uid)
{
    forget_active(sync, uid, name);
    VEC_PUSH(sync->arena, &sync->decision->deleted, name);
    tell(sync, "Normal SuccessfulDelete");
    sync->decision->update_status = true;
}

/* ---- history ---- */

/* Oldest start first, Jobs without one last, then by name. */
static int compare_starts(const void *left, const void *right)
{
    const struct job *a = *(const struct job *const *)left;
    const struct job *b = *(const struct job *const *)right;
    const int64_t a_start = a->status.start_time;
    const int64_t b_start = b->status.start_time;
    if ((a_start == TIME_NONE) != (b_start == TIME_NONE))
        return a_start == TIME_NONE ? 1 : -1;
    if (a_start != b_start)
        return a_start < b_start ? -1 : 1;
    return strcmp(a->meta.name, b->meta.name);
}

static void clean_up(struct sync *sync, enum made_job_end end, int32_t limit)
{
    VEC(const struct job *) finished = {0};
    for (uint32_t i = 0; i < sync->own.count; i++)
        if (end_of(sync->own.items[i]) == end)
            VEC_PUSH(sync->arena, &finished, sync->own.items[i]);
    if (finished.count <= (uint32_t)limit)
        return;
    qsort(finished.items, finished.count, sizeof(*finished.items), compare_starts);
    for (uint32_t i = 0; i < finished.count - (uint32_t)limit; i++)
        delete_job(sync, finished.items[i]->meta.name, finished.items[i]->meta.uid);
}

/* ---- status ---- */

/* Of a Job that is not in status.active any more; a failed one has no completionTime, and counts
 * as a change as long as no time is known. */
static void see_success(struct sync *sync, const struct job *job)
{
    struct cron_job_decision *decision = sync->decision;
    const int64_t completed = job->status.completion_time;
    if (decision->last_successful_time == TIME_NONE ||
        (completed != TIME_NONE && completed > decision->last_successful_time)) {
        decision->last_successful_time = completed;
        decision->update_status = true;
    }
}

static void see_job(struct sync *sync, const struct job *job)
{
    const bool listed = is_active(sync, &job->meta);
    const bool finished = end_of(job) != JOB_END_NONE;
    if (!listed && !finished) {
        tell(sync, "Warning UnexpectedJob");
    } else if (listed && finished) {
        forget_active(sync, job->meta.uid, job->meta.name);
        tell(sync, "Normal SawCompletedJob");
        sync->decision->update_status = true;
    } else if (finished) {
        see_success(sync, job);
    }
}

static bool is_own(const struct sync *sync, const struct job_reference *reference)
{
    for (uint32_t i = 0; i < sync->own.count; i++)
        if (is_same(reference, sync->own.items[i]->meta.uid, sync->own.items[i]->meta.name))
            return true;
    return false;
}

static void forget_missing(struct sync *sync)
{
    const cron_references before = sync->decision->active;
    struct job_reference *items = ARENA_ARRAY(sync->arena, struct job_reference, before.count + 1);
    for (uint32_t i = 0; i < before.count; i++)
        items[i] = before.items[i];
    for (uint32_t i = 0; i < before.count; i++) {
        if (is_own(sync, &items[i]) || (items[i].name && find_job(sync, items[i].name)))
            continue;
        tell(sync, "Normal MissingJob");
        forget_active(sync, items[i].uid, items[i].name);
        sync->decision->update_status = true;
    }
}

/* ---- the schedule ---- */

/* False: it starts nothing, until the CronJob changes. */
static bool read_schedule(struct sync *sync)
{
    const struct cron_job *cron_job = sync->cron_job;
    struct time_zone zone = {0};
    if (cron_job->time_zone &&
        time_zone_load(sync->arena, cron_job->time_zone, &zone) != TIME_ZONE_FOUND) {
        sync->decision->action = CRON_UNKNOWN_ZONE;
        tell(sync, "Warning UnknownTimeZone");
        return false;
    }
    if (cron_job->suspend) {
        sync->decision->action = CRON_IS_SUSPENDED;
        return false;
    }
    const char *text = cron_job->schedule ? cron_job->schedule : "";
    if (strstr(text, "TZ"))
        tell(sync, "Warning UnsupportedSchedule");
    if (!cron_schedule_parse(sync->arena, text, &zone, &sync->schedule, NULL)) {
        sync->decision->action = CRON_BAD_SCHEDULE;
        tell(sync, "Warning UnparseableSchedule");
        return false;
    }
    return true;
}

static int64_t earliest_of(const struct sync *sync, bool by_deadline)
{
    const struct cron_job *cron_job = sync->cron_job;
    const struct optional_int deadline = cron_job->starting_deadline_seconds;
    const int64_t last = sync->decision->last_schedule_time;
    int64_t earliest = last != TIME_NONE ? last : cron_job->meta.creation_time;
    if (earliest == TIME_NONE)
        earliest = 0;
    if (by_deadline && deadline.set && deadline.value < DEADLINE_MOST) {
        const int64_t bound = sync->input->now - deadline.value * NANOSECONDS_PER_SECOND;
        if (bound > earliest)
            earliest = bound;
    }
    return earliest;
}

static void requeue(struct sync *sync)
{
    const int64_t now = sync->input->now;
    int64_t from = earliest_of(sync, false);
    const struct cron_moment moment = cron_latest_moment(&sync->schedule, from, now);
    if (moment.invalid || (moment.time == TIME_NONE && moment.missed > 0))
        from = now;
    else if (moment.time != TIME_NONE)
        from = moment.time;
    const int64_t next = cron_schedule_next(&sync->schedule, from);
    sync->decision->requeues = next != TIME_NONE;
    sync->decision->requeue_after = next - now + REQUEUE_DELTA;
}

/* The time to start a Job for; TIME_NONE: none, and the action says why. */
static int64_t time_to_start(struct sync *sync)
{
    const struct cron_moment moment =
        cron_latest_moment(&sync->schedule, earliest_of(sync, true), sync->input->now);
    const struct optional_int deadline = sync->cron_job->starting_deadline_seconds;
    if (moment.invalid) {
        sync->decision->action = CRON_NO_TIME;
        tell(sync, "Warning InvalidSchedule");
        return TIME_NONE;
    }
    if (moment.time == TIME_NONE) {
        sync->decision->action = CRON_NOT_YET;
        return TIME_NONE;
    }
    if (moment.missed > MANY_MISSED)
        tell(sync, "Warning TooManyMissedTimes");
    if (deadline.set && deadline.value < DEADLINE_MOST &&
        moment.time + deadline.value * NANOSECONDS_PER_SECOND < sync->input->now) {
        sync->decision->action = CRON_TOO_LATE;
        tell(sync, "Warning MissSchedule");
        return TIME_NONE;
    }
    return moment.time;
}

/* ---- starting ---- */

static bool is_done_already(const struct sync *sync, const char *name, int64_t time)
{
    for (uint32_t i = 0; i < sync->decision->active.count; i++)
        if (claim_same_text(sync->decision->active.items[i].name, name))
            return true;
    return sync->decision->last_schedule_time == time;
}

static void replace_active(struct sync *sync)
{
    while (sync->decision->active.count > 0)
        delete_job(sync, sync->decision->active.items[0].name, sync->decision->active.items[0].uid);
}

/* A Job of that name may be there: of a sync that could not write its status, or of others. */
static bool create_job(struct sync *sync, const char *name)
{
    const struct job *existing = find_job(sync, name);
    struct job_reference reference = {.namespace = sync->cron_job->meta.namespace, .name = name};
    if (existing) {
        const struct owner_reference *owner = object_meta_controller(&existing->meta);
        if (!owner || !claim_same_text(owner->uid, sync->cron_job->meta.uid) ||
            is_active(sync, &existing->meta)) {
            sync->decision->action = CRON_JOB_OF_OTHERS;
            return false;
        }
        reference.uid = existing->meta.uid;
    } else {
        sync->decision->created = name;
        tell(sync, "Normal SuccessfulCreate");
    }
    VEC_PUSH(sync->arena, &sync->decision->active, reference);
    return true;
}

static void start(struct sync *sync, int64_t time)
{
    struct cron_job_decision *decision = sync->decision;
    const char *name = arena_printf(sync->arena, "%s-%lld", sync->cron_job->meta.name,
                                    (long long)(time / NANOSECONDS_PER_MINUTE));
    if (is_done_already(sync, name, time)) {
        decision->action = CRON_DONE_ALREADY;
        requeue(sync);
        return;
    }
    if (sync->cron_job->concurrency_policy == CONCURRENCY_FORBID && decision->active.count > 0) {
        decision->action = CRON_FORBIDDEN;
        tell(sync, "Normal JobAlreadyActive");
        requeue(sync);
        return;
    }
    if (sync->cron_job->concurrency_policy == CONCURRENCY_REPLACE)
        replace_active(sync);
    if (!create_job(sync, name))
        return;
    decision->action = CRON_STARTS_JOB;
    decision->time = time;
    decision->last_schedule_time = time;
    decision->update_status = true;
    requeue(sync);
}

static void collect_own(struct sync *sync)
{
    for (uint32_t i = 0; i < sync->input->job_count; i++) {
        const struct job *job = sync->input->jobs[i];
        const struct owner_reference *owner = object_meta_controller(&job->meta);
        if (owner && claim_same_text(owner->name, sync->cron_job->meta.name))
            VEC_PUSH(sync->arena, &sync->own, job);
    }
}

void cron_job_decide(struct arena *arena, const struct cron_job_input *input,
                     struct cron_job_decision *decision)
{
    const struct cron_job *cron_job = input->cron_job;
    struct sync sync = {.arena = arena, .cron_job = cron_job, .input = input, .decision = decision};
    *decision = (struct cron_job_decision){
        .time = TIME_NONE,
        .last_schedule_time = cron_job->status.last_schedule_time,
        .last_successful_time = cron_job->status.last_successful_time,
    };
    for (uint32_t i = 0; i < cron_job->status.active_count; i++)
        VEC_PUSH(arena, &decision->active, cron_job->status.active[i]);
    collect_own(&sync);
    clean_up(&sync, JOB_END_COMPLETE, cron_job->successful_jobs_history_limit);
    clean_up(&sync, JOB_END_FAILED, cron_job->failed_jobs_history_limit);
    for (uint32_t i = 0; i < sync.own.count; i++)
        see_job(&sync, sync.own.items[i]);
    forget_missing(&sync);
    if (cron_job->meta.deletion_time != TIME_NONE) {
        decision->action = CRON_IS_DELETED;
        return;
    }
    if (!read_schedule(&sync))
        return;
    const int64_t time = time_to_start(&sync);
    if (time != TIME_NONE)
        start(&sync, time);
    else if (decision->action != CRON_NO_TIME)
        requeue(&sync);
}
