/* SPDX-License-Identifier: Apache-2.0 */
/* What the parts of the Job controller's sync share: questions about a pod, and the
 * parts themselves. */
#ifndef FATHOM_DECIDE_CONTROLLER_JOB_INTERNAL_H
#define FATHOM_DECIDE_CONTROLLER_JOB_INTERNAL_H

#include "decide/controller/job_controller.h"

enum { JOB_PODS_PER_SYNC = 500 };

static inline bool is_indexed(const struct job_input *input)
{
    return input->job->completion_mode == COMPLETION_INDEXED;
}

static inline bool index_is_valid(const struct job_input *input, const struct job_pod_class *pod)
{
    return !is_indexed(input) ||
           (pod->index != JOB_NO_INDEX && pod->index < input->job->completions.value);
}

static inline bool is_active(const struct job_pod_class *pod)
{
    return pod->phase != POD_SUCCEEDED && pod->phase != POD_FAILED && !pod->terminating;
}

static inline bool is_terminal(const struct job_pod_class *pod)
{
    return pod->phase == POD_SUCCEEDED || pod->phase == POD_FAILED;
}

static inline bool replaces_only_failed(const struct job_input *input)
{
    return job_replaces_only_failed(input->features, input->job);
}

/* Does a condition say that the Job will succeed before it has? */
static inline bool says_success_first(const struct job_input *input)
{
    return input->features->job_two_steps || input->features->job_success_policy;
}

static inline bool has_failed(const struct job_input *input, const struct job_pod_class *pod)
{
    if (pod->phase == POD_FAILED)
        return true;
    return input->tracking && !replaces_only_failed(input) && pod->terminating &&
           pod->phase != POD_SUCCEEDED;
}

/* A failed pod that the policy tells to ignore. */
static inline bool is_ignored(const struct job_pod_class *pod)
{
    return pod->match == JOB_MATCH_IGNORE;
}

/* Pods that are not yet part of the status' counters. */
static inline bool is_to_count(const struct job_input *input, const struct job_pod_class *pod)
{
    if (input->tracking && (!pod->finalizer || pod->uncounted != JOB_NOT_NOTED))
        return false;
    return index_is_valid(input, pod);
}

static inline bool is_terminating(const struct job_pod_class *pod)
{
    return pod->terminating && !is_terminal(pod);
}

/* Must pods that terminate end before they are replaced? */
static inline bool waits_for_terminating(const struct job_input *input)
{
    return input->features->job_waits_for_terminating && replaces_only_failed(input);
}

/* ---- job_removal.c ---- */

void job_delete_pods(struct job_decision *decision, uint32_t class, int64_t count);
/* Duplicates, and so many of the others that at least `at_least` go. */
void job_select_deletions(const struct job_input *input, struct job_decision *decision,
                          int64_t at_least);

/* ---- job_retry.c ---- */

/* Do the failures since the last success keep the Job waiting? */
bool job_backs_off(const struct job_input *input);
/* The indexes whose last failure is long enough ago are kept. True if there are only
 * others. */
bool job_drop_waiting_indexes(const struct job_input *input, struct job_decision *decision);
/* How an Indexed Job ends by its indexes; fills in those that failed. */
enum job_finish job_judge_indexes(struct arena *arena, const struct job_input *input,
                                  const struct job_indexes *done, struct job_decision *decision);

/* ---- job_tally.c ---- */

/* Finished pods lose their finalizer and enter the counters, up to a limit per sync.
 * True if the Job is over and nothing is left to count. */
bool job_track(struct arena *arena, const struct job_input *input, struct job_decision *decision);

#endif
