/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The token bucket that spaces out NoExecute taints in a zone: one token at
 * most, `rate` tokens a second, never any with rate 0.
 *
 * The arithmetic is that of golang.org/x/time/rate, in float64 from a float32
 * rate, because it shows: at rate 0.01 the next token needs slightly more than
 * 100 s. Time is the age of the last token taken.
 */
#ifndef FATHOM_DECIDE_CONTROLLER_TAINT_LIMITER_H
#define FATHOM_DECIDE_CONTROLLER_TAINT_LIMITER_H

#include <stdbool.h>
#include <stdint.h>

struct taint_limiter {
    float rate;
    double tokens;    /* left when the last one was taken */
    int64_t last_age; /* nanoseconds; TAINT_LIMITER_FULL: none was taken yet */
};

#define TAINT_LIMITER_FULL (INT64_MAX / 4)

struct taint_limiter taint_limiter_full(float rate);

void taint_limiter_age(struct taint_limiter *limiter, int64_t nanoseconds);

bool taint_limiter_has_token(const struct taint_limiter *limiter);
/* Takes a token if there is one. */
bool taint_limiter_take(struct taint_limiter *limiter);

/* Sets a new rate. A limiter without a token stays without one. Nothing happens
 * if the rate is the same. */
void taint_limiter_change(struct taint_limiter *limiter, float rate);

#endif
