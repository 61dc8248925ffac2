/* SPDX-License-Identifier: Apache-2.0 */
#include "tracing/server/metrics.h"

#include "base/clock.h"

#include <inttypes.h>

static void write_metric(struct text *text, const char *name, const char *type, const char *help,
                         uint64_t value)
{
    text_printf(text,
                "# HELP fathom_trace_%s %s.\n# TYPE fathom_trace_%s %s\nfathom_trace_%s %" PRIu64
                "\n",
                name, help, name, type, name, value);
}

void metrics_write(struct metrics *metrics, const struct store_statistics *store, struct text *text)
{
#define COUNTER(member, name, help) \
    write_metric(text, name, "counter", help, atomic_load(&metrics->member));
#include "tracing/server/metrics.def"
#undef COUNTER
    write_metric(text, "removed_cpids_total", "counter", "CPIDs that were removed as the oldest",
                 store->removed_cpids);
    write_metric(text, "removed_spans_total", "counter", "Spans that went with them",
                 store->removed_spans);
    write_metric(text, "cpids", "gauge", "CPIDs in the merge graph", store->cpids);
    write_metric(text, "edges", "gauge", "Edges of the merge graph", store->edges);
    write_metric(text, "spans", "gauge", "Spans in the store", store->spans);
    write_metric(text, "store_bytes", "gauge", "Bytes of the store that are in use", store->bytes);
    write_metric(text, "peak_memory_bytes", "gauge", "Largest resident size so far",
                 clock_peak_bytes());
}
