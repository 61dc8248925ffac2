/* SPDX-License-Identifier: Apache-2.0 */
/* `fathom decide job`: the Job controller's sync of the one Job given. */
#include "decide/claim.h"
#include "decide/controller/job_backoff.h"
#include "decide/controller/job_controller.h"
#include "decide/decider.h"
#include "decide/features.h"
#include "decide/scenario.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* The Job, its pods, and what was decided. */
struct job_case {
    const struct job *job;
    VEC(const struct pod *) pods; /* by index of the class */
    VEC(struct job_pod_class) classes;
    struct job_input input;
    struct job_decision decision;
};

static int64_t age_of(int64_t time, int64_t now)
{
    return time == TIME_NONE ? JOB_AGE_UNSET : age_at(now, time);
}

static bool lists(const struct string_list *list, const char *item)
{
    for (uint32_t i = 0; i < list->count; i++)
        if (item && strcmp(list->items[i], item) == 0)
            return true;
    return false;
}

/* The completion index of the annotation, digits only. */
static int64_t index_of(const struct pod *pod)
{
    const char *text =
        labels_find(&pod->meta.annotations, "batch.kubernetes.io/job-completion-index");
    if (!text || !*text || strlen(text) > 18)
        return JOB_NO_INDEX;
    const char *digits = *text == '+' || *text == '-' ? text + 1 : text;
    if (!*digits || digits[strspn(digits, "0123456789")])
        return JOB_NO_INDEX;
    const int64_t index = strtoll(text, NULL, 10);
    return index < 0 ? JOB_NO_INDEX : index;
}

/* The number in an annotation; 0 if it is none, or not one of 32 bits. */
static int64_t annotated_count(const struct pod *pod, const char *name)
{
    const char *text = labels_find(&pod->meta.annotations, name);
    if (!text || strlen(text) > 18)
        return 0;
    const char *digits = *text == '+' ? text + 1 : text;
    if (!*digits || digits[strspn(digits, "0123456789")])
        return 0;
    const int64_t count = strtoll(digits, NULL, 10);
    return count > INT32_MAX ? 0 : count;
}

static struct job_pod_class class_of(const struct features *features, const struct job *job,
                                     const struct pod *pod, int64_t now)
{
    struct job_pod_class class = {
        .count = 1,
        .phase = pod->status.phase,
        .terminating = pod->meta.deletion_time != TIME_NONE,
        .assigned = pod->spec.node_name != NULL,
        .ready = pod_is_ready(pod),
        .finalizer = lists(&pod->meta.finalizers, JOB_TRACKING_NAME),
        .index = index_of(pod),
        .ready_age = age_of(pod_ready_since(pod), now),
        .creation_age = age_of(pod->meta.creation_time, now),
        .match = job_policy_match(features, job, pod),
        .failures = annotated_count(pod, "batch.kubernetes.io/job-index-failure-count"),
        .finish_age = age_of(job_pod_finish_time(features, pod), now),
    };
    class.failures_all =
        class.failures +
        annotated_count(pod, "batch.kubernetes.io/job-index-ignored-failure-count");
    if (lists(&job->status.uncounted_succeeded, pod->meta.uid))
        class.uncounted = JOB_NOTED_SUCCEEDED;
    if (lists(&job->status.uncounted_failed, pod->meta.uid))
        class.uncounted = JOB_NOTED_FAILED;
    for (uint32_t i = 0; i < pod->status.container_status_count; i++) {
        const int64_t restarts = pod->status.container_statuses[i].restart_count;
        class.restarts_sum += restarts;
        if (restarts > class.restarts_most)
            class.restarts_most = restarts;
    }
    for (uint32_t i = 0; i < pod->status.init_container_status_count; i++)
        class.restarts_sum += pod->status.init_container_statuses[i].restart_count;
    return class;
}

/* Pods that the Job owns, and those without an owner that it adopts. */
static bool belongs(const struct job *job, const struct pod *pod)
{
    if (!claim_same_text(pod->meta.namespace, job->meta.namespace))
        return false;
    const enum claim claim = claim_of(&pod->meta, "Job", &job->meta, job->selector);
    return claim == CLAIM_OWNED || claim == CLAIM_ADOPT;
}

static int32_t count_vanished(const struct string_list *noted, const struct job_case *a_case)
{
    int32_t vanished = 0;
    for (uint32_t i = 0; i < noted->count; i++) {
        bool found = false;
        for (uint32_t p = 0; p < a_case->pods.count && !found; p++)
            found = a_case->pods.items[p]->meta.uid &&
                    strcmp(a_case->pods.items[p]->meta.uid, noted->items[i]) == 0;
        vanished += found ? 0 : 1;
    }
    return vanished;
}

static bool condition_is(const struct job *job, const char *type, const char *status)
{
    const struct condition *condition = conditions_find(&job->status.conditions, type);
    return condition && strcmp(condition->status, status) == 0;
}

static void fill_case(struct arena *arena, const struct objects *objects, const struct job *job,
                      int64_t now, const struct features *features, struct job_case *a_case)
{
    *a_case = (struct job_case){.job = job};
    for (uint32_t i = 0; i < objects->count; i++) {
        const struct object *object = &objects->items[i];
        if (object->kind != OBJECT_POD || !belongs(job, object->as.pod))
            continue;
        struct job_pod_class class = class_of(features, job, object->as.pod, now);
        /* Adoption adds the finalizer. */
        if (!object_meta_controller(object->meta))
            class.finalizer = true;
        VEC_PUSH(arena, &a_case->pods, object->as.pod);
        VEC_PUSH(arena, &a_case->classes, class);
    }
    const struct job_status *status = &job->status;
    a_case->input = (struct job_input){
        .features = features,
        .job = job,
        .tracking =
            features->job_tracks_always || labels_find(&job->meta.annotations, JOB_TRACKING_NAME),
        .over = condition_is(job, "Complete", "True") || condition_is(job, "Failed", "True"),
        .terminating = job->meta.deletion_time != TIME_NONE,
        .started = status->start_time != TIME_NONE,
        .start_age = status->start_time == TIME_NONE ? 0 : age_at(now, status->start_time),
        .succeeded = status->succeeded,
        .failed = status->failed,
        .completed = job_indexes_parse(arena, status->completed_indexes, job->completions.value),
        .failed_indexes = job_indexes_parse(arena, status->failed_indexes, job->completions.value),
        .target = condition_is(job, "SuccessCriteriaMet", "True") ? JOB_TARGET_SUCCESS
                  : condition_is(job, "FailureTarget", "True")    ? JOB_TARGET_FAILURE
                                                                  : JOB_NO_TARGET,
        .backs_off = true,
        .vanished_succeeded = count_vanished(&status->uncounted_succeeded, a_case),
        .vanished_failed = count_vanished(&status->uncounted_failed, a_case),
        .create_limit = -1,
        .pods = a_case->classes.items,
        .pod_count = a_case->classes.count,
    };
    if (conditions_find(&status->conditions, "Suspended"))
        a_case->input.suspension =
            condition_is(job, "Suspended", "True") ? JOB_SUSPENDED : JOB_RESUMED;
}

static const char *finish_reason(const struct job_case *a_case)
{
    const struct job *job = a_case->job;
    const struct condition *target = NULL;
    switch (a_case->decision.finish) {
    case JOB_NOT_OVER: break;
    case JOB_COMPLETE:
        return a_case->input.features->job_success_policy ? "CompletionsReached" : "";
    case JOB_BACKOFF_LIMIT_EXCEEDED: return "BackoffLimitExceeded";
    case JOB_DEADLINE_EXCEEDED: return "DeadlineExceeded";
    case JOB_POD_FAILURE_POLICY: return "PodFailurePolicy";
    case JOB_FAILED_INDEXES: return "FailedIndexes";
    case JOB_MAX_FAILED_INDEXES: return "MaxFailedIndexesExceeded";
    case JOB_SUCCESS_POLICY: return "SuccessPolicy";
    case JOB_FAILURE_TARGETED:
        target = conditions_find(&job->status.conditions, "FailureTarget");
        break;
    case JOB_SUCCESS_TARGETED:
        target = conditions_find(&job->status.conditions, "SuccessCriteriaMet");
        break;
    }
    return target && target->reason ? target->reason : "";
}

/* First how the Job will end, unless an earlier sync said so, then the end. */
static void write_end(struct arena *arena, struct json_out *json, const struct job_case *a_case)
{
    const struct job_decision *decision = &a_case->decision;
    const enum job_finish finish = decision->finish;
    const bool success = job_finish_is_success(finish);
    const char *reason = finish_reason(a_case);
    const bool targeted = finish == JOB_FAILURE_TARGETED || finish == JOB_SUCCESS_TARGETED;
    if (finish == JOB_NOT_OVER)
        return;
    if (!targeted && (a_case->input.features->job_two_steps || finish == JOB_POD_FAILURE_POLICY ||
                      finish == JOB_SUCCESS_POLICY))
        json_string(json, NULL,
                    arena_printf(arena, "%s=True:%s",
                                 success ? "SuccessCriteriaMet" : "FailureTarget", reason));
    if (decision->finished)
        json_string(json, NULL,
                    arena_printf(arena, "%s=True:%s", success ? "Complete" : "Failed", reason));
}

/* The conditions after the sync, as "Type=Status:Reason". */
static void write_conditions(struct arena *arena, struct json_out *json,
                             const struct job_case *a_case)
{
    const struct job_decision *decision = &a_case->decision;
    const struct conditions *before = &a_case->job->status.conditions;
    json_array_begin(json, "conditions");
    bool had_suspended = false;
    for (uint32_t i = 0; i < before->count; i++) {
        const struct condition *condition = &before->items[i];
        const bool suspended = strcmp(condition->type, "Suspended") == 0;
        had_suspended = had_suspended || suspended;
        if (suspended && decision->suspension_changed)
            json_string(json, NULL,
                        decision->suspension == JOB_SUSPENDED ? "Suspended=True:JobSuspended"
                                                              : "Suspended=False:JobResumed");
        else
            json_string(json, NULL,
                        arena_printf(arena, "%s=%s:%s", condition->type, condition->status,
                                     condition->reason ? condition->reason : ""));
    }
    if (!had_suspended && decision->suspension == JOB_SUSPENDED)
        json_string(json, NULL, "Suspended=True:JobSuspended");
    write_end(arena, json, a_case);
    json_array_end(json);
}

/* The names of the pods of which some count is set, sorted. */
static void write_names(struct arena *arena, struct json_out *json, const char *key,
                        const struct job_case *a_case, const int64_t *counts)
{
    VEC(const char *) names = {0};
    for (uint32_t i = 0; i < a_case->pods.count; i++)
        if (counts[i] > 0)
            VEC_PUSH(arena, &names, a_case->pods.items[i]->meta.name);
    if (names.count > 1)
        qsort(names.items, names.count, sizeof(*names.items), claim_compare_texts);
    json_array_begin(json, key);
    for (uint32_t i = 0; i < names.count; i++)
        json_string(json, NULL, names.items[i]);
    json_array_end(json);
}

static const char *error_of(struct arena *arena, const struct job_case *a_case)
{
    if (a_case->decision.new_failure)
        return arena_printf(arena, "failed pod(s) detected for job key \"%s/%s\"",
                            a_case->job->meta.namespace, a_case->job->meta.name);
    return a_case->decision.create_failed ? "exceeded quota" : NULL;
}

/* Members of the mapping that is open, in the form of recorded syncs. */
static void write_result(struct arena *arena, struct json_out *json, const struct job_case *a_case)
{
    const struct job_decision *decision = &a_case->decision;
    json_integer(json, "created", decision->created);
    json_integer(json, "createCalls", decision->create_calls);
    if (decision->created_indexes.count > 0) {
        json_array_begin(json, "createdIndexes");
        for (uint32_t i = 0; i < decision->created_indexes.count; i++)
            json_string(json, NULL,
                        arena_printf(arena, "%lld", (long long)decision->created_indexes.items[i]));
        json_array_end(json);
    }
    write_names(arena, json, "deleted", a_case, decision->deletions);
    write_names(arena, json, "finalizerRemoved", a_case, decision->finalizers_removed);
    const char *error = error_of(arena, a_case);
    if (error)
        json_string(json, "error", error);
    if (a_case->input.features->job_says_forget)
        json_boolean(json, "forget", decision->forget);
    json_object_begin(json, "status");
    json_integer(json, "active", decision->active);
    json_integer(json, "ready", decision->ready);
    json_integer(json, "succeeded", decision->succeeded);
    json_integer(json, "failed", decision->failed);
    json_string(json, "completedIndexes", job_indexes_format(arena, &decision->completed));
    if (a_case->input.features->job_pod_replacement_policy)
        json_integer(json, "terminating", decision->terminating);
    if (job_limits_indexes(a_case->input.features, a_case->input.job))
        json_string(json, "failedIndexes", job_indexes_format(arena, &decision->failed_indexes));
    if (a_case->input.tracking) {
        json_integer(json, "uncountedSucceeded", decision->uncounted_succeeded);
        json_integer(json, "uncountedFailed", decision->uncounted_failed);
    }
    write_conditions(arena, json, a_case);
    json_object_end(json);
}

static bool decide_scenario(struct arena *arena, const struct value *value,
                            const struct features *features, struct json_out *json,
                            struct problems *problems)
{
    struct scenario scenario;
    struct job_case a_case;
    int64_t limit;
    if (!scenario_read(arena, value, features, &scenario, problems) ||
        !scenario_read_integer(scenario.input, "createLimit",
                               (struct scenario_number){-1, -1, INT32_MAX}, &limit, problems))
        return false;
    const struct object *object = scenario_only(&scenario.objects, OBJECT_JOB, problems);
    if (!object)
        return false;
    fill_case(arena, &scenario.objects, object->as.job, scenario_clock(&scenario),
              &scenario.features, &a_case);
    a_case.input.create_limit = limit;
    job_decide(arena, &a_case.input, &a_case.decision);
    json_object_begin(json, "result");
    write_result(arena, json, &a_case);
    json_object_end(json);
    return true;
}

/* ---- manifests ---- */

static void explain_wanted(const struct job_case *a_case, struct text *sentences)
{
    const struct job *job = a_case->job;
    const struct job_decision *decision = &a_case->decision;
    if (!job->completions.set)
        text_printf(sentences,
                    "  Rule: without completions, parallelism %" PRId64
                    " until the first pod succeeds.\n",
                    job->parallelism.value);
    else
        text_printf(sentences,
                    "  Rule: the smaller of parallelism %" PRId64 " and completions %" PRId64
                    " less %d succeeded: %" PRId64 " wanted, %" PRId64 " active.\n",
                    job->parallelism.value, job->completions.value, decision->succeeded,
                    decision->wanted, decision->active_before);
}

static void explain_names(struct text *sentences, const struct job_case *a_case)
{
    enum { SHOWN = 10 };
    const struct job_decision *decision = &a_case->decision;
    int shown = 0;
    for (uint32_t i = 0; i < a_case->pods.count && shown < SHOWN; i++)
        if (decision->deletions[i] > 0)
            text_printf(sentences, "%s%s",
                        shown++ ? ", " : "  Deleted: ", a_case->pods.items[i]->meta.name);
    if (shown == 0)
        return;
    if (decision->deleted > shown)
        text_printf(sentences, ", and %" PRId64 " more", decision->deleted - shown);
    text_printf(sentences, ".%s\n",
                decision->tie_deleted > 0
                    ? " Others are equally good to delete; Kubernetes takes any."
                    : "");
}

static const char *action_text(struct arena *arena, const struct job_case *a_case)
{
    const struct job_decision *decision = &a_case->decision;
    switch (decision->action) {
    case JOB_NOTHING: return "creates and deletes nothing";
    case JOB_WAS_OVER: return "is over; nothing is looked at any more";
    case JOB_CREATES:
        return arena_printf(arena, "creates %" PRId64 " pod%s", decision->created,
                            decision->created == 1 ? "" : "s");
    case JOB_DELETES:
        return arena_printf(arena, "deletes %" PRId64 " pod%s", decision->deleted,
                            decision->deleted == 1 ? "" : "s");
    case JOB_WAITS: return "creates nothing until the back-off after its failures is over";
    case JOB_DELETES_ALL:
        if (job_finish_is_success(decision->finish))
            return arena_printf(arena, "has succeeded and deletes its %" PRId64 " active pod%s",
                                decision->deleted, decision->deleted == 1 ? "" : "s");
        return arena_printf(arena, "fails and deletes its %" PRId64 " active pod%s",
                            decision->deleted, decision->deleted == 1 ? "" : "s");
    case JOB_SUSPENDS:
        return arena_printf(arena, "is suspended and deletes its %" PRId64 " active pod%s",
                            decision->deleted, decision->deleted == 1 ? "" : "s");
    }
    return "";
}

static void explain(struct arena *arena, const struct job_case *a_case, struct text *sentences)
{
    const struct job *job = a_case->job;
    const struct job_decision *decision = &a_case->decision;
    text_printf(sentences, "Job %s/%s %s.\n", job->meta.namespace, job->meta.name,
                action_text(arena, a_case));
    if (decision->action == JOB_WAS_OVER)
        return;
    switch (decision->finish) {
    case JOB_NOT_OVER:
        if (!job->suspend)
            explain_wanted(a_case, sentences);
        break;
    case JOB_COMPLETE:
        text_printf(sentences, "  Complete: %d succeeded and none is active.\n",
                    decision->succeeded);
        break;
    case JOB_BACKOFF_LIMIT_EXCEEDED:
        text_printf(sentences, "  BackoffLimitExceeded: backoffLimit is %d.\n", job->backoff_limit);
        break;
    case JOB_DEADLINE_EXCEEDED:
        text_printf(sentences, "  DeadlineExceeded: activeDeadlineSeconds is %" PRId64 ".\n",
                    job->active_deadline_seconds.value);
        break;
    case JOB_POD_FAILURE_POLICY:
        text_printf(sentences, "  PodFailurePolicy: a failed pod matches a rule with FailJob.\n");
        break;
    case JOB_FAILED_INDEXES:
    case JOB_MAX_FAILED_INDEXES:
        text_printf(sentences, "  %s: indexes %s failed.\n", finish_reason(a_case),
                    job_indexes_format(arena, &decision->failed_indexes));
        break;
    case JOB_SUCCESS_POLICY:
        text_printf(sentences, "  SuccessPolicy: the succeeded indexes meet a rule.\n");
        break;
    case JOB_FAILURE_TARGETED:
    case JOB_SUCCESS_TARGETED:
        text_printf(sentences, "  %s, as an earlier sync decided.\n", finish_reason(a_case));
        break;
    }
    explain_names(sentences, a_case);
    if (decision->created_indexes.count > 0)
        text_printf(sentences,
                    "  The lowest indexes that are neither done nor active, from %" PRId64 " on.\n",
                    decision->created_indexes.items[0]);
    text_printf(sentences, "  Status: %d active, %d succeeded, %d failed.\n", decision->active,
                decision->succeeded, decision->failed);
    if (decision->new_failure)
        text_printf(sentences, "  A pod failed: the next sync waits for the back-off (10 s, "
                               "doubled up to 360 s).\n");
}

static bool decide_objects(struct arena *arena, const struct objects *objects,
                           const struct decide_choice *choice, struct json_out *json,
                           struct text *sentences, struct problems *problems)
{
    (void)problems;
    uint32_t found = 0;
    json_array_begin(json, "result");
    for (uint32_t i = 0; i < objects->count; i++) {
        const struct object *object = &objects->items[i];
        struct job_case a_case;
        if (object->kind != OBJECT_JOB)
            continue;
        found++;
        fill_case(arena, objects, object->as.job, scenario_present(objects), &choice->features,
                  &a_case);
        job_decide(arena, &a_case.input, &a_case.decision);
        json_object_begin(json, NULL);
        json_string(json, "namespace", object->meta->namespace);
        json_string(json, "name", object->meta->name);
        write_result(arena, json, &a_case);
        json_object_end(json);
        explain(arena, &a_case, sentences);
    }
    json_array_end(json);
    if (found == 0)
        text_printf(sentences, "There is no Job among the objects.\n");
    return true;
}

const struct decider decider_job = {
    .name = "job",
    .summary = "which pods a Job creates, deletes and counts, and whether it is over",
    .decide_scenario = decide_scenario,
    .decide_objects = decide_objects,
};
