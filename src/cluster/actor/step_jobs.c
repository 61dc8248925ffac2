/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The Job controller, and the end of its pods.
 *
 * Finished pods are only counted: where they ran is of no interest any more.
 * To the controller a pod that terminates has failed already, so `failed` of
 * the status counts those that are gone, and those that terminate come on top.
 * Pods that the controller deletes itself are no failures: `failed` is lowered
 * for them in advance, and may be negative for a while.
 *
 * The indexes of an indexed Job are not told apart. Each is worked on by one
 * pod at a time until one succeeded, which one is the controller's business
 * alone, and no other pod looks at it: what counts is how many are done.
 *
 * How long a pod runs is not known: it may end at any moment. The cluster
 * is at rest when nothing else is possible, so that periodic controllers
 * and events can come while it runs.
 */
#include "cluster/actor/removal.h"
#include "cluster/actor_type.h"
#include "cluster/ask/admission.h"
#include "cluster/ask/jobs.h"
#include "cluster/emit.h"
#include "cluster/state/actions.h"
#include "cluster/state/configs.h"
#include "cluster/state/happening.h"
#include "cluster/state/invariants.h"
#include "cluster/state/population_model.h"
#include "cluster/state/state.h"
#include "cluster/state/tally.h"
#include "cluster/state/worker.h"
#include "cluster/state/workloads.h"
#include "decide/controller/job_controller.h"

struct job_sync {
    struct expansion *expansion;
    uint32_t number; /* of the workload */
    uint32_t revision;
    struct job job;
    struct job_input input;
    VEC(struct job_pod_class) pods;
    VEC(struct pods_at) places;
};

static void add_pods(struct job_sync *sync, struct pods_at place, int64_t count)
{
    struct worker *worker = sync->expansion->worker;
    const struct state *state = sync->expansion->state;
    struct job_pod_class class = {
        .count = count,
        .phase = POD_PENDING,
        .finalizer = true,
        .index = JOB_NO_INDEX,
        /* Ages are not known here: pods of one rank may go in any order. */
        .ready_age = JOB_AGE_UNSET,
        .creation_age = JOB_AGE_UNSET,
    };
    if (place.entry != UINT32_MAX) {
        const struct class_info *info = class_info(worker, place.class);
        class.assigned = true;
        class.terminating = info->stage == STAGE_TERMINATING;
        class.phase = info->stage == STAGE_READY ? POD_RUNNING : POD_PENDING;
        class.ready = pod_is_ready_on(worker, info, state->nodes[place.entry].config);
    }
    VEC_PUSH(&worker->scratch, &sync->pods, class);
    VEC_PUSH(&worker->scratch, &sync->places, place);
}

static void collect_pods(struct job_sync *sync)
{
    const struct state *state = sync->expansion->state;
    if (state->pending[sync->revision] > 0)
        add_pods(sync, (struct pods_at){UINT32_MAX, 0}, state->pending[sync->revision]);
    for (struct pod_walk pods = pods_on_nodes(sync->expansion->worker, state); pods_next(&pods);)
        if (pods.info->revision == sync->revision)
            add_pods(sync, (struct pods_at){pods.entry, pods.class},
                     (int64_t)pods.count * pods.nodes);
}

static void fill(struct job_sync *sync, bool late)
{
    const struct population *population = sync->expansion->population;
    const struct state *state = sync->expansion->state;
    const struct workload_status *status = &state->statuses[sync->number];
    sync->job = *state_spec(population, state, sync->number)->as.job;
    sync->job.completion_mode = COMPLETION_NON_INDEXED;
    sync->job.parallelism = (struct optional_int){true, state->replicas[sync->number]};
    sync->job.completions = population->workloads.items[sync->number].completions;
    collect_pods(sync);
    sync->input = (struct job_input){
        .features = &population->options.features,
        .job = &sync->job,
        .tracking = true,
        .started = true,
        .start_age = late ? INT64_MAX : 0,
        .succeeded = status->succeeded,
        .failed = status->failed,
        .suspension = sync->job.suspend ? JOB_SUSPENDED : JOB_SUSPENSION_UNSET,
        .create_limit = -1,
        .pods = sync->pods.items,
        .pod_count = sync->pods.count,
    };
}

static struct happening about(const struct job_sync *sync, enum population_action action,
                              int64_t amount)
{
    return happening_with(sync->expansion->population, action, sync->revision, UINT32_MAX,
                          (uint32_t)amount);
}

/* Pods on nodes terminate first, and would count when they are gone. */
static void emit_deletion(const struct job_sync *sync, const struct removal *removal,
                          const uint32_t *amounts)
{
    struct workload_status status = *removal->status;
    struct removal one = *removal;
    for (uint32_t i = 0; i < sync->places.count && status.over == JOB_GOES_ON; i++)
        status.failed -= sync->places.items[i].entry != UINT32_MAX ? (int32_t)amounts[i] : 0;
    one.status = &status;
    removal_emit(&one, amounts);
}

/* Takes `left` pods of the tied classes from number `class` on, in every way. */
static void choose(const struct job_sync *sync, const struct removal *removal,
                   const struct job_decision *decision, uint32_t *amounts, uint32_t class,
                   uint32_t left)
{
    if (class == sync->pods.count) {
        if (left == 0)
            emit_deletion(sync, removal, amounts);
        return;
    }
    if (!decision->tied[class]) {
        amounts[class] = (uint32_t)decision->deletions[class];
        choose(sync, removal, decision, amounts, class + 1, left);
        return;
    }
    for (uint32_t chosen = 0; chosen <= left && chosen <= sync->pods.items[class].count; chosen++) {
        amounts[class] = chosen;
        choose(sync, removal, decision, amounts, class + 1, left - chosen);
    }
}

static void delete_pods(struct job_sync *sync, const struct job_decision *decision,
                        enum population_action action, const struct workload_status *status)
{
    struct worker *worker = sync->expansion->worker;
    uint32_t *amounts = ARENA_ARRAY(&worker->scratch, uint32_t, sync->pods.count + 1);
    struct removal removal = {
        .expansion = sync->expansion,
        .places = sync->places.items,
        .place_count = sync->places.count,
        .happening = about(sync, action, decision->deleted),
        .status = status,
    };
    choose(sync, &removal, decision, amounts, 0, (uint32_t)decision->tie_deleted);
}

static void end_job(struct job_sync *sync, const struct job_decision *decision)
{
    /* Counts do not matter any more. */
    const struct workload_status status = {
        .spec = sync->expansion->state->statuses[sync->number].spec,
        .over = decision->finish == JOB_COMPLETE ? JOB_IS_COMPLETE : JOB_HAS_FAILED,
    };
    const enum population_action action = decision->finish == JOB_COMPLETE ? ACT_JOB_COMPLETE
                                          : decision->finish == JOB_BACKOFF_LIMIT_EXCEEDED
                                              ? ACT_JOB_FAIL
                                              : ACT_JOB_DEADLINE;
    delete_pods(sync, decision, action, &status);
}

static void sync_job(struct expansion *expansion, uint32_t number, bool late)
{
    struct worker *worker = expansion->worker;
    struct job_sync sync = {
        .expansion = expansion,
        .number = number,
        .revision = expansion->population->workloads.items[number].first_revision,
    };
    struct job_decision decision;
    fill(&sync, late);
    job_decide(&worker->scratch, &sync.input, &decision);
    if (decision.finish != JOB_NOT_OVER) {
        end_job(&sync, &decision);
    } else if (decision.deleted > 0) {
        delete_pods(&sync, &decision, ACT_JOB_DELETE, &expansion->state->statuses[number]);
    } else if (decision.created > 0) {
        struct state *next = state_copy(worker, expansion->state);
        struct happening happening = about(&sync, ACT_JOB_CREATE, decision.created);
        happening.node = state_add_pods(worker, next, sync.revision, (uint32_t)decision.created);
        expansion_emit(expansion, next, happening);
    }
}

static bool goes_on(const struct expansion *expansion, uint32_t number)
{
    return expansion->population->workloads.items[number].kind == OBJECT_JOB &&
           expansion->state->present[number] != WORKLOAD_ABSENT &&
           expansion->state->statuses[number].over == JOB_GOES_ON;
}

static void step_jobs(struct expansion *expansion)
{
    for (uint32_t w = 0; w < expansion->population->managed_count; w++)
        if (goes_on(expansion, w))
            sync_job(expansion, w, false);
}

/* At rest time passes, until a Job with a deadline has run for too long. */
static void step_job_deadlines(struct expansion *expansion)
{
    for (uint32_t w = 0; w < expansion->population->managed_count; w++) {
        if (!goes_on(expansion, w))
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
        status->over == JOB_GOES_ON)
        status->succeeded++;
    expansion_emit(expansion, next, happening);
}

static void step_job_pods(struct expansion *expansion)
{
    struct worker *worker = expansion->worker;
    for (struct pod_walk pods = pods_on_nodes(worker, expansion->state); pods_next(&pods);) {
        if (!job_pod_runs(worker, pods.config->id, pods.class))
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
    .serves = OBJECT_JOB,
    .step = step_jobs,
    .reads = PART_WORKLOADS | PART_STATUSES | PART_WAITING | PART_PODS | PART_NODES,
    .writes = PART_STATUSES | PART_WAITING | PART_PODS | PART_NOMINATIONS,
};

const struct actor actor_job_pod = {
    .name = "pods of Jobs",
    .pace = PACE_LAZY,
    .serves = OBJECT_JOB,
    .step = step_job_pods,
    .reads = PART_WORKLOADS | PART_STATUSES | PART_PODS | PART_NODES,
    .writes = PART_STATUSES | PART_PODS,
};

const struct actor actor_job_deadline = {
    .name = "Job deadlines",
    .pace = PACE_SLOW,
    .serves = OBJECT_JOB,
    .step = step_job_deadlines,
    .reads = PART_WORKLOADS | PART_STATUSES | PART_WAITING | PART_PODS | PART_NODES,
    .writes = PART_STATUSES | PART_WAITING | PART_PODS | PART_NOMINATIONS,
};
