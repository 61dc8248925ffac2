/* SPDX-License-Identifier: Apache-2.0 */
/* What the two forms of records in JSON share: members, problems, the batch. */
#ifndef FATHOM_TRACING_GRAPH_RECORD_FIELDS_H
#define FATHOM_TRACING_GRAPH_RECORD_FIELDS_H

#include "tracing/graph/record.h"

#include <cjson/cJSON.h>

struct record_reader {
    struct arena *arena;
    struct record_batch *batch;
    const char *kind; /* of the record that is being read */
    uint32_t index;
    bool good;
};

/* The record that is being read is wrong; only the first complaint counts. */
__attribute__((format(printf, 2, 3))) void record_refuse(struct record_reader *reader,
                                                         const char *format, ...);

/* "startTimeUnixNano": nanoseconds since 1970, as decimal text or a number. */
int64_t record_read_time(struct record_reader *reader, const cJSON *value, const char *name);
/* "" when it is left out. */
const char *record_read_text(struct record_reader *reader, const cJSON *value, const char *name);
/* A JSON object as text, on one line. */
const char *record_read_attributes(struct record_reader *reader, const cJSON *object);

/* Without the repeated ones; the rest keeps its order. */
void record_add_mergelog(struct record_reader *reader, struct fathom_trace_mergelog *mergelog,
                         struct fathom_trace_id *sources);
void record_add_span(struct record_reader *reader, const struct span_record *span);

#endif
