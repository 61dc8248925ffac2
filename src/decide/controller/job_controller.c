/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Follows syncJob of pkg/controller/job/job_controller.go, v1.26. Left out: pod
 * failure policies, per-index back-off and success policies (later releases),
 * and failing API calls other than creations.
 */
#include "decide/controller/job_controller.h"

#include "decide/claim.h"

#include <stdlib.h>

enum { PODS_PER_SYNC = 500, UNCOUNTED_MOST = 500 };

static bool is_indexed(const struct job_input *input)
{
    return input->job->completion_mode == COMPLETION_INDEXED;
}

static bool index_is_valid(const struct job_input *input, const struct job_pod_class *pod)
{
    return !is_indexed(input) ||
           (pod->index != JOB_NO_INDEX && pod->index < input->job->completions.value);
}

static bool is_active(const struct job_pod_class *pod)
{
    return pod->phase != POD_SUCCEEDED && pod->phase != POD_FAILED && !pod->terminating;
}

static bool is_terminal(const struct job_pod_class *pod)
{
    return pod->phase == POD_SUCCEEDED || pod->phase == POD_FAILED;
}

static bool has_failed(const struct job_input *input, const struct job_pod_class *pod)
{
    if (pod->phase == POD_FAILED)
        return true;
    return input->tracking && pod->terminating && pod->phase != POD_SUCCEEDED;
}

/* Pods that are not yet part of the status' counters. */
static bool is_to_count(const struct job_input *input, const struct job_pod_class *pod)
{
    if (input->tracking && (!pod->finalizer || pod->uncounted != JOB_NOT_NOTED))
        return false;
    return index_is_valid(input, pod);
}

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
            (is_to_count(input, pod) && has_failed(input, pod)))
            count += pod->count;
    }
    return count;
}

static int compare_numbers(const void *left, const void *right)
{
    const int64_t a = *(const int64_t *)left;
    const int64_t b = *(const int64_t *)right;
    return (a > b) - (a < b);
}

/* Sorted, each once. */
static uint32_t sort_numbers(int64_t *numbers, uint32_t count)
{
    if (count == 0)
        return 0;
    qsort(numbers, count, sizeof(*numbers), compare_numbers);
    uint32_t kept = 1;
    for (uint32_t i = 1; i < count; i++)
        if (numbers[i] != numbers[kept - 1])
            numbers[kept++] = numbers[i];
    return kept;
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
    count = sort_numbers(numbers, count);
    const struct job_indexes none = {0};
    return job_indexes_with(arena, input->tracking ? &input->completed : &none, numbers, count);
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
    const int32_t limit = input->job->backoff_limit;
    return limit == 0 ? restarts > 0 : restarts >= limit;
}

static enum job_finish find_failure(const struct job_input *input, int64_t failed)
{
    const struct job *job = input->job;
    if (failed > job->backoff_limit || past_backoff_limit_on_failure(input))
        return JOB_BACKOFF_LIMIT_EXCEEDED;
    /* A Job that is about to start has run for no time at all. */
    const int64_t start_age = input->started ? input->start_age : 0;
    if (job->active_deadline_seconds.set && !job->suspend &&
        start_age >= duration_of_seconds(job->active_deadline_seconds.value))
        return JOB_DEADLINE_EXCEEDED;
    return JOB_NOT_OVER;
}

static int phase_rank(enum pod_phase phase)
{
    switch (phase) {
    case POD_RUNNING: return 2;
    case POD_UNKNOWN: return 1;
    case POD_PHASE_UNSET:
    case POD_PENDING:
    case POD_SUCCEEDED:
    case POD_FAILED: return 0;
    }
    return 0;
}

/* Younger first, and what has no time before everything else. */
static int compare_ages(int64_t a, int64_t b)
{
    if (a == b)
        return 0;
    if (a == JOB_AGE_UNSET || b == JOB_AGE_UNSET)
        return a == JOB_AGE_UNSET ? -1 : 1;
    return a < b ? -1 : 1;
}

int job_compare_pods(const struct job_pod_class *a, const struct job_pod_class *b)
{
    if (a->assigned != b->assigned)
        return a->assigned ? 1 : -1;
    if (phase_rank(a->phase) != phase_rank(b->phase))
        return phase_rank(a->phase) - phase_rank(b->phase);
    if (a->ready != b->ready)
        return a->ready ? 1 : -1;
    if (a->ready && a->ready_age != b->ready_age)
        return compare_ages(a->ready_age, b->ready_age);
    if (a->restarts_most != b->restarts_most)
        return a->restarts_most > b->restarts_most ? -1 : 1;
    return compare_ages(a->creation_age, b->creation_age);
}

static void delete_pods(struct job_decision *decision, uint32_t class, int64_t count)
{
    decision->deletions[class] += count;
    decision->deleted += count;
}

static int64_t left_of(const struct job_input *input, const struct job_decision *decision,
                       uint32_t class)
{
    return input->pods[class].count - decision->deletions[class];
}

/* Deletes `count` of the active pods of one index (JOB_NO_INDEX: of all), lowest
 * first. */
static void delete_lowest(const struct job_input *input, struct job_decision *decision,
                          int64_t index, int64_t count)
{
    while (count > 0) {
        uint32_t lowest = UINT32_MAX;
        int64_t equal = 0;
        for (uint32_t i = 0; i < input->pod_count; i++) {
            const struct job_pod_class *pod = &input->pods[i];
            if (!is_active(pod) || left_of(input, decision, i) == 0 ||
                (index != JOB_NO_INDEX && pod->index != index))
                continue;
            const int order =
                lowest == UINT32_MAX ? -1 : job_compare_pods(pod, &input->pods[lowest]);
            if (order < 0)
                lowest = i;
            equal = order < 0 ? left_of(input, decision, i)
                              : equal + (order == 0 ? left_of(input, decision, i) : 0);
        }
        if (lowest == UINT32_MAX)
            return;
        /* All pods of equal rank, or some of them: then any may be meant. */
        const struct job_pod_class rank = input->pods[lowest];
        const bool choice = equal > count;
        for (uint32_t i = lowest; i < input->pod_count && count > 0; i++) {
            const struct job_pod_class *pod = &input->pods[i];
            const int64_t left = left_of(input, decision, i);
            if (!is_active(pod) || left == 0 || job_compare_pods(pod, &rank) != 0 ||
                (index != JOB_NO_INDEX && pod->index != index))
                continue;
            const int64_t taken = left < count ? left : count;
            delete_pods(decision, i, taken);
            count -= taken;
            if (choice)
                decision->tie_deleted += taken;
        }
        if (choice)
            for (uint32_t i = 0; i < input->pod_count; i++)
                decision->tied[i] = decision->tied[i] ||
                                    (is_active(&input->pods[i]) &&
                                     (index == JOB_NO_INDEX || input->pods[i].index == index) &&
                                     job_compare_pods(&input->pods[i], &rank) == 0);
    }
}

/* Of every index one pod stays, the highest; without a valid index none. */
static void delete_duplicates(const struct job_input *input, struct job_decision *decision)
{
    for (uint32_t i = 0; i < input->pod_count; i++) {
        const struct job_pod_class *pod = &input->pods[i];
        if (!is_active(pod))
            continue;
        if (!index_is_valid(input, pod)) {
            delete_pods(decision, i, left_of(input, decision, i));
            continue;
        }
        int64_t same = 0;
        for (uint32_t j = 0; j < input->pod_count; j++)
            if (is_active(&input->pods[j]) && input->pods[j].index == pod->index)
                same += left_of(input, decision, j);
        if (same > 1)
            delete_lowest(input, decision, pod->index, same - 1);
    }
}

static void select_deletions(const struct job_input *input, struct job_decision *decision,
                             int64_t at_least)
{
    if (is_indexed(input))
        delete_duplicates(input, decision);
    if (decision->deleted < at_least)
        delete_lowest(input, decision, JOB_NO_INDEX, at_least - decision->deleted);
    for (uint32_t i = input->pod_count; i-- > 0 && decision->deleted > PODS_PER_SYNC;) {
        const int64_t excess = decision->deleted - PODS_PER_SYNC;
        const int64_t spared = decision->deletions[i] < excess ? decision->deletions[i] : excess;
        delete_pods(decision, i, -spared);
    }
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
    for (uint32_t i = 0; i < input->pod_count; i++)
        if (is_active(&input->pods[i]) && input->pods[i].count > 0 &&
            input->pods[i].index != JOB_NO_INDEX)
            taken[taken_count++] = input->pods[i].index;
    taken_count = sort_numbers(taken, taken_count);
    const struct job_indexes used = job_indexes_with(arena, done, taken, taken_count);
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
                delete_pods(decision, i, input->pods[i].count);
        return;
    }
    decision->wanted = wanted_active(input, active, succeeded);
    select_deletions(input, decision, active > decision->wanted ? active - decision->wanted : 0);
    if (decision->deleted > 0) {
        decision->action = JOB_DELETES;
        return;
    }
    if (active >= decision->wanted)
        return;
    int64_t count = decision->wanted - active;
    if (count > PODS_PER_SYNC)
        count = PODS_PER_SYNC;
    if (is_indexed(input)) {
        pick_indexes(arena, input, done, decision, count);
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

/* Finished pods on their way from their finalizers into the counters. */
struct tally {
    int64_t kept_succeeded; /* noted by earlier syncs, and still with a finalizer */
    int64_t kept_failed;
    int64_t noted_succeeded; /* noted by this one */
    int64_t noted_failed;
    int64_t *indexes; /* succeeded in this sync */
    uint32_t index_count;
};

static int64_t tally_uncounted(const struct tally *tally)
{
    return tally->kept_succeeded + tally->kept_failed + tally->noted_succeeded +
           tally->noted_failed + tally->index_count;
}

/* What earlier syncs noted: counted now if the finalizer is gone. */
static void tally_noted(const struct job_input *input, struct job_decision *decision,
                        struct tally *tally)
{
    decision->succeeded = input->succeeded + input->vanished_succeeded;
    decision->failed = input->failed + input->vanished_failed;
    for (uint32_t i = 0; i < input->pod_count; i++) {
        const struct job_pod_class *pod = &input->pods[i];
        if (pod->uncounted == JOB_NOTED_SUCCEEDED && pod->finalizer)
            tally->kept_succeeded += pod->count;
        else if (pod->uncounted == JOB_NOTED_SUCCEEDED)
            decision->succeeded += (int32_t)pod->count;
        else if (pod->uncounted == JOB_NOTED_FAILED && pod->finalizer)
            tally->kept_failed += pod->count;
        else if (pod->uncounted == JOB_NOTED_FAILED)
            decision->failed += (int32_t)pod->count;
    }
}

/* Notes the pods of one class, as many as there is room for. */
static void tally_class(const struct job_input *input, uint32_t class, bool over,
                        struct job_decision *decision, struct tally *tally)
{
    const struct job_pod_class *pod = &input->pods[class];
    const bool terminated = pod->terminating || over;
    const bool success = pod->phase == POD_SUCCEEDED && pod->uncounted != JOB_NOTED_FAILED;
    const bool failure = !success && (pod->phase == POD_FAILED || terminated);
    const bool notes_success = success && !is_indexed(input) && pod->uncounted == JOB_NOT_NOTED;
    const bool notes_failure =
        failure && pod->uncounted != JOB_NOTED_FAILED && index_is_valid(input, pod);
    int64_t counted = pod->count;
    if (notes_success || notes_failure) {
        /* The limit is looked at after a pod was noted, so one always is. */
        const int64_t room = UNCOUNTED_MOST - tally_uncounted(tally);
        if (counted > room)
            counted = room > 0 ? room : 1;
    }
    if (notes_success)
        tally->noted_succeeded += counted;
    if (notes_failure)
        tally->noted_failed += counted;
    if (success && is_indexed(input) && index_is_valid(input, pod) &&
        !job_indexes_has(&input->completed, pod->index))
        tally->indexes[tally->index_count++] = pod->index;
    if (is_terminal(pod) || terminated || input->terminating)
        decision->finalizers_removed[class] = counted;
}

/* Finalizers are removed, and those who lost theirs enter the counters. */
static void count_tally(const struct job_input *input, struct job_decision *decision,
                        struct tally *tally)
{
    for (uint32_t i = 0; i < input->pod_count; i++) {
        const struct job_pod_class *pod = &input->pods[i];
        const int64_t removed = pod->finalizer ? decision->finalizers_removed[i] : 0;
        if (pod->uncounted == JOB_NOTED_SUCCEEDED) {
            tally->kept_succeeded -= removed;
            tally->noted_succeeded += removed;
        } else if (pod->uncounted == JOB_NOTED_FAILED) {
            tally->kept_failed -= removed;
            tally->noted_failed += removed;
        }
    }
    decision->succeeded += (int32_t)tally->noted_succeeded;
    decision->failed += (int32_t)tally->noted_failed;
    decision->uncounted_succeeded = (int32_t)tally->kept_succeeded;
    decision->uncounted_failed = (int32_t)tally->kept_failed;
}

/* Finished pods lose their finalizer and enter the counters, up to a limit per
 * sync. True if the Job is over and nothing is left to count. */
static bool track(struct arena *arena, const struct job_input *input, struct job_decision *decision)
{
    const bool over = decision->finish != JOB_NOT_OVER;
    struct tally tally = {.indexes = ARENA_ARRAY(arena, int64_t, input->pod_count + 1)};
    bool full = false;
    tally_noted(input, decision, &tally);
    for (uint32_t i = 0; i < input->pod_count && !full; i++) {
        if (!input->pods[i].finalizer || input->pods[i].count == 0)
            continue;
        tally_class(input, i, over, decision, &tally);
        full = tally_uncounted(&tally) >= UNCOUNTED_MOST;
    }
    count_tally(input, decision, &tally);
    if (is_indexed(input)) {
        const uint32_t count = sort_numbers(tally.indexes, tally.index_count);
        decision->completed = job_indexes_with(arena, &input->completed, tally.indexes, count);
        decision->succeeded = (int32_t)job_indexes_total(&decision->completed);
    }
    return over && !full && tally.kept_succeeded == 0 && tally.kept_failed == 0;
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
        .suspension = input->suspension,
        .completed = input->completed,
    };
    for (uint32_t i = 0; i < input->pod_count; i++) {
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
                delete_pods(decision, i, input->pods[i].count);
        decision->active = 0;
        return;
    }
    if (!input->terminating)
        manage(arena, input, done, succeeded, decision);
    const int64_t active = decision->active_before + decision->created - decision->deleted;
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
    }
    decide_pods(arena, input, &done, succeeded, decision);
    decision->forget = input->succeeded < succeeded;
    const bool fails = decision->action == JOB_DELETES_ALL;
    if (input->tracking)
        decision->finished = track(arena, input, decision);
    else
        count_plainly(input, &done, succeeded, failed + (fails ? decision->deleted : 0), decision);
    if (!fails)
        remove_finalizers_of_deleted(input, decision);
    if (failed > input->failed && !decision->finished)
        decision->new_failure = input->features->job_failure_is_error;
    else if (decision->suspension_changed)
        decision->forget = true;
}
