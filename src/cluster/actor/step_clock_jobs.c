/* SPDX-License-Identifier: Apache-2.0 */
#include "cluster/actor/step_clock_jobs.h"
#include "cluster/ask/cron_jobs.h"
#include "cluster/ask/jobs.h"
#include "cluster/emit.h"
#include "cluster/state/clock.h"
#include "cluster/state/clock_words.h"
#include "cluster/state/population_model.h"
#include "cluster/state/state.h"
#include "cluster/state/worker.h"
#include "cluster/state/workloads.h"

/* Is there a running pod of a Job that has run for its longest time, or that has not and may end
 * now? */
static bool any_ends(const struct expansion *expansion, bool must)
{
    struct worker *worker = expansion->worker;
    if (!expansion->population->has_jobs)
        return false;
    for (struct pod_walk pods = pods_on_nodes(worker, expansion->state); pods_next(&pods);)
        if (job_pod_runs(worker, pods.config->id, pods.class) &&
            job_pod_may_end(worker, expansion->state, pods.info) &&
            job_pod_must_end(worker, expansion->state, pods.info) == must)
            return true;
    return false;
}

bool clock_jobs_must_end(const struct expansion *expansion)
{
    return any_ends(expansion, true);
}

bool clock_jobs_may_end(const struct expansion *expansion)
{
    return any_ends(expansion, false);
}

uint32_t clock_jobs_until_due(const struct expansion *expansion)
{
    const struct clock *clock = expansion->population->clock;
    const struct clocks *clocks = &expansion->state->clocks;
    uint32_t least = UINT32_MAX;
    for (uint32_t c = 0; c < clock->cron_count; c++)
        least = lesser(least, clocks->crons[c].left);
    for (uint32_t t = 0; t < clock->timed_job_count; t++)
        if (job_goes_on(expansion->population, expansion->state, clock->timed_jobs[t].workload)) {
            if (clocks->jobs[t].age < clock->timed_jobs[t].deadline)
                least = lesser(least, clock->timed_jobs[t].deadline - clocks->jobs[t].age);
            if (clocks->jobs[t].wait > 0)
                least = lesser(least, clocks->jobs[t].wait);
        }
    return least;
}

void clock_jobs_age(const struct expansion *expansion, struct state *next, uint32_t ticks)
{
    const struct clock *clock = expansion->population->clock;
    for (uint32_t c = 0; c < clock->cron_count; c++)
        cron_job_pass_time(expansion->population, c, &next->clocks.crons[c], ticks);
    for (uint32_t t = 0; t < clock->timed_job_count; t++) {
        const struct timed_job *timed = &clock->timed_jobs[t];
        struct job_clock *of = &next->clocks.jobs[t];
        *of = job_goes_on(expansion->population, next, timed->workload)
                  ? (struct job_clock){lesser(of->age + ticks, timed->deadline),
                                       of->wait - lesser(of->wait, ticks)}
                  : (struct job_clock){0};
    }
}
