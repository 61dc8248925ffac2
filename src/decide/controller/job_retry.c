/* SPDX-License-Identifier: Apache-2.0 */
/* Failed pods that are tried again: the back-off, and limits for each index. */
#include "decide/controller/job_backoff.h"
#include "decide/controller/job_internal.h"

bool job_backs_off(const struct job_input *input)
{
    int64_t success_age = JOB_AGE_UNSET;
    int64_t failure_age = JOB_AGE_UNSET;
    int64_t failures = 0;
    if (!input->backs_off || !input->features->job_waits_after_failure)
        return false;
    for (uint32_t i = 0; i < input->pod_count; i++) {
        const struct job_pod_class *pod = &input->pods[i];
        if (is_to_count(input, pod) && pod->phase == POD_SUCCEEDED && pod->finish_age < success_age)
            success_age = pod->finish_age;
    }
    for (uint32_t i = 0; i < input->pod_count; i++) {
        const struct job_pod_class *pod = &input->pods[i];
        if (!is_to_count(input, pod) || !has_failed(input, pod) || pod->finish_age >= success_age)
            continue;
        failures += pod->count;
        if (pod->finish_age < failure_age)
            failure_age = pod->finish_age;
    }
    return job_backoff_waits(input->features, failures, failure_age);
}

bool job_drop_waiting_indexes(const struct job_input *input, struct job_decision *decision)
{
    uint32_t kept = 0;
    const uint32_t count = decision->created_indexes.count;
    for (uint32_t i = 0; i < count; i++) {
        const int64_t index = decision->created_indexes.items[i];
        bool waits = false;
        for (uint32_t p = 0; p < input->pod_count; p++)
            waits = waits ||
                    (decision->delayed[p] && input->pods[p].index == index && input->backs_off &&
                     job_backoff_waits(input->features, input->pods[p].failures_all + 1,
                                       input->pods[p].finish_age));
        if (!waits)
            decision->created_indexes.items[kept++] = index;
    }
    decision->created_indexes.count = kept;
    return kept == 0 && count > 0;
}

/* The indexes that failed, with those that failed since the last sync. */
static struct job_indexes failed_indexes(struct arena *arena, const struct job_input *input)
{
    int64_t *numbers = ARENA_ARRAY(arena, int64_t, input->pod_count + 1);
    uint32_t count = 0;
    for (uint32_t i = 0; i < input->pod_count; i++) {
        const struct job_pod_class *pod = &input->pods[i];
        if (pod->count == 0 || !pod->finalizer || !index_is_valid(input, pod) ||
            !has_failed(input, pod))
            continue;
        if (pod->match == JOB_MATCH_FAIL_INDEX ||
            (!is_ignored(pod) && pod->failures >= input->job->backoff_limit_per_index.value))
            numbers[count++] = pod->index;
    }
    count = job_sort_numbers(numbers, count);
    return job_indexes_with(arena, &input->failed_indexes, numbers, count);
}

static bool index_is_active(const struct job_input *input, int64_t index)
{
    for (uint32_t i = 0; i < input->pod_count; i++)
        if (is_active(&input->pods[i]) && input->pods[i].count > 0 && input->pods[i].index == index)
            return true;
    return false;
}

/* Of each index that is to be tried again, the last failed pod keeps its finalizer: the
 * next one takes the count of failures from it. */
static void delay_last_failures(const struct job_input *input, const struct job_indexes *done,
                                struct job_decision *decision)
{
    for (uint32_t i = 0; i < input->pod_count; i++) {
        const struct job_pod_class *pod = &input->pods[i];
        if (pod->count == 0 || !pod->finalizer || pod->index == JOB_NO_INDEX ||
            !index_is_valid(input, pod) || !has_failed(input, pod) ||
            job_indexes_has(done, pod->index) ||
            job_indexes_has(&decision->failed_indexes, pod->index) ||
            index_is_active(input, pod->index))
            continue;
        uint32_t last = 0;
        while (last < i && !(decision->delayed[last] && input->pods[last].index == pod->index))
            last++;
        decision->delayed[i] = last == i || (input->pods[last].failures_all <= pod->failures_all &&
                                             pod->finish_age <= input->pods[last].finish_age);
        if (last < i && decision->delayed[i])
            decision->delayed[last] = false;
    }
}

enum job_finish job_judge_indexes(struct arena *arena, const struct job_input *input,
                                  const struct job_indexes *done, struct job_decision *decision)
{
    const struct job *job = input->job;
    if (job_limits_indexes(input->features, input->job)) {
        decision->failed_indexes = failed_indexes(arena, input);
        delay_last_failures(input, done, decision);
        const int64_t failed = job_indexes_total(&decision->failed_indexes);
        if (job->max_failed_indexes.set && failed > job->max_failed_indexes.value)
            return JOB_MAX_FAILED_INDEXES;
        if (failed > 0 && failed + job_indexes_total(done) >= job->completions.value)
            return JOB_FAILED_INDEXES;
    }
    return job_success_policy_met(arena, input->features, job, done) ? JOB_SUCCESS_POLICY
                                                                     : JOB_NOT_OVER;
}
