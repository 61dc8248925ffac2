/* SPDX-License-Identifier: Apache-2.0 */
#include "tracing/server/rate.h"

enum { SECONDS_KEPT = 2 };

void rate_init(struct rate *rate, uint64_t most, int64_t now_ns)
{
    *rate = (struct rate){.most = most, .left = (double)most * SECONDS_KEPT, .last_ns = now_ns};
}

bool rate_take(struct rate *rate, uint64_t count, int64_t now_ns)
{
    if (!rate->most)
        return true;
    const double full = (double)rate->most * SECONDS_KEPT;
    rate->left += (double)(now_ns - rate->last_ns) / 1e9 * (double)rate->most;
    rate->last_ns = now_ns;
    if (rate->left > full)
        rate->left = full;
    if (rate->left < (double)count && rate->left < full)
        return false;
    rate->left -= (double)count;
    return true;
}
