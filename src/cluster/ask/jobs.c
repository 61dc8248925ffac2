/* SPDX-License-Identifier: Apache-2.0 */
/* How far Jobs are, and what counts as a failure of one of their pods. */
#include "cluster/ask/jobs.h"
#include "cluster/state/actions.h"
#include "cluster/state/clock.h"
#include "cluster/state/clock_words.h"
#include "cluster/state/config_facts.h"
#include "cluster/state/nodes.h"
#include "cluster/state/population_model.h"
#include "cluster/state/state.h"
#include "cluster/state/tally.h"
#include "cluster/state/worker.h"
#include "cluster/state/workloads.h"

bool job_pod_runs(struct worker *worker, uint32_t config, uint32_t class)
{
    const struct class_info *info = class_info(worker, class);
    const enum node_condition condition = config_condition(worker, config);
    const bool up = condition_is_up(condition) || condition == NODE_LEAVING;
    return info->stage == STAGE_READY &&
           (up || condition == NODE_CORDONED || condition == NODE_POOL) &&
           revision_workload(worker->population, info->revision)->kind == OBJECT_JOB;
}

bool job_pod_may_end(const struct worker *worker, const struct state *state,
                     const struct class_info *info)
{
    const struct clock *clock = worker->population->clock;
    return !clock || cohort_since(state, info) / 2 >= clock->pods[info->revision].run_earliest;
}

bool job_pod_must_end(const struct worker *worker, const struct state *state,
                      const struct class_info *info)
{
    const struct pod_times *times = &worker->population->clock->pods[info->revision];
    return times->run_latest > 0 && cohort_since(state, info) / 2 >= times->run_latest;
}

bool job_goes_on(const struct population *population, const struct state *state, uint32_t workload)
{
    return population->workloads.items[workload].kind == OBJECT_JOB &&
           state->present[workload] != WORKLOAD_ABSENT &&
           state->statuses[workload].over == JOB_GOES_ON;
}

bool job_is_unfinished(const struct population *population, const struct state *state,
                       uint32_t workload)
{
    const enum job_end over = state->statuses[workload].over;
    return population->workloads.items[workload].kind == OBJECT_JOB &&
           state->present[workload] != WORKLOAD_ABSENT && over != JOB_IS_COMPLETE &&
           over != JOB_HAS_FAILED;
}

/* The number of the Job among those with clocks; UINT32_MAX: it has none. */
static uint32_t timed_job(const struct population *population, uint32_t workload)
{
    const struct clock *clock = population->clock;
    for (uint32_t t = 0; clock && t < clock->timed_job_count; t++)
        if (clock->timed_jobs[t].workload == workload)
            return t;
    return UINT32_MAX;
}

bool job_is_late(const struct population *population, const struct state *state, uint32_t workload)
{
    const uint32_t timed = timed_job(population, workload);
    return timed != UINT32_MAX && population->clock->timed_jobs[timed].deadline > 0 &&
           state->clocks.jobs[timed].age >= population->clock->timed_jobs[timed].deadline;
}

bool job_is_backing_off(const struct population *population, const struct state *state,
                        uint32_t workload)
{
    const uint32_t timed = timed_job(population, workload);
    return timed != UINT32_MAX && state->clocks.jobs[timed].wait > 0;
}

/* After a failure of a pod it is some time until the Job makes another: 10 s, and twice as long
 * after each further one. */
static void back_off(struct worker *worker, struct state *next, uint32_t workload)
{
    const struct population *population = worker->population;
    const uint32_t timed = timed_job(population, workload);
    if (!population->workloads.items[workload].setup->cron_job)
        return;
    const struct timed_job *of = timed != UINT32_MAX ? &population->clock->timed_jobs[timed] : NULL;
    if (!of || of->first_wait == 0) {
        worker->findings.overflowed = true; /* no pod of it was thought to fail */
        return;
    }
    uint64_t wait = of->first_wait;
    for (int32_t failed = 1; failed < next->statuses[workload].failed && wait < of->longest_wait;
         failed++)
        wait *= 2;
    next->clocks.jobs[timed].wait = wait < of->longest_wait ? (uint32_t)wait : of->longest_wait;
}

static int64_t all_pods(struct worker *worker, const struct state *state, uint32_t revision)
{
    return (int64_t)state_active(worker, state, revision) +
           state_terminating(worker, state, revision);
}

void jobs_count_lost(struct worker *worker, const struct state *state, struct state *next,
                     enum population_action action)
{
    if (action_has(action, IS_NO_FAILURE))
        return;
    for (uint32_t w = 0; w < worker->population->managed_count; w++) {
        const struct workload *workload = &worker->population->workloads.items[w];
        if (!workload->job_rules && job_goes_on(worker->population, next, w)) {
            const int32_t lost = (int32_t)(all_pods(worker, state, workload->first_revision) -
                                           all_pods(worker, next, workload->first_revision));
            next->statuses[w].failed += lost;
            if (lost > 0)
                back_off(worker, next, w);
        }
    }
}

uint32_t jobs_finished(const struct population *population, const struct state *state,
                       uint32_t workload)
{
    const struct workload_status *status = &state->statuses[workload];
    if (population->workloads.items[workload].kind != OBJECT_JOB)
        return 0;
    if (status->over != JOB_GOES_ON)
        return 1;
    return (uint32_t)(status->succeeded + (status->failed > 0 ? status->failed : 0) +
                      status->leaves);
}
