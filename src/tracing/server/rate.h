/* SPDX-License-Identifier: Apache-2.0 */
/* A limit on how many things may come in a second: a bucket that fills with
 * time, up to two seconds' worth. One thread at a time. */
#ifndef FATHOM_TRACING_SERVER_RATE_H
#define FATHOM_TRACING_SERVER_RATE_H

#include <stdbool.h>
#include <stdint.h>

struct rate {
    uint64_t most; /* a second; 0: no limit */
    double left;
    int64_t last_ns;
};

void rate_init(struct rate *rate, uint64_t most, int64_t now_ns);
/* A request that is larger than the bucket is let through when it is full, and
 * has to be waited for afterwards. */
bool rate_take(struct rate *rate, uint64_t count, int64_t now_ns);

#endif
