/* SPDX-License-Identifier: Apache-2.0 */
#include "object/cron_schedule.h"
#include "object/kind.h"
#include "object/time_zone.h"
#include "object/workload_parts.h"

#include <string.h>

enum {
    /* A Job's name is its CronJob's with 11 more characters. */
    NAME_MOST = 52,
    SUCCESSFUL_LIMIT = 3,
    FAILED_LIMIT = 1,
};

static const struct enum_name concurrency_policies[] = {
    {"Allow", CONCURRENCY_ALLOW},
    {"Forbid", CONCURRENCY_FORBID},
    {"Replace", CONCURRENCY_REPLACE},
    {0},
};

static const struct field template_fields[] = {
    FIELD_STRUCT("metadata", job, meta, 0, object_meta_schema),
    FIELD_NESTED("spec", FIELD_REQUIRED, job_spec_schema),
};
static const struct schema template_schema = SCHEMA_COMPLETE(job, template_fields, nothing_unused);

static const struct field spec_fields[] = {
    FIELD_ENUM("concurrencyPolicy", cron_job, concurrency_policy, 0, concurrency_policies,
               CONCURRENCY_ALLOW),
    FIELD_INT32("failedJobsHistoryLimit", cron_job, failed_jobs_history_limit, 0, 0, INT32_MAX,
                FAILED_LIMIT),
    FIELD_STRUCT("jobTemplate", cron_job, job_template, FIELD_REQUIRED, template_schema),
    FIELD_STRING("schedule", cron_job, schedule, FIELD_REQUIRED),
    FIELD_OPTIONAL_INT("startingDeadlineSeconds", cron_job, starting_deadline_seconds, 0,
                       INT64_MAX),
    FIELD_INT32("successfulJobsHistoryLimit", cron_job, successful_jobs_history_limit, 0, 0,
                INT32_MAX, SUCCESSFUL_LIMIT),
    FIELD_BOOLEAN("suspend", cron_job, suspend, false),
    FIELD_STRING("timeZone", cron_job, time_zone, FIELD_KEEP_EMPTY),
};
static const struct schema spec_schema = SCHEMA_COMPLETE(cron_job, spec_fields, nothing_unused);

static const struct field reference_fields[] = {
    FIELD_STRING("name", job_reference, name, 0),
    FIELD_STRING("namespace", job_reference, namespace, 0),
    FIELD_STRING("uid", job_reference, uid, 0),
};
static const struct schema reference_schema = SCHEMA(job_reference, reference_fields);

static const struct field status_fields[] = {
    FIELD_LIST("active", cron_job_status, active, active_count, 0, reference_schema),
    FIELD_INSTANT("lastScheduleTime", cron_job_status, last_schedule_time),
    FIELD_INSTANT("lastSuccessfulTime", cron_job_status, last_successful_time),
};
static const struct schema status_schema = SCHEMA(cron_job_status, status_fields);

static const struct field fields[] = {
    FIELD_STRUCT("metadata", cron_job, meta, 0, object_meta_schema),
    FIELD_NESTED("spec", FIELD_REQUIRED, spec_schema),
    FIELD_STRUCT("status", cron_job, status, 0, status_schema),
};
static const struct schema schema = SCHEMA_COMPLETE(cron_job, fields, object_unused);

static void set_defaults(struct arena *arena, void *object)
{
    struct cron_job *cron_job = object;
    job_set_defaults(arena, &cron_job->job_template);
}

static void validate_schedule(struct reading *reading, const struct path *spec,
                              const struct cron_job *cron_job)
{
    const struct path schedule_path = path_field(spec, "schedule");
    const struct path zone_path = path_field(spec, "timeZone");
    const char *why = NULL;
    struct cron_schedule schedule;
    if (cron_job->time_zone &&
        (strcmp(cron_job->time_zone, "") == 0 || strcmp(cron_job->time_zone, "Local") == 0 ||
         time_zone_load(reading->problems->arena, cron_job->time_zone, NULL) == TIME_ZONE_UNKNOWN))
        reading_error(reading, &zone_path,
                      "expected the name of a time zone such as Europe/Berlin, found \"%s\"",
                      cron_job->time_zone);
    if (cron_job->schedule && cron_job->time_zone && strstr(cron_job->schedule, "TZ"))
        reading_error(reading, &schedule_path, "expected no TZ beside spec.timeZone");
    if (cron_job->schedule &&
        !cron_schedule_parse(reading->problems->arena, cron_job->schedule, NULL, &schedule, &why))
        reading_error(reading, &schedule_path, "%s, found \"%s\"", why, cron_job->schedule);
}

static void validate(struct reading *reading, const struct path *path, const void *object)
{
    const struct cron_job *cron_job = object;
    const struct path meta = path_field(path, "metadata");
    const struct path name = path_field(&meta, "name");
    const struct path spec = path_field(path, "spec");
    const struct path template = path_field(&spec, "jobTemplate");
    object_meta_validate(reading, &meta, &cron_job->meta, NAME_DNS_SUBDOMAIN);
    if (cron_job->meta.name && strlen(cron_job->meta.name) > NAME_MOST)
        reading_error(reading, &name, "expected at most %d characters, found %zu", NAME_MOST,
                      strlen(cron_job->meta.name));
    validate_schedule(reading, &spec, cron_job);
    job_spec_validate(reading, &template, &cron_job->job_template);
}

static const struct kind_version versions[] = {{.api_version = "batch/v1", .schema = &schema}, {0}};
const struct kind_type cron_job_kind = {
    .versions = versions,
    .namespaced = true,
    .set_defaults = set_defaults,
    .validate = validate,
};
