/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The Job controller, and the end of its pods.
 *
 * Finished pods are only counted: which node they ran on does not matter. To
 * the controller a pod that terminates has failed already, so `failed` of the
 * status counts those that are gone, and those that terminate come on top. Pods
 * that the controller deletes itself are no failures: `failed` is lowered for
 * them in advance, and may be negative for a while.
 *
 * The indexes of an indexed Job are not distinguished, unless its policies do
 * (step_indexed_jobs.c). Each index has one pod at a time until one succeeded, and
 * nothing but the controller reads which index it is: only the number of completed
 * indexes counts.
 *
 * How long a pod runs is not known, unless there are clocks and an annotation says
 * it (setup/run_time.h): it may end at any moment. The cluster is at rest when
 * nothing else is possible, so that periodic controllers and events can come
 * while it runs.
 */
#include "cluster/actor/removal.h"
#include "cluster/actor/step_indexed_jobs.h"
#include "cluster/actor_type.h"
#include "cluster/ask/admission.h"
#include "cluster/ask/job_views.h"
#include "cluster/ask/jobs.h"
#include "cluster/emit.h"
#include "cluster/state/actions.h"
#include "cluster/state/configs.h"
#include "cluster/state/happening.h"
#include "cluster/state/invariants.h"
#include "cluster/state/job_rules.h"
#include "cluster/state/population_model.h"
#include "cluster/state/state.h"
#include "cluster/state/tally.h"
#include "cluster/state/worker.h"
#include "cluster/state/workloads.h"
#include "decide/controller/job_controller.h"

struct job_sync {
    struct removal removal;
    struct job_pod_class *pods; /* of each place */
    struct job_decision decision;
    uint32_t *amounts; /* that are deleted, of each place */
};

static void decide(struct job_sync *sync, bool late)
{
    const struct expansion *expansion = sync->removal.expansion;
    const struct state *state = expansion->state;
    const uint32_t count = sync->removal.places.count;
    struct arena *scratch = &expansion->worker->scratch;
    struct job job;
    sync->pods = ARENA_ARRAY(scratch, struct job_pod_class, count + 1);
    for (uint32_t i = 0; i < count; i++) {
        const struct pods_at *place = &sync->removal.places.items[i];
        const uint32_t config =
            place->entry == UINT32_MAX ? UINT32_MAX : state->nodes[place->entry].config;
        sync->pods[i] = job_pod_seen(expansion->worker, config, place->class);
        sync->pods[i].count = place->count;
    }
    const struct job_input input = job_input_of(
        expansion->worker, state, sync->removal.happening.workload, late, &job, sync->pods, count);
    job.completion_mode = COMPLETION_NON_INDEXED;
    job_decide(scratch, &input, &sync->decision);
}

/* Pods on nodes terminate first, and would count when they are gone, unless it is known of them who
 * deleted them. */
static void emit_deletion(const struct job_sync *sync)
{
    struct removal removal = sync->removal;
    struct workload_status status = *removal.status;
    const bool counts =
        status.over == JOB_GOES_ON &&
        !removal.expansion->population->workloads.items[removal.happening.workload].job_rules;
    for (uint32_t i = 0; i < removal.places.count && counts; i++)
        if (removal.places.items[i].entry != UINT32_MAX)
            status.failed -= (int32_t)sync->amounts[i];
    removal.status = &status;
    removal_emit(&removal, sync->amounts);
}

/* Takes `left` pods of the tied classes from number `class` on, in every way. */
static void choose(const struct job_sync *sync, uint32_t class, uint32_t left)
{
    if (class == sync->removal.places.count) {
        if (left == 0)
            emit_deletion(sync);
        return;
    }
    if (!sync->decision.tied[class]) {
        sync->amounts[class] = (uint32_t)sync->decision.deletions[class];
        choose(sync, class + 1, left);
        return;
    }
    for (uint32_t chosen = 0; chosen <= left && chosen <= sync->pods[class].count; chosen++) {
        sync->amounts[class] = chosen;
        choose(sync, class + 1, left - chosen);
    }
}

static void delete_pods(struct job_sync *sync, enum population_action action)
{
    sync->amounts = ARENA_ARRAY(&sync->removal.expansion->worker->scratch, uint32_t,
                                sync->removal.places.count);
    sync->removal.happening.action = action;
    sync->removal.happening.amount = (uint32_t)sync->decision.deleted;
    choose(sync, 0, (uint32_t)sync->decision.tie_deleted);
}

static void end_job(struct job_sync *sync)
{
    const struct job_decision *decision = &sync->decision;
    const enum job_end was = sync->removal.status->over;
    const enum job_end over = job_end_after(sync->removal.expansion->population, decision);
    /* Counts do not matter any more. */
    const struct workload_status status = {.spec = sync->removal.status->spec, .over = over};
    if (over == was && decision->deleted == 0)
        return;
    sync->removal.status = &status;
    delete_pods(sync, job_end_action(decision->finish, over));
}

static void create_pods(const struct job_sync *sync, uint32_t revision)
{
    struct expansion *expansion = sync->removal.expansion;
    const uint32_t created = (uint32_t)sync->decision.created;
    for (uint32_t amount = expansion_admits(expansion, revision, created); amount > 0;
         amount = expansion_fewer(expansion, revision, amount)) {
        struct state *next = state_copy(expansion->worker, expansion->state);
        struct happening happening = sync->removal.happening;
        happening.amount = amount;
        happening.node = state_add_pods(expansion->worker, next, revision, amount);
        expansion_emit_created(expansion, next, happening, revision);
    }
}

static void sync_job(struct expansion *expansion, uint32_t number, bool late)
{
    const struct population *population = expansion->population;
    const struct workload *workload = &population->workloads.items[number];
    const uint32_t revision = workload->first_revision;
    if (workload->job_rules && workload->job_rules->tracks) {
        sync_indexed_job(expansion, number, late);
        return;
    }
    struct job_sync sync = {
        .removal.expansion = expansion,
        .removal.happening = happening_with(population, ACT_JOB_CREATE, revision, UINT32_MAX, 0),
        .removal.status = &expansion->state->statuses[number],
    };
    removal_find_places(&sync.removal, true);
    decide(&sync, late);
    if (sync.decision.finish != JOB_NOT_OVER) {
        end_job(&sync);
    } else if (sync.decision.deleted > 0) {
        delete_pods(&sync, ACT_JOB_DELETE);
    } else if (sync.decision.created > 0 &&
               !job_is_backing_off(population, expansion->state, number)) {
        create_pods(&sync, revision);
    }
}

static void step_jobs(struct expansion *expansion)
{
    for (uint32_t w = 0; w < expansion->population->managed_count; w++)
        if (job_is_unfinished(expansion->population, expansion->state, w))
            sync_job(expansion, w, job_is_late(expansion->population, expansion->state, w));
}

/* At rest time passes, until a Job with a deadline has run for too long. */
static void step_job_deadlines(struct expansion *expansion)
{
    for (uint32_t w = 0; w < expansion->population->managed_count; w++) {
        if (!job_goes_on(expansion->population, expansion->state, w))
            continue;
        const struct job *job = state_spec(expansion->population, expansion->state, w)->as.job;
        if (job->active_deadline_seconds.set && !job->suspend)
            sync_job(expansion, w, true);
    }
}

/* ---- its pods ---- */

static void finish_pod(struct expansion *expansion, const struct pod_walk *pods, bool success)
{
    struct worker *worker = expansion->worker;
    struct state *next = state_copy(worker, expansion->state);
    const struct happening happening =
        happening_with(expansion->population, success ? ACT_POD_SUCCEEDS : ACT_POD_FAILS,
                       pods->info->revision, pods->entry, 1);
    struct workload_status *status = &next->statuses[happening.workload];
    state_move_node(worker, next, pods->entry,
                    config_replace(worker, pods->config->id, pods->class, VIEW_NONE));
    if (success && next->present[happening.workload] != WORKLOAD_ABSENT &&
        status->over == JOB_GOES_ON) {
        const struct workload *workload =
            &expansion->population->workloads.items[happening.workload];
        const struct job_rules *rules = workload->job_rules;
        status->succeeded++;
        if (rules && rules->tracks)
            ++*job_done(rules, next,
                        (happening.revision - workload->first_revision) /
                            (rules->failures_most + 1));
    }
    expansion_emit(expansion, next, happening);
}

static void step_job_pods(struct expansion *expansion)
{
    struct worker *worker = expansion->worker;
    for (struct pod_walk pods = pods_on_nodes(worker, expansion->state); pods_next(&pods);) {
        if (!job_pod_runs(worker, pods.config->id, pods.class) ||
            !job_pod_may_end(worker, expansion->state, pods.info))
            continue;
        const enum pod_outcome outcome = class_revision(worker, pods.class)->outcome;
        if (outcome != OUTCOME_FAILS)
            finish_pod(expansion, &pods, true);
        if (outcome != OUTCOME_SUCCEEDS)
            finish_pod(expansion, &pods, false);
    }
}

const struct actor actor_job = {
    .name = "Job controller",
    .prompt = true,
    .step = step_jobs,
    .reads = PART_WORKLOADS | PART_STATUSES | PART_WAITING | PART_PODS | PART_NODES | PART_NOTES,
    .writes = PART_STATUSES | PART_WAITING | PART_PODS | PART_NOMINATIONS | PART_NOTES,
};

const struct actor actor_job_pod = {
    .name = "pods of Jobs",
    .pace = PACE_LAZY,
    .step = step_job_pods,
    .reads = PART_WORKLOADS | PART_STATUSES | PART_PODS | PART_NODES,
    .writes = PART_STATUSES | PART_PODS | PART_NOTES,
};

const struct actor actor_job_deadline = {
    .name = "Job deadlines",
    .pace = PACE_SLOW,
    .step = step_job_deadlines,
    .reads = PART_WORKLOADS | PART_STATUSES | PART_WAITING | PART_PODS | PART_NODES | PART_NOTES,
    .writes = PART_STATUSES | PART_WAITING | PART_PODS | PART_NOMINATIONS | PART_NOTES,
};
