/* SPDX-License-Identifier: Apache-2.0 */
#include "object/kind.h"
#include "object/names.h"
#include "object/workload_parts.h"

#include <string.h>

static const struct enum_name completion_modes[] = {
    {"NonIndexed", COMPLETION_NON_INDEXED},
    {"Indexed", COMPLETION_INDEXED},
    {0},
};

static const struct enum_name replacement_policies[] = {
    {"Failed", REPLACEMENT_FAILED},
    {"TerminatingOrFailed", REPLACEMENT_TERMINATING},
    {0},
};

enum { INDEXED_PARALLELISM_MOST = 100000, BACKOFF_LIMIT_DEFAULT = 6, JOB_NAME_MOST = 63 };

static const struct field job_spec_fields[] = {
    FIELD_OPTIONAL_INT("activeDeadlineSeconds", job, active_deadline_seconds, 0, INT64_MAX),
    FIELD_INT32("backoffLimit", job, backoff_limit, 0, 0, INT32_MAX, -1),
    FIELD_OPTIONAL_INT("backoffLimitPerIndex", job, backoff_limit_per_index, 0, INT32_MAX),
    FIELD_ENUM("completionMode", job, completion_mode, 0, completion_modes, COMPLETION_NON_INDEXED),
    FIELD_OPTIONAL_INT("completions", job, completions, 0, INT32_MAX),
    FIELD_STRING("managedBy", job, managed_by, 0),
    FIELD_BOOLEAN("manualSelector", job, manual_selector, false),
    FIELD_OPTIONAL_INT("maxFailedIndexes", job, max_failed_indexes, 0, INT32_MAX),
    FIELD_OPTIONAL_INT("parallelism", job, parallelism, 0, INT32_MAX),
    FIELD_POINTER("podFailurePolicy", job, pod_failure_policy, 0, pod_failure_policy_schema),
    FIELD_ENUM("podReplacementPolicy", job, pod_replacement_policy, 0, replacement_policies,
               REPLACEMENT_UNSET),
    FIELD_POINTER("selector", job, selector, 0, label_selector_schema),
    FIELD_POINTER("successPolicy", job, success_policy, 0, success_policy_schema),
    FIELD_BOOLEAN("suspend", job, suspend, false),
    FIELD_STRUCT("template", job, template, FIELD_REQUIRED, pod_template_schema),
    FIELD_OPTIONAL_INT("ttlSecondsAfterFinished", job, ttl_seconds_after_finished, 0, INT32_MAX),
};
const struct schema job_spec_schema = SCHEMA_COMPLETE(job, job_spec_fields, nothing_unused);

static const struct field uncounted_fields[] = {
    FIELD_STRINGS("failed", job_status, uncounted_failed, 0),
    FIELD_STRINGS("succeeded", job_status, uncounted_succeeded, 0),
};
static const struct schema uncounted_schema =
    SCHEMA_COMPLETE(job_status, uncounted_fields, nothing_unused);

static const struct field job_status_fields[] = {
    FIELD_INT32("active", job_status, active, 0, 0, INT32_MAX, 0),
    FIELD_STRING("completedIndexes", job_status, completed_indexes, 0),
    FIELD_INSTANT("completionTime", job_status, completion_time),
    FIELD_LIST("conditions", job_status, conditions.items, conditions.count, 0, condition_schema),
    FIELD_INT32("failed", job_status, failed, 0, 0, INT32_MAX, 0),
    FIELD_STRING("failedIndexes", job_status, failed_indexes, 0),
    FIELD_OPTIONAL_INT("ready", job_status, ready, 0, INT32_MAX),
    FIELD_INSTANT("startTime", job_status, start_time),
    FIELD_INT32("succeeded", job_status, succeeded, 0, 0, INT32_MAX, 0),
    FIELD_NESTED("uncountedTerminatedPods", 0, uncounted_schema),
};
static const struct schema job_status_schema = SCHEMA(job_status, job_status_fields);

static const struct field job_fields[] = {
    FIELD_STRUCT("metadata", job, meta, 0, object_meta_schema),
    FIELD_NESTED("spec", FIELD_REQUIRED, job_spec_schema),
    FIELD_STRUCT("status", job, status, 0, job_status_schema),
};
static const struct schema job_schema = SCHEMA_COMPLETE(job, job_fields, object_unused);

/* The API server makes the selector from the job's uid, which a manifest does
 * not have; the name does as well, since it is unique among living jobs. */
static void selector_set_default(struct arena *arena, struct job *job)
{
    if (job->manual_selector || job->selector || !job->meta.name)
        return;
    /* A wrong name is told where it stands, and not once more as a label. */
    const char *name = name_is_label_value(job->meta.name) ? job->meta.name : "wrong-name";
    const char *uid = job->meta.uid ? job->meta.uid : name;
    job->selector = ARENA_NEW(arena, struct label_selector);
    labels_set(arena, &job->selector->match_labels, "controller-uid", uid);
    labels_set(arena, &job->template.meta.labels, "controller-uid", uid);
    labels_set(arena, &job->template.meta.labels, "job-name", name);
}

void job_set_defaults(struct arena *arena, void *object)
{
    struct job *job = object;
    const struct optional_int one = {.set = true, .value = 1};
    if (!job->completions.set && !job->parallelism.set)
        job->completions = one;
    if (!job->parallelism.set)
        job->parallelism = one;
    job->backoff_limit_given = job->backoff_limit >= 0;
    if (!job->backoff_limit_given)
        job->backoff_limit = BACKOFF_LIMIT_DEFAULT;
    selector_set_default(arena, job);
    if (!job->meta.labels.count)
        job->meta.labels = job->template.meta.labels;
    pod_spec_set_defaults(arena, &job->template.spec);
}

static void completions_validate(struct reading *reading, const struct path *path,
                                 const struct job *job)
{
    const struct path completions = path_field(path, "completions");
    const struct path parallelism = path_field(path, "parallelism");
    if (job->completion_mode != COMPLETION_INDEXED)
        return;
    if (!job->completions.set && reading_is_sound(reading, &completions))
        reading_missing(reading, &completions);
    if (job->parallelism.value > INDEXED_PARALLELISM_MOST)
        reading_error(reading, &parallelism,
                      "expected at most %d with completionMode Indexed, found %lld",
                      INDEXED_PARALLELISM_MOST, (long long)job->parallelism.value);
}

static void restart_policy_validate(struct reading *reading, const struct path *path,
                                    const struct job *job)
{
    const struct path template = path_field(path, "template");
    const struct path spec = path_field(&template, "spec");
    const struct path restart_policy = path_field(&spec, "restartPolicy");
    if (job->template.spec.restart_policy != RESTART_ALWAYS)
        return;
    const bool given = !value_is_null(path_value(reading->root, &restart_policy));
    reading_error(reading, &restart_policy, "expected OnFailure or Never, found %s",
                  given ? "\"Always\"" : "none, which means Always");
}

void job_spec_validate(struct reading *reading, const struct path *path, const struct job *job)
{
    const struct path spec = path_field(path, "spec");
    const struct path selector = path_field(&spec, "selector");
    if (job->manual_selector && !job->selector && reading_is_sound(reading, &selector))
        reading_missing(reading, &selector);
    workload_selector_validate(reading, &spec, job->selector, &job->template);
    template_validate(reading, &spec, &job->template);
    restart_policy_validate(reading, &spec, job);
    completions_validate(reading, &spec, job);
}

static void job_validate(struct reading *reading, const struct path *path, const void *object)
{
    const struct job *job = object;
    const struct path meta = path_field(path, "metadata");
    const struct path name = path_field(&meta, "name");
    object_meta_validate(reading, &meta, &job->meta, NAME_DNS_SUBDOMAIN);
    if (!job->manual_selector && job->meta.name && strlen(job->meta.name) > JOB_NAME_MOST)
        reading_error(reading, &name,
                      "expected at most %d characters, because the pods of a Job have its name as "
                      "the label batch.kubernetes.io/job-name, found %zu",
                      JOB_NAME_MOST, strlen(job->meta.name));
    job_spec_validate(reading, path, job);
}

static const struct kind_version job_versions[] = {
    {.api_version = "batch/v1", .schema = &job_schema}, {0}};
const struct kind_type job_kind = {
    .versions = job_versions,
    .namespaced = true,
    .set_defaults = job_set_defaults,
    .validate = job_validate,
};
