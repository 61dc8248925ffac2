/* SPDX-License-Identifier: Apache-2.0 */
/* Which active pods of a Job go when there are too many. */
#include "decide/controller/job_internal.h"

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

void job_delete_pods(struct job_decision *decision, uint32_t class, int64_t count)
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
            job_delete_pods(decision, i, taken);
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
            job_delete_pods(decision, i, left_of(input, decision, i));
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

void job_select_deletions(const struct job_input *input, struct job_decision *decision,
                          int64_t at_least)
{
    if (is_indexed(input))
        delete_duplicates(input, decision);
    if (decision->deleted < at_least)
        delete_lowest(input, decision, JOB_NO_INDEX, at_least - decision->deleted);
    for (uint32_t i = input->pod_count; i-- > 0 && decision->deleted > JOB_PODS_PER_SYNC;) {
        const int64_t excess = decision->deleted - JOB_PODS_PER_SYNC;
        const int64_t spared = decision->deletions[i] < excess ? decision->deletions[i] : excess;
        job_delete_pods(decision, i, -spared);
    }
}
