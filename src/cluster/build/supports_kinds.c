/* SPDX-License-Identifier: Apache-2.0 */
/* What the model does not do with workloads of certain kinds, and what their
 * templates may say about their pods. */
#include "cluster/build/supports_kinds.h"
#include "cluster/build/build_pods.h"
#include "cluster/build/supports_jobs.h"
#include "cluster/intent/registry.h"
#include "cluster/intent_class.h"
#include "cluster/state/workloads.h"
#include "decide/controller/deployment/template_signature.h"
#include "manifest/document.h"
#include "setup/setup.h"

#include <string.h>

static void check_outcome(const struct object *object, const struct value *value, const char *text,
                          struct problems *problems)
{
    enum pod_outcome outcome;
    if (!pod_outcome_parse(text, &outcome))
        problem_error(problems, value_place(value), NULL,
                      "expected succeeds, fails or either, found \"%s\"", text);
    else if (object->kind != OBJECT_JOB)
        problem_error(problems, value_place(value), NULL,
                      "expected " ANNOTATION_OUTCOME " in a Job only: the containers of a %s are "
                      "started again",
                      object->kind_name);
    else if (outcome != OUTCOME_SUCCEEDS &&
             object->as.job->template.spec.restart_policy != RESTART_NEVER)
        problem_error(problems, value_place(value), NULL,
                      "verify does not model restarts of containers: expected restartPolicy Never "
                      "where pods may fail; nothing is verified");
}

static void check_run_time(const struct object *object, const struct value *value, const char *text,
                           struct problems *problems)
{
    struct run_time run_time;
    if (!run_time_parse(problems->arena, text, &run_time))
        problem_error(problems, value_place(value), NULL,
                      "expected a duration such as 7m, or 5m-15m, found \"%s\"", text);
    else if (object->kind != OBJECT_JOB)
        problem_error(problems, value_place(value), NULL,
                      "expected " ANNOTATION_RUN_TIME " in a Job only: the containers of a %s are "
                      "started again",
                      object->kind_name);
}

/* How the pods of a template behave is said by annotations (docs/formats.md). */
static void check_annotation(const struct object *object, const struct value *annotations,
                             const struct member *member, struct problems *problems)
{
    const char *text = NULL;
    if (strncmp(member->key, "fathom.dev/", strlen("fathom.dev/")) != 0 ||
        !value_read_string(&member->value, &text))
        return;
    if (strcmp(member->key, ANNOTATION_OUTCOME) == 0)
        check_outcome(object, &member->value, text, problems);
    else if (strcmp(member->key, ANNOTATION_RUN_TIME) == 0)
        check_run_time(object, &member->value, text, problems);
    else if (strcmp(member->key, ANNOTATION_NEVER_READY) != 0)
        problem_error(problems, member_place(annotations, member), NULL,
                      "unknown annotation \"%s\" (there are " ANNOTATION_NEVER_READY
                      ", " ANNOTATION_OUTCOME " and " ANNOTATION_RUN_TIME ")",
                      member->key);
    else if (strcmp(text, "true") != 0 && strcmp(text, "false") != 0)
        problem_error(problems, value_place(&member->value), NULL,
                      "expected \"true\" or \"false\", found \"%s\"", text);
}

static void check_annotations(const struct object *object, struct problems *problems)
{
    const struct value *annotations =
        value_find(value_find(workload_template_source(object), "metadata"), "annotations");
    if (!annotations || annotations->kind != VALUE_MAPPING)
        return;
    VALUE_EACH_MEMBER(annotations, member)
    {
        check_annotation(object, annotations, member, problems);
    }
}

/* Applied may be workloads, new ones or others in place of those that are there, and what no
 * controller of the model looks at. */
static void check_applied_kind(const struct object *applied, struct problems *problems)
{
    if (!workload_template(applied) && applied->kind != OBJECT_NAMESPACE &&
        applied->kind != OBJECT_PRIORITY_CLASS && applied->kind != OBJECT_RUNTIME_CLASS &&
        applied->kind != OBJECT_LIMIT_RANGE)
        problem_error(problems, applied->place, NULL,
                      "verify does not model that %s objects are applied during a run; nothing "
                      "is verified",
                      applied->kind_name);
}

/* A ReplicaSet leaves the pods that it has alone when its template changes; that of
 * a Job cannot be changed. */
static void check_applied(const struct scope *scope, const struct object *applied,
                          struct problems *problems)
{
    for (uint32_t w = 0; w < scope->workload_count; w++) {
        const struct object *object = scope->workloads[w].object;
        const bool keeps_template = object->kind == OBJECT_REPLICA_SET ||
                                    object->kind == OBJECT_REPLICATION_CONTROLLER ||
                                    object->kind == OBJECT_JOB;
        if (keeps_template && same_object(applied, object) &&
            strcmp(template_signature(problems->arena, workload_template_source(applied)),
                   template_signature(problems->arena, workload_template_source(object))) != 0)
            problem_error(problems, applied->place, "spec.template",
                          "verify does not model a new template for a %s; nothing is verified",
                          object->kind_name);
    }
}

/* Reports an intent about a Job that cannot be: its pods are meant to come to an end. */
static void check_intent(const struct scope *scope, const struct check_intent *intent,
                         struct problems *problems)
{
    const struct intent_class *class = intent_class_of(intent);
    const uint32_t workload = scope_find_workload(scope, &intent->workload);
    if (class->refuses_jobs && workload != UINT32_MAX &&
        scope->workloads[workload].object->kind == OBJECT_JOB)
        problem_error(problems, intent->place, NULL,
                      "expected a workload other than a Job for %s: its pods come to an end",
                      intent_kind_name(intent->kind));
}

void supports_kinds(const struct scope *scope, const struct check_intent *intents,
                    uint32_t intent_count, struct problems *problems)
{
    for (uint32_t w = 0; w < scope->workload_count; w++) {
        check_annotations(scope->workloads[w].object, problems);
        if (scope->workloads[w].object->kind == OBJECT_JOB)
            supports_job(scope, &scope->workloads[w], intents, intent_count, problems);
    }
    for (uint32_t i = 0; i < intent_count; i++)
        check_intent(scope, &intents[i], problems);
    for (uint32_t e = 0; scope->check && e < scope->check->event_count; e++)
        for (uint32_t i = 0; i < scope->applied[e].count; i++) {
            check_annotations(&scope->applied[e].items[i], problems);
            check_applied(scope, &scope->applied[e].items[i], problems);
        }
    for (uint32_t e = 0; scope->check && e < scope->check->event_count; e++)
        for (uint32_t i = 0; i < scope->applied[e].count; i++)
            check_applied_kind(&scope->applied[e].items[i], problems);
}
