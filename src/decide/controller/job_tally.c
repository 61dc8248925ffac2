/* SPDX-License-Identifier: Apache-2.0 */
/* Counting finished pods by their finalizers. */
#include "decide/controller/job_internal.h"

enum { UNCOUNTED_MOST = 500 };

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
static void tally_class(const struct job_input *input, uint32_t class,
                        struct job_decision *decision, struct tally *tally)
{
    const struct job_pod_class *pod = &input->pods[class];
    const bool over = decision->finish != JOB_NOT_OVER;
    const bool failed = has_failed(input, pod);
    const bool spares = job_finish_is_success(decision->finish) && says_success_first(input);
    const bool success = pod->phase == POD_SUCCEEDED && pod->uncounted != JOB_NOTED_FAILED;
    const bool failure = !success && (failed || (over && !spares));
    const bool notes_success = success && !is_indexed(input) && pod->uncounted == JOB_NOT_NOTED;
    const bool notes_failure = failure && pod->uncounted != JOB_NOTED_FAILED &&
                               index_is_valid(input, pod) && !is_ignored(pod);
    if (!input->terminating && !over && pod->phase != POD_SUCCEEDED &&
        (!failed || decision->delayed[class]))
        return;
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

bool job_track(struct arena *arena, const struct job_input *input, struct job_decision *decision)
{
    const bool over = decision->finish != JOB_NOT_OVER;
    struct tally tally = {.indexes = ARENA_ARRAY(arena, int64_t, input->pod_count + 1)};
    bool full = false;
    tally_noted(input, decision, &tally);
    for (uint32_t i = 0; i < input->pod_count && !full; i++) {
        if (!input->pods[i].finalizer || input->pods[i].count == 0)
            continue;
        tally_class(input, i, decision, &tally);
        full = tally_uncounted(&tally) >= UNCOUNTED_MOST;
    }
    count_tally(input, decision, &tally);
    if (is_indexed(input)) {
        const uint32_t count = job_sort_numbers(tally.indexes, tally.index_count);
        decision->completed = job_indexes_with(arena, &input->completed, tally.indexes, count);
        decision->succeeded = (int32_t)job_indexes_total(&decision->completed);
    }
    /* From 1.31 on the last condition waits for pods that terminate. */
    const bool ended = !input->features->job_two_steps || decision->terminating == 0;
    return over && !full && ended && tally.kept_succeeded == 0 && tally.kept_failed == 0;
}
