/* SPDX-License-Identifier: Apache-2.0 */
/* Why a Job fails for good when something happens to its pods. */
#include "report/explaining.h"

#include "object/workload.h"

#include <string.h>

/* Who takes pods away from a Job. */
static const struct story_step *find_loss(const struct explaining *explaining)
{
    static const char *const takers[][2] = {
        {"drain", "evict"}, {"taint-manager", "evict"}, {"pod-garbage-collector", NULL}};
    const struct story_step *last = NULL;
    for (size_t i = 0; i < sizeof(takers) / sizeof(*takers); i++) {
        const struct story_step *step = explain_last_step(explaining, takers[i][0], takers[i][1]);
        /* The steps of a run are one array: the later one has the greater address. */
        if (step && (!last || step > last))
            last = step;
    }
    return last;
}

/* The step by which the Job has failed; NULL: it has not. Steps may follow it: the last pods end.
 */
static const struct story_step *find_failure(const struct explaining *explaining)
{
    static const char *const failures[] = {"fail", "fail-by-policy", "fail-by-indexes"};
    const struct story_step *failed = NULL;
    for (size_t i = 0; i < sizeof(failures) / sizeof(*failures) && !failed; i++)
        failed = explain_last_step(explaining, "Job", failures[i]);
    return failed;
}

static const char *remedy_of(const struct explaining *explaining, const struct job *job)
{
    /* All pods that run at once may be on the node that is lost. */
    const int64_t together = job->parallelism.set ? job->parallelism.value : 1;
    const long long enough =
        together > job->backoff_limit ? together : (long long)job->backoff_limit + 1;
    if (job->template.spec.restart_policy != RESTART_NEVER)
        return arena_printf(explaining->arena, "backoffLimit: %lld or more", enough);
    return arena_printf(explaining->arena,
                        "backoffLimit: %lld or more; or a podFailurePolicy with action: Ignore for "
                        "the pod condition DisruptionTarget, by which evictions do not count",
                        enough);
}

static void explain_limit(const struct explaining *explaining, const struct job *job)
{
    const struct object *object = explaining->workload->object;
    struct report_sources *sources = &explaining->finding->sources;
    explain_say(explaining,
                "a pod that is deleted before it has succeeded counts as failed; backoffLimit %d "
                "allows %s, so the Job has failed and makes no further pod",
                job->backoff_limit,
                job->backoff_limit == 0
                    ? "none"
                    : count_words(explaining->arena, (uint32_t)job->backoff_limit, "failed pod"));
    report_source_at(explaining->arena, object, "spec.backoffLimit", sources);
    if (sources->count == 1 && !job->backoff_limit_given)
        sources->items[0].note = "it is not given here";
    explaining->finding->remedy = remedy_of(explaining, job);
}

/* How many pods had to go until it failed. */
static void explain_loss(const struct explaining *explaining, const struct story_step *lost)
{
    const uint32_t count = explain_count_steps(explaining, lost->actor, lost->action);
    if (count > 1) {
        explaining->finding->title = arena_printf(
            explaining->arena, "it fails for good if %u of its pods are evicted", count);
        explain_say(explaining, "the last of these evictions: %s", lost->detail);
    } else {
        explaining->finding->title = "it fails for good if one of its pods is evicted";
        explain_say(explaining, "%s", lost->detail);
    }
}

bool explain_job(const struct explaining *explaining)
{
    const struct object *object = explaining->workload->object;
    const struct story_step *failed = find_failure(explaining);
    const struct story_step *lost = find_loss(explaining);
    if (object->kind != OBJECT_JOB || !failed)
        return false;
    explaining->finding->title = "it fails for good";
    explaining->finding->severity = GRAVITY_MEDIUM;
    if (lost)
        explain_loss(explaining, lost);
    if (lost && strcmp(failed->action, "fail") == 0)
        explain_limit(explaining, object->as.job);
    else
        explain_say(explaining, "%s", failed->detail);
    return true;
}
