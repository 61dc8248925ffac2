/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Which of the pods that are bound an autoscaler may see as not ready yet, where states do not say
 * it (population.guesses_readiness): any choice of them.
 *
 *     struct readiness_guess guess = guess_none(worker, &input);
 *     while (guess_next(&guess))
 *         use(guess_input(&guess));
 *
 * All of it lives in the worker's scratch arena.
 */
#ifndef FATHOM_CLUSTER_ASK_READINESS_GUESS_H
#define FATHOM_CLUSTER_ASK_READINESS_GUESS_H

#include "cluster/forward.h"
#include "decide/controller/hpa.h"

struct readiness_guess {
    struct hpa_input input;
    uint32_t count; /* so many entries are of the pods as they are; behind each of them comes one */
    struct hpa_pod_class *pods; /* in which they have not started */
    struct hpa_pod_class *seen; /* room for the pods of guess_input */
};

struct readiness_guess guess_none(struct worker *worker, const struct hpa_input *input);
/* Goes on with the next choice of ready pods that are unready; false: that was the last. */
bool guess_next(struct readiness_guess *guess);
/* What the autoscaler sees then, until the next choice: without entries of no pods. */
struct hpa_input guess_input(const struct readiness_guess *guess);

#endif
