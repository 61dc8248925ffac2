/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Follows syncJob of pkg/controller/job/job_controller.go, v1.26 to v1.36. Left out:
 * failing API calls other than creations, and what the controller remembers of the
 * back-off beyond one sync.
 */
#include "decide/controller/job_controller.h"

#include "decide/claim.h"
#include "decide/controller/job_internal.h"

#include <stdlib.h>

static int64_t count_succeeded(const struct job_input *input)
{
    int64_t count = input->tracking ? input->succeeded + input->vanished_succeeded : 0;
    for (uint32_t i = 0; i < input->pod_count; i++) {
        const struct job_pod_class *pod = &input->pods[i];
        if ((input->tracking && pod->uncounted == JOB_NOTED_SUCCEEDED) ||
            (is_to_count(input, pod) && pod->phase == POD_SUCCEEDED))
            count += pod->count;
    }
    return count;
}

static int64_t count_failed(const struct job_input *input)
{
    int64_t count = input->tracking ? input->failed + input->vanished_failed : 0;
    for (uint32_t i = 0; i < input->pod_count; i++) {
        const struct job_pod_class *pod = &input->pods[i];
        if ((input->tracking && pod->uncounted == JOB_NOTED_FAILED) ||
            (is_to_count(input, pod) && has_failed(input, pod) && !is_ignored(pod)))
            count += pod->count;
    }
    return count;
}

/* The completed indexes with those that succeeded since the last sync. */
static struct job_indexes succeeded_indexes(struct arena *arena, const struct job_input *input)
{
    int64_t *numbers = ARENA_ARRAY(arena, int64_t, input->pod_count + 1);
    uint32_t count = 0;
    for (uint32_t i = 0; i < input->pod_count; i++) {
        const struct job_pod_class *pod = &input->pods[i];
        if (pod->count > 0 && pod->phase == POD_SUCCEEDED && index_is_valid(input, pod) &&
            (!input->tracking || pod->finalizer))
            numbers[count++] = pod->index;
    }
    count = job_sort_numbers(numbers, count);
    const struct job_indexes none = {0};
    return job_indexes_with(arena, input->tracking ? &input->completed : &none, numbers, count);
}

/* Without a limit of its own, a Job whose indexes have limits has none. */
static int64_t backoff_limit(const struct job_input *input)
{
    return !input->job->backoff_limit_given && job_limits_indexes(input->features, input->job)
               ? INT32_MAX
               : input->job->backoff_limit;
}

static bool past_backoff_limit_on_failure(const struct job_input *input)
{
    if (input->job->template.spec.restart_policy != RESTART_ON_FAILURE)
        return false;
    int64_t restarts = 0;
    for (uint32_t i = 0; i < input->pod_count; i++) {
        const struct job_pod_class *pod = &input->pods[i];
        if (pod->phase == POD_RUNNING || pod->phase == POD_PENDING)
            restarts += pod->restarts_sum * pod->count;
    }
    const int64_t limit = backoff_limit(input);
    return limit == 0 ? restarts > 0 : restarts >= limit;
}

static bool policy_fails_job(const struct job_input *input)
{
    for (uint32_t i = 0; i < input->pod_count; i++)
        if (input->pods[i].count > 0 && input->pods[i].match == JOB_MATCH_FAIL_JOB &&
            has_failed(input, &input->pods[i]))
            return true;
    return false;
}

static enum job_finish find_failure(const struct job_input *input, int64_t failed)
{
    const struct job *job = input->job;
    if (input->target == JOB_TARGET_SUCCESS && says_success_first(input))
        return JOB_SUCCESS_TARGETED;
    if (input->target == JOB_TARGET_FAILURE)
        return JOB_FAILURE_TARGETED;
    if (policy_fails_job(input))
        return JOB_POD_FAILURE_POLICY;
    if (failed > backoff_limit(input) || past_backoff_limit_on_failure(input))
        return JOB_BACKOFF_LIMIT_EXCEEDED;
    /* A Job that is about to start has run for no time at all. */
    const int64_t start_age = input->started ? input->start_age : 0;
    if (job->active_deadline_seconds.set && !job->suspend &&
        start_age >= duration_of_seconds(job->active_deadline_seconds.value))
        return JOB_DEADLINE_EXCEEDED;
    return JOB_NOT_OVER;
}

static int64_t wanted_active(const struct job_input *input, int64_t active, int64_t succeeded)
{
    const struct job *job = input->job;
    const int64_t parallelism = job->parallelism.set ? job->parallelism.value : 1;
    if (!job->completions.set)
        return succeeded > 0 ? active : parallelism;
    const int64_t missing = job->completions.value - succeeded;
    const int64_t wanted = missing < parallelism ? missing : parallelism;
    return wanted > 0 ? wanted : 0;
}

/* Batches of 1, 2, 4, ... until one has a failure. */
static void create_pods(const struct job_input *input, struct job_decision *decision, int64_t count)
{
    int64_t batch = count < 1 ? count : 1;
    while (count > 0) {
        int64_t good = batch;
        if (input->create_limit >= 0 && decision->created + batch > input->create_limit)
            good = input->create_limit > decision->created ? input->create_limit - decision->created
                                                           : 0;
        decision->create_calls += batch;
        decision->created += good;
        count -= batch;
        if (good < batch) {
            decision->create_failed = true;
            return;
        }
        batch = 2 * batch < count ? 2 * batch : count;
    }
}

/* The lowest indexes that are neither done nor taken. */
static void pick_indexes(struct arena *arena, const struct job_input *input,
                         const struct job_indexes *done, struct job_decision *decision,
                         int64_t count)
{
    int64_t *taken = ARENA_ARRAY(arena, int64_t, input->pod_count + 1);
    uint32_t taken_count = 0;
    for (uint32_t i = 0; i < input->pod_count; i++) {
        const struct job_pod_class *pod = &input->pods[i];
        if (pod->count > 0 && pod->index != JOB_NO_INDEX &&
            (is_active(pod) || (waits_for_terminating(input) && is_terminating(pod))))
            taken[taken_count++] = pod->index;
    }
    taken_count = job_sort_numbers(taken, taken_count);
    struct job_indexes used = job_indexes_with(arena, done, taken, taken_count);
    used = job_indexes_merge(arena, &used, &decision->failed_indexes);
    int64_t candidate = 0;
    for (uint32_t i = 0; i <= used.count; i++) {
        const int64_t completions = input->job->completions.value;
        const int64_t end =
            i < used.count && used.items[i].first < completions ? used.items[i].first : completions;
        for (; candidate < end && decision->created_indexes.count < (uint64_t)count; candidate++)
            VEC_PUSH(arena, &decision->created_indexes, candidate);
        if (i < used.count && candidate <= used.items[i].last)
            candidate = used.items[i].last + 1;
    }
}

static void manage(struct arena *arena, const struct job_input *input,
                   const struct job_indexes *done, int64_t succeeded, struct job_decision *decision)
{
    const int64_t active = decision->active_before;
    if (input->job->suspend) {
        decision->action = JOB_SUSPENDS;
        for (uint32_t i = 0; i < input->pod_count; i++)
            if (is_active(&input->pods[i]))
                job_delete_pods(decision, i, input->pods[i].count);
        return;
    }
    decision->wanted = wanted_active(input, active, succeeded);
    job_select_deletions(input, decision,
                         active > decision->wanted ? active - decision->wanted : 0);
    if (decision->deleted > 0) {
        decision->action = JOB_DELETES;
        return;
    }
    int64_t count = decision->wanted - active;
    if (waits_for_terminating(input))
        count -= decision->terminating;
    if (count <= 0)
        return;
    if (!job_limits_indexes(input->features, input->job) && job_backs_off(input)) {
        decision->action = JOB_WAITS;
        return;
    }
    if (count > JOB_PODS_PER_SYNC)
        count = JOB_PODS_PER_SYNC;
    if (is_indexed(input)) {
        pick_indexes(arena, input, done, decision, count);
        if (job_limits_indexes(input->features, input->job) &&
            job_drop_waiting_indexes(input, decision)) {
            decision->action = JOB_WAITS;
            return;
        }
        count = decision->created_indexes.count;
    }
    decision->action = JOB_CREATES;
    create_pods(input, decision, count);
    if (decision->created_indexes.count > decision->created)
        decision->created_indexes.count = (uint32_t)decision->created;
}

/* The condition Suspended, and the start that is counted anew on resumption. */
static void update_suspension(const struct job_input *input, struct job_decision *decision)
{
    if (input->job->suspend) {
        decision->suspension_changed = input->suspension != JOB_SUSPENDED;
        decision->suspension = JOB_SUSPENDED;
    } else if (input->suspension == JOB_SUSPENDED) {
        decision->suspension_changed = true;
        decision->suspension = JOB_RESUMED;
        decision->restarted = true;
    }
}

/* Jobs of before 1.26: counted afresh in every sync, by looking at the pods. */
static void count_plainly(const struct job_input *input, const struct job_indexes *done,
                          int64_t succeeded, int64_t failed, struct job_decision *decision)
{
    decision->succeeded = (int32_t)succeeded;
    decision->failed = (int32_t)failed;
    if (is_indexed(input))
        decision->completed = *done;
    for (uint32_t i = 0; i < input->pod_count; i++)
        if (input->pods[i].finalizer)
            decision->finalizers_removed[i] = input->pods[i].count;
    decision->finished = decision->finish != JOB_NOT_OVER;
}

static void init_decision(struct arena *arena, const struct job_input *input,
                          struct job_decision *decision)
{
    const uint32_t room = input->pod_count + 1;
    *decision = (struct job_decision){
        .deletions = ARENA_ARRAY(arena, int64_t, room),
        .tied = ARENA_ARRAY(arena, bool, room),
        .finalizers_removed = ARENA_ARRAY(arena, int64_t, room),
        .delayed = ARENA_ARRAY(arena, bool, room),
        .suspension = input->suspension,
        .completed = input->completed,
    };
    for (uint32_t i = 0; i < input->pod_count; i++) {
        if (is_terminating(&input->pods[i]))
            decision->terminating += (int32_t)input->pods[i].count;
        if (!is_active(&input->pods[i]))
            continue;
        decision->active_before += input->pods[i].count;
        if (input->pods[i].ready)
            decision->ready += (int32_t)input->pods[i].count;
    }
    decision->restarted = !input->started && !input->job->suspend;
}

/* Active pods whose finalizer goes with their deletion. */
static void remove_finalizers_of_deleted(const struct job_input *input,
                                         struct job_decision *decision)
{
    for (uint32_t i = 0; i < input->pod_count; i++)
        if (input->pods[i].finalizer && decision->finalizers_removed[i] < decision->deletions[i])
            decision->finalizers_removed[i] = decision->deletions[i];
}

/* From 1.31 on the status is that after the deletions. */
static void see_deletions(const struct job_input *input, struct job_decision *decision)
{
    if (!input->features->job_two_steps)
        return;
    decision->terminating += (int32_t)decision->deleted;
    for (uint32_t i = 0; i < input->pod_count; i++)
        if (input->pods[i].ready)
            decision->ready -= (int32_t)decision->deletions[i];
}

/* Decides by the counts whether the Job fails, and if not, about its pods. */
static void decide_pods(struct arena *arena, const struct job_input *input,
                        const struct job_indexes *done, int64_t succeeded,
                        struct job_decision *decision)
{
    const struct job *job = input->job;
    if (decision->finish != JOB_NOT_OVER) {
        decision->action = JOB_DELETES_ALL;
        for (uint32_t i = 0; i < input->pod_count; i++)
            if (is_active(&input->pods[i]))
                job_delete_pods(decision, i, input->pods[i].count);
        decision->active = 0;
        see_deletions(input, decision);
        return;
    }
    if (!input->terminating)
        manage(arena, input, done, succeeded, decision);
    see_deletions(input, decision);
    /* Until it was corrected, the status said 0 while the Job waited. */
    const bool forgets =
        decision->action == JOB_WAITS && !input->features->job_counts_while_waiting;
    const int64_t active =
        forgets ? 0 : decision->active_before + decision->created - decision->deleted;
    const bool enough = job->completions.set ? succeeded >= job->completions.value : succeeded > 0;
    decision->active = (int32_t)active;
    if (enough && active == 0)
        decision->finish = JOB_COMPLETE;
    else if (!input->terminating)
        update_suspension(input, decision);
}

void job_decide(struct arena *arena, const struct job_input *input, struct job_decision *decision)
{
    init_decision(arena, input, decision);
    if (input->over) {
        decision->action = JOB_WAS_OVER;
        decision->forget = true;
        return;
    }
    const int64_t failed = count_failed(input);
    int64_t succeeded = count_succeeded(input);
    struct job_indexes done = {0};
    decision->finish = find_failure(input, failed);
    if (is_indexed(input)) {
        done = succeeded_indexes(arena, input);
        succeeded = job_indexes_total(&done);
        const enum job_finish judged = job_judge_indexes(arena, input, &done, decision);
        if (decision->finish == JOB_NOT_OVER)
            decision->finish = judged;
    }
    decide_pods(arena, input, &done, succeeded, decision);
    decision->forget = input->succeeded < succeeded;
    const bool fails = decision->action == JOB_DELETES_ALL;
    if (input->tracking)
        decision->finished = job_track(arena, input, decision);
    else
        count_plainly(input, &done, succeeded, failed + (fails ? decision->deleted : 0), decision);
    if (!fails)
        remove_finalizers_of_deleted(input, decision);
    if (failed > input->failed && !decision->finished)
        decision->new_failure = input->features->job_failure_is_error;
    else if (decision->suspension_changed)
        decision->forget = true;
}
