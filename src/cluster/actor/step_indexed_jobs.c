/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The controller of Jobs that tell their indexes apart (state/job_rules.h).
 *
 * Pods of one sync are created in several steps, one for each variant: really each is a request of
 * its own, and indexes that wait for their back-off are left out of a sync.
 */
#include "cluster/actor/step_indexed_jobs.h"
#include "cluster/ask/admission.h"
#include "cluster/ask/job_views.h"
#include "cluster/emit.h"
#include "cluster/state/classes.h"
#include "cluster/state/happening.h"
#include "cluster/state/job_rules.h"
#include "cluster/state/population_model.h"
#include "cluster/state/state.h"
#include "cluster/state/worker.h"
#include "cluster/state/workloads.h"

enum job_end job_end_after(const struct population *population, const struct job_decision *decision)
{
    const bool waits = population->options.features.job_two_steps && !decision->finished;
    if (job_finish_is_success(decision->finish))
        return waits ? JOB_WILL_COMPLETE : JOB_IS_COMPLETE;
    return waits ? JOB_WILL_FAIL : JOB_HAS_FAILED;
}

enum population_action job_end_action(enum job_finish finish, enum job_end over)
{
    switch (finish) {
    case JOB_NOT_OVER:
    case JOB_COMPLETE: return over == JOB_WILL_COMPLETE ? ACT_JOB_SUCCEED : ACT_JOB_COMPLETE;
    case JOB_SUCCESS_POLICY: return ACT_JOB_SUCCESS_POLICY;
    case JOB_BACKOFF_LIMIT_EXCEEDED: return ACT_JOB_FAIL;
    case JOB_DEADLINE_EXCEEDED: return ACT_JOB_DEADLINE;
    case JOB_POD_FAILURE_POLICY: return ACT_JOB_FAILURE_POLICY;
    case JOB_FAILED_INDEXES:
    case JOB_MAX_FAILED_INDEXES: return ACT_JOB_FAILED_INDEXES;
    case JOB_SUCCESS_TARGETED:
    case JOB_FAILURE_TARGETED: return ACT_JOB_ENDED;
    }
    return ACT_JOB_ENDED;
}

static uint32_t told_to_end(const struct pod_walk *pods, const void *context)
{
    const uint32_t workload = *(const uint32_t *)context;
    return pods->info->stage != STAGE_TERMINATING &&
                   class_revision(pods->worker, pods->class)->workload == workload
               ? class_ending(pods->worker, pods->config->id, pods->class, END_DISOWNED)
               : VIEW_NONE;
}

/* All its pods go, and nothing else counts any more. */
static void end_job(struct expansion *expansion, uint32_t number,
                    const struct job_decision *decision)
{
    const struct population *population = expansion->population;
    const struct workload *workload = &population->workloads.items[number];
    const enum job_end over = job_end_after(population, decision);
    if (over == expansion->state->statuses[number].over && decision->deleted == 0)
        return;
    struct state *next = state_copy(expansion->worker, expansion->state);
    for (uint32_t v = 0; v < workload->revision_count; v++)
        next->pending[workload->first_revision + v] = 0;
    state_change_pods(expansion->worker, next, told_to_end, &number);
    job_forget_indexes(workload->job_rules, next);
    next->statuses[number] =
        (struct workload_status){.spec = next->statuses[number].spec, .over = over};
    expansion_emit(expansion, next,
                   happening_with(population, job_end_action(decision->finish, over),
                                  workload->first_revision, UINT32_MAX,
                                  (uint32_t)decision->deleted));
}

/* Those that are tried again come first: their indexes are lower. */
static void create_pods(struct expansion *expansion, uint32_t number, uint32_t variant,
                        uint32_t retried, uint32_t begun)
{
    const struct workload *workload = &expansion->population->workloads.items[number];
    const uint32_t revision = workload->first_revision + variant;
    if (retried + begun == 0)
        return;
    for (uint32_t amount = expansion_admits(expansion, revision, retried + begun); amount > 0;
         amount = expansion_fewer(expansion, revision, amount)) {
        const uint32_t old = amount < retried ? amount : retried;
        struct state *next = state_copy(expansion->worker, expansion->state);
        *job_idle(workload->job_rules, next, variant) -= old;
        *job_begun(workload->job_rules, next) += amount - old;
        struct happening happening =
            happening_with(expansion->population, ACT_JOB_CREATE, revision, UINT32_MAX, amount);
        happening.node = state_add_pods(expansion->worker, next, revision, amount);
        expansion_emit(expansion, next, happening);
    }
}

void sync_indexed_job(struct expansion *expansion, uint32_t number, bool late)
{
    const struct job_rules *rules = expansion->population->workloads.items[number].job_rules;
    struct indexed_sync sync = {0};
    indexed_job_decide(expansion->worker, expansion->state, number, late, &sync);
    if (sync.decision.finish != JOB_NOT_OVER) {
        end_job(expansion, number, &sync.decision);
        return;
    }
    for (uint32_t v = 0; v < job_variants(rules); v++)
        create_pods(expansion, number, v, sync.retried[v],
                    sync.begun > 0 && v == sync.next_variant ? sync.begun : 0);
}
