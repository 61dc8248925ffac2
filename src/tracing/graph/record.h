/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Mergelogs and spans: what controllers tell, in memory and as JSON.
 *
 *     {"cpid": "…", "sources": ["…"], "timeUnixNano": "1763222400000000000"}
 *     {"cpid": "…", "spanId": "…", "parentId": "", "service": "deployment-controller",
 *      "name": "sync", "startTimeUnixNano": "…", "endTimeUnixNano": "…",
 *      "object": "Deployment/default/web", "resourceVersionRead": "7",
 *      "resourceVersionWritten": "8", "attributes": {"mc.step": 3}}
 *
 * A mergelog is `struct fathom_trace_mergelog`. Texts of a span are never NULL.
 */
#ifndef FATHOM_TRACING_GRAPH_RECORD_H
#define FATHOM_TRACING_GRAPH_RECORD_H

#include "base/error.h"
#include "base/json_out.h"
#include "base/vec.h"
#include "fathom/trace.h"

enum { RECORD_SOURCES_MOST = 4096, RECORD_TEXT_MOST = 4096, RECORD_ATTRIBUTES_MOST = 16384 };

struct span_record {
    struct fathom_trace_id cpid;
    struct fathom_trace_id span_id;   /* unique within its CPID; of OTLP, 8 bytes and zeros */
    struct fathom_trace_id parent_id; /* none: a root span */
    int64_t start_ns;                 /* since 1970 */
    int64_t end_ns;
    const char *service;
    const char *name;
    const char *object;          /* "Kind/namespace/name"; "" */
    const char *version_read;    /* "" */
    const char *version_written; /* "" */
    const char *attributes; /* further ones: a JSON object on one line; "" when there are none */
};

struct record_problem {
    const char *kind;  /* "mergelog", "span" */
    uint32_t index;    /* among those of its kind in the request */
    const char *error; /* a sentence without a full stop */
};

/* What one request, or one file, brings; all of it in one arena. */
struct record_batch {
    VEC(struct fathom_trace_mergelog) mergelogs;
    VEC(struct span_record) spans;
    VEC(uint32_t) mergelog_index; /* of each, in the request, with those that were refused */
    VEC(uint32_t) span_index;
    VEC(struct record_problem) refused; /* records that are wrong by themselves */
};

enum record_form {
    RECORD_FORM_MERGELOGS, /* one, a list, or {"mergelogs": [...]} */
    RECORD_FORM_SPANS,     /* one, a list, or {"spans": [...]} */
    RECORD_FORM_BOTH,      /* {"mergelogs": [...], "spans": [...]} */
    RECORD_FORM_OTLP,      /* {"resourceSpans": [...]}, as OTLP/HTTP has it in JSON */
};

/* False, and `*error` a sentence, if the text is not JSON of this form at all. A
 * record that is wrong is listed in `refused`, the others are read. */
bool record_batch_read(struct arena *arena, enum record_form form, const char *json, size_t length,
                       struct record_batch *batch, const char **error);

/* Refuses records that are dated later than this. */
void record_batch_refuse_later(struct record_batch *batch, struct arena *arena, int64_t latest_ns);

void record_write_mergelog(struct json_out *json, const char *key,
                           const struct fathom_trace_mergelog *mergelog);
void record_write_span(struct json_out *json, const char *key, const struct span_record *span);

#endif
