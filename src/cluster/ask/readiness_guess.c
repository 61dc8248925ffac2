/* SPDX-License-Identifier: Apache-2.0 */
#include "cluster/ask/readiness_guess.h"
#include "cluster/state/worker.h"

struct readiness_guess guess_none(struct worker *worker, const struct hpa_input *input)
{
    struct readiness_guess guess = {*input, input->pod_count, NULL, NULL};
    guess.pods =
        ARENA_ARRAY(&worker->scratch, struct hpa_pod_class, 2 * (size_t)input->pod_count + 1);
    guess.seen =
        ARENA_ARRAY(&worker->scratch, struct hpa_pod_class, 2 * (size_t)input->pod_count + 1);
    for (uint32_t p = 0; p < input->pod_count; p++) {
        struct hpa_pod_class *started = &guess.pods[2 * (size_t)p];
        started[0] = started[1] = input->pods[p];
        started[1].count = 0;
        started[1].phase = POD_PENDING;
        started[1].readiness = HPA_READY_FALSE;
        started[1].samples =
            ARENA_ARRAY(&worker->scratch, struct hpa_sample, input->metric_count + 1);
    }
    return guess;
}

bool guess_next(struct readiness_guess *guess)
{
    for (uint32_t p = 0; p < guess->count; p++) {
        struct hpa_pod_class *started = &guess->pods[2 * (size_t)p];
        if (started[0].readiness != HPA_READY_TRUE)
            continue;
        if (started[0].count > 0) {
            started[0].count--;
            started[1].count++;
            return true;
        }
        started[0].count = started[1].count;
        started[1].count = 0;
    }
    return false;
}

struct hpa_input guess_input(const struct readiness_guess *guess)
{
    struct hpa_input input = guess->input;
    input.pod_count = 0;
    for (uint32_t p = 0; p < 2 * guess->count; p++)
        if (guess->pods[p].count > 0)
            guess->seen[input.pod_count++] = guess->pods[p];
    input.pods = guess->seen;
    return input;
}
