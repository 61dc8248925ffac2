/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The CronJob controller. It syncs a CronJob when a time of its schedule has come and when one of
 * its Jobs has finished, at once. In between a sync would find nothing to do.
 *
 * Jobs that have finished give up their places: no pod of theirs runs any more. How many are kept
 * for the history is only counted where an intent asks for it.
 */
#include "cluster/actor_type.h"
#include "cluster/ask/cron_jobs.h"
#include "cluster/ask/jobs.h"
#include "cluster/emit.h"
#include "cluster/state/actions.h"
#include "cluster/state/clock.h"
#include "cluster/state/happening.h"
#include "cluster/state/invariants.h"
#include "cluster/state/population_model.h"
#include "cluster/state/state.h"
#include "cluster/state/tally.h"
#include "cluster/state/worker.h"
#include "cluster/state/workloads.h"

struct cron_sync {
    struct expansion *expansion;
    const struct setup_cron_job *setup;
    uint32_t number;
    struct cron_job_decision decision;
    struct state *next;
    uint32_t replaced;  /* Jobs that were active */
    uint32_t last_gone; /* the last workload that gave up its place */
};

static void give_up_place(struct cron_sync *sync, uint32_t workload)
{
    sync->next->present[workload] = WORKLOAD_ABSENT;
    sync->next->replicas[workload] = 0;
    sync->next->statuses[workload] = (struct workload_status){0};
    sync->last_gone = workload;
}

static void delete_job(struct cron_sync *sync, const char *name)
{
    struct cron_state *clocks = &sync->next->clocks.crons[sync->number];
    uint32_t place;
    switch (cron_job_named(name, &place)) {
    case CRON_KEPT: clocks->kept--; break;
    case CRON_KEPT_FAILED: clocks->kept_failed--; break;
    default: {
        const uint32_t workload = sync->setup->first_workload + place;
        sync->replaced += job_is_unfinished(sync->expansion->population, sync->next, workload);
        give_up_place(sync, workload);
    }
    }
}

/* Jobs that have finished and were not deleted are kept. */
static void keep_finished(struct cron_sync *sync)
{
    const struct population *population = sync->expansion->population;
    struct cron_state *clocks = &sync->next->clocks.crons[sync->number];
    for (uint32_t i = 0; i < sync->setup->place_count; i++) {
        const uint32_t workload = sync->setup->first_workload + i;
        const enum job_end over = sync->next->statuses[workload].over;
        if (over != JOB_IS_COMPLETE && over != JOB_HAS_FAILED)
            continue;
        clocks->kept += population->counts_finished_jobs && over == JOB_IS_COMPLETE;
        clocks->kept_failed += population->counts_finished_jobs && over == JOB_HAS_FAILED;
        give_up_place(sync, workload);
    }
}

/* False: there is no place for another Job. */
static bool start_job(struct cron_sync *sync, uint32_t *workload)
{
    struct worker *worker = sync->expansion->worker;
    const struct population *population = sync->expansion->population;
    *workload = cron_job_free_place(worker, sync->next, sync->number);
    if (*workload == UINT32_MAX)
        return false;
    const struct workload *of = &population->workloads.items[*workload];
    sync->next->present[*workload] = of->first_revision;
    state_set_replicas(population, sync->next, *workload, workload_replicas(of->setup->object));
    sync->next->clocks.crons[sync->number].behind = 0;
    for (uint32_t t = 0; t < population->clock->timed_job_count; t++)
        if (population->clock->timed_jobs[t].workload == *workload)
            sync->next->clocks.jobs[t] = (struct job_clock){0};
    return true;
}

static void sync_cron_job(struct expansion *expansion, uint32_t number)
{
    struct worker *worker = expansion->worker;
    struct cron_sync sync = {.expansion = expansion,
                             .setup = expansion->population->clock->crons[number].setup,
                             .number = number};
    enum population_action action = ACT_CRON_SEE;
    if (!cron_job_syncs(worker, expansion->state, number, &sync.decision))
        return;
    sync.next = state_copy(worker, expansion->state);
    for (uint32_t i = 0; i < sync.decision.deleted.count; i++)
        delete_job(&sync, sync.decision.deleted.items[i]);
    keep_finished(&sync);
    uint32_t workload = sync.last_gone;
    if (sync.decision.action == CRON_STARTS_JOB) {
        action = sync.replaced > 0 ? ACT_CRON_REPLACE : ACT_CRON_START;
        if (!start_job(&sync, &workload)) {
            /* What comes then is not known, but this is not a state of rest. */
            worker->findings.overflowed = true;
            worker->findings.piled_up = true;
            expansion->moved = true;
            return;
        }
    }
    const uint32_t revision = expansion->population->workloads.items[workload].first_revision;
    expansion_emit(
        expansion, sync.next,
        happening_with(expansion->population, action, revision, UINT32_MAX, sync.replaced));
}

static void step_cron_jobs(struct expansion *expansion)
{
    for (uint32_t c = 0; c < expansion->population->clock->cron_count; c++)
        sync_cron_job(expansion, c);
}

const struct actor actor_cron_job = {
    .name = "CronJob controller",
    .prompt = true,
    .step = step_cron_jobs,
    .reads = PART_WORKLOADS | PART_STATUSES | PART_WAITING | PART_PODS | PART_CLOCKS,
    .writes = PART_WORKLOADS | PART_STATUSES | PART_CLOCKS,
};
