/* SPDX-License-Identifier: Apache-2.0 */
#include "setup/cron_jobs.h"

#include "base/vec.h"
#include "manifest/document.h"
#include "object/admission.h"
#include "object/time.h"
#include "object/workload_parts.h"
#include "setup/cron_calendar.h"
#include "setup/run_time.h"
#include "setup/scope_building.h"

/* ---- which of them go by the calendar ---- */

bool cron_job_is_meant(const struct check_intent *intent, const struct object *cron_job)
{
    return intent->kind == INTENT_JOBS_AT_MOST && cron_job->kind == OBJECT_CRON_JOB &&
           (!intent->workload.name || object_name_matches(&intent->workload, cron_job));
}

/* The most Jobs that an intent allows it; -1: none is about it. */
static int32_t allowed_by(const struct check_intent *intents, uint32_t count,
                          const struct object *cron_job)
{
    int32_t most = -1;
    for (uint32_t i = 0; i < count; i++)
        if (cron_job_is_meant(&intents[i], cron_job) && intents[i].value > most)
            most = intents[i].value;
    return most;
}

static bool time_may_be_clocked(const struct scope_building *building)
{
    const struct check *check = building->scope->check;
    const enum check_time time =
        building->options->time != TIME_UNSET || !check ? building->options->time : check->time;
    return time != TIME_ASYNCHRONOUS && building->scope->start != START_OBSERVED;
}

static void follow(struct scope_building *building, const struct object *object, int32_t allowed,
                   struct setup_cron_job *cron_job)
{
    /* One Job too many, and one whose pods still terminate. */
    enum { PLACES_BEYOND = 2 };
    struct cron_calendar *calendar = ARENA_NEW(building->arena, struct cron_calendar);
    const char *why = NULL;
    if (allowed > CRON_JOBS_MOST)
        problem_error(building->problems, object->place, NULL,
                      "jobsAtMost: expected a value of at most %d, found %d", CRON_JOBS_MOST,
                      allowed);
    else if (!cron_calendar_find(building->arena, object->as.cron_job, calendar, &why))
        problem_error(building->problems, object->place, "spec.schedule",
                      "verify cannot go by the schedule \"%s\", which %s (jobsAtMost can be "
                      "limited to other CronJobs by its workload); nothing is verified",
                      object->as.cron_job->schedule, why);
    *cron_job = (struct setup_cron_job){
        .object = object,
        .calendar = calendar,
        .place_count = (uint32_t)(allowed > CRON_JOBS_MOST ? 0 : allowed) + PLACES_BEYOND,
    };
}

void scope_find_cron_jobs(struct scope_building *building, const struct objects *objects)
{
    struct scope *scope = building->scope;
    const bool own = building->options->intent_count > 0 || !scope->check;
    const struct check_intent *intents = own ? building->options->intents : scope->check->intents;
    const uint32_t count = own ? building->options->intent_count : scope->check->intent_count;
    if (!time_may_be_clocked(building))
        return;
    scope->cron_jobs = ARENA_ARRAY(building->arena, struct setup_cron_job, objects->count + 1);
    for (uint32_t i = 0; i < objects->count; i++) {
        const struct object *object = &objects->items[i];
        const int32_t allowed = allowed_by(intents, count, object);
        if (allowed >= 0 && !object->as.cron_job->suspend)
            follow(building, object, allowed, &scope->cron_jobs[scope->cron_job_count++]);
    }
}

static struct setup_cron_job *find_cron_job(const struct scope *scope, const struct object *object)
{
    for (uint32_t c = 0; scope && c < scope->cron_job_count; c++)
        if (scope->cron_jobs[c].object->meta == object->meta)
            return &scope->cron_jobs[c];
    return NULL;
}

/* ---- their Jobs ---- */

/* The template of the Job has the shape of a Job, so that reports find its lines. */
static const struct document *source_of(struct arena *arena, const struct object *cron_job)
{
    const struct value *spec =
        cron_job->source ? value_find(&cron_job->source->root, "spec") : NULL;
    const struct value *template = value_find(spec, "jobTemplate");
    if (value_is_null(template))
        return NULL;
    struct document *document = arena_copy(arena, cron_job->source, sizeof(*document));
    document->root = *template;
    return document;
}

static struct object job_of(struct arena *arena, const struct object *cron_job, const char *name)
{
    const struct job *template = &cron_job->as.cron_job->job_template;
    struct job *job = arena_copy(arena, template, sizeof(*job));
    job->meta.name = name;
    job->meta.namespace = cron_job->meta->namespace;
    job_set_defaults(arena, job);
    struct object object = {
        .kind = OBJECT_JOB,
        .api_version = "batch/v1",
        .kind_name = "Job",
        .place = cron_job->place,
        .source = source_of(arena, cron_job),
        .meta = &job->meta,
    };
    object.as.job = job;
    return object;
}

/* Adds a Job for each place of the CronJob, or just one. */
static void add_jobs(struct arena *arena, const struct objects *objects,
                     const struct object *object, struct setup_cron_job *cron_job,
                     struct objects *jobs)
{
    const char *name = object->meta->name;
    if (!cron_job) {
        if (objects_find(objects, OBJECT_JOB, object->meta->namespace, name))
            return;
        const struct object job = job_of(arena, object, name);
        objects_put(arena, jobs, &job);
        return;
    }
    cron_job->first_object = objects->count + jobs->count;
    for (uint32_t number = 1, made = 0; made < cron_job->place_count; number++) {
        const char *of_place = arena_printf(arena, "%s-%u", name, number);
        if (objects_find(objects, OBJECT_JOB, object->meta->namespace, of_place))
            continue;
        const struct object job = job_of(arena, object, of_place);
        objects_put(arena, jobs, &job);
        made++;
    }
}

const struct objects *objects_with_cron_jobs(struct arena *arena, const struct objects *objects,
                                             const struct scope *scope, struct problems *problems)
{
    struct objects jobs = {0};
    for (uint32_t i = 0; i < objects->count; i++)
        if (objects->items[i].kind == OBJECT_CRON_JOB && !objects->items[i].as.cron_job->suspend)
            add_jobs(arena, objects, &objects->items[i], find_cron_job(scope, &objects->items[i]),
                     &jobs);
    if (jobs.count == 0)
        return objects;
    objects_admit_into(arena, &jobs, objects, NULL, problems);
    struct objects *all = ARENA_NEW(arena, struct objects);
    for (uint32_t i = 0; i < objects->count; i++)
        objects_put(arena, all, &objects->items[i]);
    for (uint32_t i = 0; i < jobs.count; i++)
        objects_put(arena, all, &jobs.items[i]);
    return all;
}

void scope_place_cron_jobs(struct scope_building *building)
{
    const struct scope *scope = building->scope;
    for (uint32_t c = 0; c < scope->cron_job_count; c++) {
        struct setup_cron_job *cron_job = &scope->cron_jobs[c];
        const struct object *first = &scope->objects->items[cron_job->first_object];
        uint32_t w = 0;
        while (building->workloads.items[w].object != first)
            w++;
        cron_job->first_workload = w;
        for (uint32_t i = 0; i < cron_job->place_count; i++) {
            struct setup_workload *place = &building->workloads.items[w + i];
            place->comes_later = true;
            place->cron_job = cron_job->object;
            place->least = 0;
            place->most = 0;
        }
    }
}

/* ---- what is assumed ---- */

static const char *run_time_words(struct arena *arena, const struct cron_job *cron_job)
{
    const struct run_time run_time = run_time_of(arena, &cron_job->job_template.template);
    if (!run_time.given)
        return "any time, because no annotation " ANNOTATION_RUN_TIME " says how long";
    const char *least = duration_format(arena, run_time.least);
    return run_time.least == run_time.most
               ? least
               : arena_printf(arena, "%s to %s", least, duration_format(arena, run_time.most));
}

static const char *sentence_of(struct arena *arena, const struct object *object,
                               const struct setup_cron_job *cron_job)
{
    const struct cron_job *source = object->as.cron_job;
    const char *name =
        arena_printf(arena, "CronJob/%s/%s", object->meta->namespace, object->meta->name);
    if (source->suspend)
        return arena_printf(arena, "%s is suspended and makes no Jobs", name);
    if (!cron_job)
        return arena_printf(arena,
                            "%s stands for one Job that it makes, which is there from the "
                            "beginning: its schedule, later Jobs and Jobs that overlap are left "
                            "out",
                            name);
    const bool many = cron_job->calendar->length > CALENDAR_ALL_STARTS_NS;
    return arena_printf(arena,
                        "%s makes Jobs by its schedule \"%s\", as soon as a time has come; a pod "
                        "of them runs for %s%s",
                        name, source->schedule, run_time_words(arena, source),
                        many ? "; runs begin when such a time comes, or just before" : "");
}

struct string_list cron_jobs_assumed(struct arena *arena, const struct objects *objects,
                                     const struct scope *scope)
{
    VEC(const char *) sentences = {0};
    for (uint32_t i = 0; i < objects->count; i++)
        if (objects->items[i].kind == OBJECT_CRON_JOB)
            VEC_PUSH(
                arena, &sentences,
                sentence_of(arena, &objects->items[i], find_cron_job(scope, &objects->items[i])));
    return (struct string_list){sentences.items, sentences.count};
}
