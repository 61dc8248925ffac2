/* SPDX-License-Identifier: Apache-2.0 */
/* Records as JSON. Times are texts, since they have more digits than numbers of
 * JSON keep. */
#include "tracing/graph/record.h"

#include <inttypes.h>
#include <stdio.h>

static void write_id(struct json_out *json, const char *key, const struct fathom_trace_id *id)
{
    char text[FATHOM_TRACE_ID_TEXT] = "";
    if (!fathom_trace_id_is_none(id))
        fathom_trace_id_format(id, text);
    json_string(json, key, text);
}

static void write_time(struct json_out *json, const char *key, int64_t time_ns)
{
    char text[32];
    snprintf(text, sizeof(text), "%" PRId64, time_ns);
    json_string(json, key, text);
}

static void write_text(struct json_out *json, const char *key, const char *text)
{
    if (*text)
        json_string(json, key, text);
}

void record_write_mergelog(struct json_out *json, const char *key,
                           const struct fathom_trace_mergelog *mergelog)
{
    json_object_begin(json, key);
    write_id(json, "cpid", &mergelog->cpid);
    json_array_begin(json, "sources");
    for (size_t i = 0; i < mergelog->source_count; i++)
        write_id(json, NULL, &mergelog->sources[i]);
    json_array_end(json);
    write_time(json, "timeUnixNano", mergelog->time_ns);
    json_object_end(json);
}

void record_write_span(struct json_out *json, const char *key, const struct span_record *span)
{
    json_object_begin(json, key);
    write_id(json, "cpid", &span->cpid);
    write_id(json, "spanId", &span->span_id);
    write_id(json, "parentId", &span->parent_id);
    json_string(json, "service", span->service);
    json_string(json, "name", span->name);
    write_time(json, "startTimeUnixNano", span->start_ns);
    write_time(json, "endTimeUnixNano", span->end_ns);
    write_text(json, "object", span->object);
    write_text(json, "resourceVersionRead", span->version_read);
    write_text(json, "resourceVersionWritten", span->version_written);
    if (*span->attributes)
        json_raw(json, "attributes", span->attributes);
    json_object_end(json);
}
