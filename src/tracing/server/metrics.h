/* SPDX-License-Identifier: Apache-2.0 */
/* Counters of the trace server (metrics.def); any thread may add to them. */
#ifndef FATHOM_TRACING_SERVER_METRICS_H
#define FATHOM_TRACING_SERVER_METRICS_H

#include "base/text.h"
#include "tracing/graph/store.h"

#include <stdatomic.h>

struct metrics {
#define COUNTER(member, name, help) atomic_uint_fast64_t member;
#include "tracing/server/metrics.def"
#undef COUNTER
};

#define METRIC_ADD(server, member, count) \
    atomic_fetch_add_explicit(&(server)->metrics.member, (count), memory_order_relaxed)

void metrics_write(struct metrics *metrics, const struct store_statistics *store,
                   struct text *text);

#endif
