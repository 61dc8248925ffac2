/* SPDX-License-Identifier: Apache-2.0 */
/* jobsAtMost: a CronJob never has more Jobs than these that are not finished; with `finished`,
 * never more Jobs at all. */
#include "cluster/ask/cron_jobs.h"
#include "cluster/intent_class.h"
#include "cluster/state/clock.h"
#include "cluster/state/population_model.h"
#include "cluster/state/state.h"
#include "setup/cron_jobs.h"

static bool concerns(const struct judged *judged, uint32_t number)
{
    return cron_job_is_meant(judged->intent->source,
                             judged->population->clock->crons[number].setup->object);
}

static int64_t jobs_of(const struct judged *judged, uint32_t number)
{
    return cron_job_count(judged->population, judged->state, number,
                          judged->intent->source->finished);
}

/* Is the workload a Job that is there, of a CronJob that has too many? */
static bool is_too_many(const struct judged *judged, uint32_t workload)
{
    const struct clock *clock = judged->population->clock;
    for (uint32_t c = 0; clock && c < clock->cron_count; c++) {
        const struct setup_cron_job *setup = clock->crons[c].setup;
        if (workload >= setup->first_workload &&
            workload < setup->first_workload + setup->place_count && concerns(judged, c))
            return judged->state->present[workload] != WORKLOAD_ABSENT &&
                   jobs_of(judged, c) > judged->intent->source->value;
    }
    return false;
}

static bool any_has_jobs(const struct judged *judged)
{
    const struct clock *clock = judged->population->clock;
    for (uint32_t c = 0; clock && !judged->happening && c < clock->cron_count; c++)
        if (concerns(judged, c) && jobs_of(judged, c) > 0)
            return true;
    return false;
}

/* Finished Jobs that are deleted after a while are fewer than the history keeps. */
static void check_finished(const struct check_intent *intent, const struct object *cron_job,
                           struct problems *problems)
{
    if (intent->finished && cron_job->as.cron_job->job_template.ttl_seconds_after_finished.set)
        problem_error(problems, cron_job->place, "spec.jobTemplate.spec.ttlSecondsAfterFinished",
                      "verify does not model that finished Jobs are deleted by their age, so that "
                      "jobsAtMost cannot count them (finished: false); nothing is verified");
}

static void check(const struct scope *scope, const struct check_intent *intent,
                  struct problems *problems)
{
    bool found = false;
    bool suspended = true;
    for (uint32_t i = 0; i < scope->objects->count; i++)
        if (cron_job_is_meant(intent, &scope->objects->items[i])) {
            found = true;
            suspended &= scope->objects->items[i].as.cron_job->suspend;
            check_finished(intent, &scope->objects->items[i], problems);
        }
    if (intent->bound != REPLICAS_NUMBER)
        problem_error(problems, intent->place, NULL, "jobsAtMost: expected a number as its value");
    else if (!found && intent->workload.name)
        problem_error(problems, intent->place, NULL, "there is no %s among the manifests",
                      object_name_format(problems->arena, &intent->workload));
    else if (!found)
        problem_error(problems, intent->place, NULL,
                      "jobsAtMost is about CronJobs, and there is none among the manifests");
    else if (scope->start == START_OBSERVED)
        problem_error(problems, intent->place, NULL,
                      "jobsAtMost cannot be judged where runs begin with the present pods: which "
                      "Jobs are theirs is not modelled (start: empty); nothing is verified");
    else if (scope->time != TIME_CLOCKED && !suspended)
        problem_error(problems, intent->place, NULL,
                      "only clocked time can judge jobsAtMost (spec.time of the Check, --time); "
                      "nothing is verified");
}

const struct intent_class intent_jobs_at_most = {
    .violated_by = VIOLATED_BY_STATE,
    .displeases = is_too_many,
    .applies = any_has_jobs,
    .never_applied = "no Job was ever started",
    .check = check,
    .about_cron_jobs = true,
    .blames = BLAMES_SCHEDULE,
};
