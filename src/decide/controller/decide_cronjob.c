/* SPDX-License-Identifier: Apache-2.0 */
/* `fathom decide cronjob`: the CronJob controller's sync of the one CronJob given. */
#include "decide/claim.h"
#include "decide/controller/cron_job_controller.h"
#include "decide/decider.h"
#include "decide/scenario.h"
#include "object/time.h"

#include <inttypes.h>
#include <stdlib.h>

static bool read_case(struct arena *arena, const struct objects *objects, int64_t now,
                      struct cron_job_input *input, struct problems *problems)
{
    const struct object *object = scenario_only(objects, OBJECT_CRON_JOB, problems);
    if (!object)
        return false;
    const char *zone = object->as.cron_job->time_zone;
    if (zone && time_zone_load(arena, zone, NULL) == TIME_ZONE_NO_DATABASE) {
        problem_error(problems, object->place, "spec.timeZone",
                      "%s is looked up in /usr/share/zoneinfo or $ZONEINFO, and neither is there",
                      zone);
        return false;
    }
    VEC(const struct job *) jobs = {0};
    for (uint32_t i = 0; i < objects->count; i++)
        if (objects->items[i].kind == OBJECT_JOB &&
            claim_same_text(objects->items[i].meta->namespace, object->meta->namespace))
            VEC_PUSH(arena, &jobs, objects->items[i].as.job);
    *input = (struct cron_job_input){
        .cron_job = object->as.cron_job, .jobs = jobs.items, .job_count = jobs.count, .now = now};
    return true;
}

static void write_texts(struct json_out *json, const char *key, const cron_texts *texts)
{
    if (texts->count == 0)
        return;
    qsort(texts->items, texts->count, sizeof(*texts->items), claim_compare_texts);
    json_array_begin(json, key);
    for (uint32_t i = 0; i < texts->count; i++)
        json_string(json, NULL, texts->items[i]);
    json_array_end(json);
}

static void write_time(struct arena *arena, struct json_out *json, const char *key, int64_t time)
{
    if (time != TIME_NONE)
        json_string(json, key, time_format(arena, time));
}

/* Members of the mapping that is open, in the form of recorded syncs. */
static void write_result(struct arena *arena, struct json_out *json,
                         const struct cron_job_decision *decision)
{
    cron_texts active = {0};
    for (uint32_t i = 0; i < decision->active.count; i++)
        if (decision->active.items[i].name)
            VEC_PUSH(arena, &active, decision->active.items[i].name);
    write_texts(json, "active", &active);
    if (decision->created) {
        json_array_begin(json, "created");
        json_string(json, NULL, decision->created);
        json_array_end(json);
    }
    write_texts(json, "deleted", &decision->deleted);
    write_texts(json, "events", &decision->events);
    write_time(arena, json, "lastScheduleTime", decision->last_schedule_time);
    write_time(arena, json, "lastSuccessfulTime", decision->last_successful_time);
    if (decision->requeues)
        json_number(json, "requeueAfter", (double)decision->requeue_after / NANOSECONDS_PER_SECOND);
    json_boolean(json, "updateStatus", decision->update_status);
}

static void write_decision(struct arena *arena, struct json_out *json,
                           const struct cron_job_decision *decision)
{
    json_object_begin(json, "result");
    write_result(arena, json, decision);
    json_object_end(json);
}

static bool decide_scenario(struct arena *arena, const struct value *value,
                            const struct features *features, struct json_out *json,
                            struct problems *problems)
{
    struct features stated = *features; /* no rule of CronJobs depends on it */
    struct objects objects = {0};
    struct cron_job_input input;
    struct cron_job_decision decision;
    int64_t now;
    if (!scenario_read_features(value, &stated, problems) ||
        !scenario_read_unvalidated(arena, value_find(value, "objects"), &objects, problems) ||
        !scenario_read_time(value, "now", &now, problems))
        return false;
    if (!read_case(arena, &objects, now == TIME_NONE ? scenario_present(&objects) : now, &input,
                   problems))
        return false;
    cron_job_decide(arena, &input, &decision);
    write_decision(arena, json, &decision);
    return true;
}

/* ---- manifests ---- */

static const char *action_text(struct arena *arena, const struct cron_job_decision *decision)
{
    switch (decision->action) {
    case CRON_STARTS_JOB:
        return arena_printf(arena, "starts Job %s, the one of %s",
                            decision->created ? decision->created : "(which is there already)",
                            time_format(arena, decision->time));
    case CRON_IS_DELETED: return "is being deleted and starts nothing";
    case CRON_IS_SUSPENDED: return "is suspended and starts nothing";
    case CRON_UNKNOWN_ZONE: return "starts nothing: its time zone is not known";
    case CRON_BAD_SCHEDULE: return "starts nothing: its schedule cannot be read";
    case CRON_NO_TIME: return "starts nothing: no date fits its schedule";
    case CRON_NOT_YET: return "starts nothing: no time of its schedule has come since the last";
    case CRON_TOO_LATE: return "starts nothing: startingDeadlineSeconds have passed";
    case CRON_DONE_ALREADY: return "starts nothing: the Job of this time was started before";
    case CRON_FORBIDDEN: return "starts nothing: a Job is active, and concurrencyPolicy is Forbid";
    case CRON_JOB_OF_OTHERS:
        return "starts nothing: there is a Job of the name, and it is none of the CronJob's";
    }
    return "";
}

static void explain(struct arena *arena, const struct cron_job_input *input,
                    const struct cron_job_decision *decision, struct text *sentences)
{
    const struct object_meta *meta = &input->cron_job->meta;
    text_printf(sentences, "CronJob %s/%s %s.\n", meta->namespace, meta->name,
                action_text(arena, decision));
    text_printf(sentences, "  The present is %s, the latest time in the objects.\n",
                time_format(arena, input->now));
    for (uint32_t i = 0; i < decision->deleted.count; i++)
        text_printf(sentences, "%s%s%s", i ? ", " : "  Deleted: ", decision->deleted.items[i],
                    i + 1 == decision->deleted.count ? ".\n" : "");
    if (decision->requeues)
        text_printf(sentences, "  Next sync at %s.\n",
                    time_format(arena, input->now + decision->requeue_after));
}

static bool decide_objects(struct arena *arena, const struct objects *objects,
                           const struct decide_choice *choice, struct json_out *json,
                           struct text *sentences, struct problems *problems)
{
    (void)choice;
    struct cron_job_input input;
    struct cron_job_decision decision;
    if (!read_case(arena, objects, scenario_present(objects), &input, problems))
        return false;
    cron_job_decide(arena, &input, &decision);
    write_decision(arena, json, &decision);
    explain(arena, &input, &decision, sentences);
    return true;
}

const struct decider decider_cronjob = {
    .name = "cronjob",
    .summary = "which Job a CronJob starts, and which of its Jobs are deleted",
    .decide_scenario = decide_scenario,
    .decide_objects = decide_objects,
};
