/* SPDX-License-Identifier: Apache-2.0 */
#include "decide/controller/taint_limiter.h"

#include "base/saturating.h"
#include "decide/controller/go_number.h"
#include "object/meta.h"

struct taint_limiter taint_limiter_full(float rate)
{
    return (struct taint_limiter){.rate = rate, .last_age = TAINT_LIMITER_FULL};
}

void taint_limiter_age(struct taint_limiter *limiter, int64_t nanoseconds)
{
    if (limiter->last_age < TAINT_LIMITER_FULL)
        limiter->last_age = saturating_add(limiter->last_age, nanoseconds);
}

/* The tokens that would be left after taking one; false if it must wait. */
static bool try_token(const struct taint_limiter *limiter, double *left)
{
    if (limiter->rate <= 0)
        return false;
    const double rate = (double)limiter->rate;
    const int64_t seconds = limiter->last_age / NANOSECONDS_PER_SECOND;
    const int64_t rest = limiter->last_age % NANOSECONDS_PER_SECOND;
    const double elapsed = (double)seconds + (double)rest / 1e9;
    double tokens = limiter->tokens + elapsed * rate;
    if (tokens > 1)
        tokens = 1;
    *left = tokens - 1;
    /* A wait of less than a nanosecond is no wait. */
    return *left >= 0 || go_int64_of(1e9 * (-*left / rate)) <= 0;
}

bool taint_limiter_has_token(const struct taint_limiter *limiter)
{
    double left;
    return try_token(limiter, &left);
}

bool taint_limiter_take(struct taint_limiter *limiter)
{
    double left;
    if (!try_token(limiter, &left))
        return false;
    limiter->tokens = left;
    limiter->last_age = 0;
    return true;
}

void taint_limiter_change(struct taint_limiter *limiter, float rate)
{
    /* Upstream exchanges a limiter of rate 0 for a new one of rate 0. Neither gives
     * a token, so the result is the same. */
    if (limiter->rate == rate)
        return;
    const bool waiting = !taint_limiter_has_token(limiter);
    *limiter = taint_limiter_full(rate);
    if (waiting && rate > 0)
        taint_limiter_take(limiter);
}
