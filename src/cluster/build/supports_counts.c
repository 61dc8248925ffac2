/* SPDX-License-Identifier: Apache-2.0 */
#include "cluster/build/supports_counts.h"

#include "base/vec.h"
#include "cluster/ask/support.h"
#include "decide/controller/deployment/template_signature.h"
#include "decide/quota/usage.h"
#include "manifest/document.h"
#include "object/policy.h"
#include "object/workload.h"

#include <string.h>

/* Objects of one kind: so many are there, and so many more may come. */
struct tally {
    const char *kind;
    const char *namespace;
    int64_t there;
    int64_t made;
    bool endless; /* there is no end to those that may come */
};

static bool is_in(const struct object *object, const char *namespace)
{
    return object->meta->namespace && strcmp(object->meta->namespace, namespace) == 0;
}

/* A place for a Job that a CronJob makes, which no manifest has. */
static bool is_place(const struct support *support, const struct object *object)
{
    for (uint32_t w = 0; w < support->scope->workload_count; w++)
        if (support->scope->workloads[w].object == object)
            return support->scope->workloads[w].cron_job != NULL;
    return false;
}

/* All that are given count as there, whatever a run begins with. */
static void count_given(const struct support *support, struct tally *tally)
{
    const struct objects *objects = support->scope->objects;
    for (uint32_t i = 0; i < objects->count; i++)
        tally->there +=
            objects->items[i].kind_name && strcmp(objects->items[i].kind_name, tally->kind) == 0 &&
            is_in(&objects->items[i], tally->namespace) && !is_place(support, &objects->items[i]);
}

typedef VEC(const char *) signature_list;

/* Notes the template; false if it was noted before. */
static bool note_template(struct arena *arena, signature_list *signatures, const char *signature)
{
    for (uint32_t i = 0; i < signatures->count; i++)
        if (strcmp(signatures->items[i], signature) == 0)
            return false;
    VEC_PUSH(arena, signatures, signature);
    return true;
}

/* How many templates the workload may have of which there is nothing yet. Going back to one that it
 * had makes nothing new. */
static int64_t count_templates(const struct support *support, const struct setup_workload *workload)
{
    struct arena *arena = support->arena;
    const struct scope *scope = support->scope;
    signature_list known = {0};
    for (uint32_t i = 0; i < workload->set_count; i++)
        note_template(arena, &known,
                      template_signature(arena, workload_template_source(workload->sets[i])));
    int64_t fresh = note_template(arena, &known, workload->signature);
    for (uint32_t e = 0; scope->check && e < scope->check->event_count; e++)
        for (uint32_t i = 0; i < scope->applied[e].count; i++) {
            const struct object *applied = &scope->applied[e].items[i];
            if (same_object(applied, workload->object) && workload_template_source(applied))
                fresh += note_template(
                    arena, &known, template_signature(arena, workload_template_source(applied)));
        }
    return fresh;
}

static void count_revisions(const struct support *support, struct tally *tally, bool replica_sets)
{
    for (uint32_t w = 0; w < support->scope->workload_count; w++) {
        const struct setup_workload *workload = &support->scope->workloads[w];
        const enum object_kind kind = workload->object->kind;
        const bool makes = replica_sets ? kind == OBJECT_DEPLOYMENT
                                        : kind == OBJECT_STATEFUL_SET || kind == OBJECT_DAEMON_SET;
        if (makes && is_in(workload->object, tally->namespace))
            tally->made += count_templates(support, workload);
    }
}

/* A CronJob that allows several Jobs at a time may have any number of them. Others have one, beside
 * those that are kept as its history. */
static void count_jobs(const struct support *support, struct tally *tally)
{
    const struct objects *objects = support->scope->objects;
    for (uint32_t i = 0; i < objects->count; i++) {
        if (objects->items[i].kind != OBJECT_CRON_JOB ||
            !is_in(&objects->items[i], tally->namespace))
            continue;
        const struct cron_job *job = objects->items[i].as.cron_job;
        tally->endless |= job->concurrency_policy == CONCURRENCY_ALLOW;
        tally->made +=
            1 + (int64_t)job->successful_jobs_history_limit + job->failed_jobs_history_limit;
    }
}

/* Objects that `apply` brings count where they were not given. */
static void count_applied(const struct support *support, struct tally *tally)
{
    const struct scope *scope = support->scope;
    for (uint32_t e = 0; scope->check && e < scope->check->event_count; e++)
        for (uint32_t i = 0; i < scope->applied[e].count; i++) {
            const struct object *applied = &scope->applied[e].items[i];
            bool given = false;
            for (uint32_t k = 0; !given && k < scope->objects->count; k++)
                given = same_object(applied, &scope->objects->items[k]);
            tally->made += !given && applied->kind_name &&
                           strcmp(applied->kind_name, tally->kind) == 0 &&
                           is_in(applied, tally->namespace);
        }
}

bool supports_count(const struct support *support, const struct object *quota, const char *name)
{
    struct tally tally = {.namespace = quota->meta->namespace};
    const struct quantity *hard = resource_list_find(&quota->as.resource_quota->hard, name);
    if (strcmp(name, "count/replicasets.apps") == 0)
        tally.kind = "ReplicaSet";
    else if (strcmp(name, "count/controllerrevisions.apps") == 0)
        tally.kind = "ControllerRevision";
    else if (strcmp(name, "count/jobs.batch") == 0)
        tally.kind = "Job";
    else
        return false;
    if (quota_has_scopes(quota->as.resource_quota)) /* which match pods alone */
        return true;
    count_given(support, &tally);
    count_applied(support, &tally);
    if (strcmp(tally.kind, "Job") == 0)
        count_jobs(support, &tally);
    else
        count_revisions(support, &tally, strcmp(tally.kind, "ReplicaSet") == 0);
    const char *path = arena_printf(support->arena, "spec.hard.%s", name);
    const int64_t needed = tally.there + tally.made;
    if (tally.endless)
        problem_error(
            support->problems, quota->place, path,
            "a CronJob with concurrencyPolicy Allow may have any number of Jobs, and what "
            "follows when this refuses one is not modelled; nothing is verified");
    else if (tally.made > 0 && quantity_value(*hard) < needed)
        problem_error(support->problems, quota->place, path,
                      "the controllers may need %lld of kind %s here, and what follows when this "
                      "refuses one is not modelled; nothing is verified",
                      (long long)needed, tally.kind);
    return true;
}
