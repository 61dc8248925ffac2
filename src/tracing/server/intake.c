/* SPDX-License-Identifier: Apache-2.0 */
/* Requests that bring records: from the body to a batch, and what is answered. */
#include "base/clock.h"
#include "base/json_values.h"
#include "tracing/server/server_internal.h"

#include <string.h>
#include <strings.h>
#include <time.h>
#include <zlib.h>

static const char *header(const struct request *request, const char *name)
{
    return request->server->http.lookup_connection_value(request->connection, MHD_HEADER_KIND,
                                                         name);
}

/* Exporters send compressed bodies; what comes out is bounded as any body is. */
static bool inflate_body(struct request *request)
{
    const size_t most = request->server->options.body_most;
    struct text plain;
    z_stream stream = {.next_in = (unsigned char *)request->body.content,
                       .avail_in = (unsigned)request->body.length};
    if (inflateInit2(&stream, 15 + 16) != Z_OK)
        return false;
    text_init(&plain, request->server->memory);
    int code = Z_OK;
    while (code == Z_OK && plain.length <= most) {
        unsigned char piece[16384];
        stream.next_out = piece;
        stream.avail_out = sizeof(piece);
        code = inflate(&stream, Z_NO_FLUSH);
        text_append(&plain, (const char *)piece, sizeof(piece) - stream.avail_out);
        if (code == Z_OK && !stream.avail_in && stream.avail_out)
            code = Z_DATA_ERROR; /* it ends too early */
    }
    inflateEnd(&stream);
    text_release(&request->body);
    request->body = plain;
    if (!request_hold(request))
        return false;
    if (plain.length > most)
        answer_error(request, 413, "expected at most %zu bytes after decompression", most);
    else if (code != Z_STREAM_END)
        answer_error(request, 400, "the body is not gzip");
    return !request->answered;
}

/* Browsers send other types without asking; a page from elsewhere shall not. */
static bool is_json(const struct request *request)
{
    static const char json[] = "application/json";
    const char *type = header(request, "Content-Type");
    const size_t length = sizeof(json) - 1;
    return type && strncasecmp(type, json, length) == 0 && strchr(" ;", type[length]);
}

static bool unpack(struct request *request)
{
    const char *encoding = header(request, "Content-Encoding");
    if (!is_json(request)) {
        answer_error(request, 415, "Content-Type: expected application/json");
        return false;
    }
    if (!encoding || strcasecmp(encoding, "identity") == 0)
        return true;
    if (strcasecmp(encoding, "gzip") == 0)
        return inflate_body(request);
    answer_error(request, 415, "Content-Encoding: expected gzip or nothing");
    return false;
}

/* The oldest records are removed first. One from the future would stay for ever, and others would
 * have to go for it. Clocks of clients may be a little ahead. */
static int64_t latest_date(void)
{
    enum { AHEAD_SECONDS = 600 };
    struct timespec now;
    clock_gettime(CLOCK_REALTIME, &now);
    return ((int64_t)now.tv_sec + AHEAD_SECONDS) * 1000000000;
}

void intake_read(struct request *request)
{
    enum { BYTES_OF_VALUE = 8 };
    struct trace_server *server = request->server;
    const char *error = NULL;
    const size_t values_most = server->options.body_most / BYTES_OF_VALUE;
    if (!unpack(request))
        return;
    /* All clients wait while it is read. Records have far more bytes a value. */
    if (json_has_more_values(text_content(&request->body), request->body.length, values_most)) {
        METRIC_ADD(server, too_large, 1);
        answer_error(request, 413, "expected at most %zu values", values_most);
        return;
    }
    if (!record_batch_read(&request->arena, request->route->form, text_content(&request->body),
                           request->body.length, &request->batch, &error)) {
        answer_error(request, 400, "%s", error);
        return;
    }
    text_release(&request->body); /* the records are in the arena */
    text_init(&request->body, server->memory);
    record_batch_refuse_later(&request->batch, &request->arena, latest_date());
    if (!request_hold(request))
        return;
    const uint64_t records = (uint64_t)request->batch.mergelogs.count + request->batch.spans.count;
    if (!rate_take(&server->rate, records, clock_now_ns())) {
        METRIC_ADD(server, too_fast, 1);
        answer_error(request, 429, "more than %llu records a second",
                     (unsigned long long)server->options.rate_most);
        return;
    }
    if (!records)
        intake_answer(request); /* nothing to store, but maybe much to complain of */
}

static void write_refused(struct json_out *json, const struct record_problem *problem)
{
    json_object_begin(json, NULL);
    json_string(json, "kind", problem->kind);
    json_unsigned(json, "index", problem->index);
    json_string(json, "error", problem->error);
    json_object_end(json);
}

static void answer_records(struct request *request)
{
    struct json_out json;
    json_out_init(&json, &request->text, 0);
    json_object_begin(&json, NULL);
    json_unsigned(&json, "accepted", request->put.accepted);
    json_array_begin(&json, "refused");
    for (uint32_t i = 0; i < request->batch.refused.count; i++)
        write_refused(&json, &request->batch.refused.items[i]);
    for (uint32_t i = 0; i < request->put.refused.count; i++)
        write_refused(&json, &request->put.refused.items[i]);
    json_array_end(&json);
    json_object_end(&json);
}

/* As OTLP wants it: what was refused is a partial success. */
static void answer_otlp(struct request *request)
{
    struct json_out json;
    const uint32_t wrong = request->batch.refused.count;
    const uint32_t refused = wrong + request->put.refused.count;
    json_out_init(&json, &request->text, 0);
    json_object_begin(&json, NULL);
    if (refused) {
        const struct record_problem *first =
            wrong ? &request->batch.refused.items[0] : &request->put.refused.items[0];
        json_object_begin(&json, "partialSuccess");
        json_string(&json, "rejectedSpans", arena_printf(&request->arena, "%u", refused));
        json_string(
            &json, "errorMessage",
            arena_printf(&request->arena, "%s %u: %s", first->kind, first->index, first->error));
        json_object_end(&json);
    }
    json_object_end(&json);
}

/* All good: 200. Nothing good at all: 400, or 409 if it contradicts what is known. */
void intake_answer(struct request *request)
{
    const uint32_t wrong = request->batch.refused.count;
    const uint32_t contradictions = request->put.refused.count;
    if (request->outcome == STORE_FULL) {
        answer_error(request, 507, "there is no room in the store");
        return;
    }
    if (request->outcome != STORE_GOOD) {
        answer_error(request, 500, "the store failed");
        return;
    }
    METRIC_ADD(request->server, records_accepted, request->put.accepted);
    METRIC_ADD(request->server, records_refused, (uint64_t)wrong + contradictions);
    request->status = 200;
    if (request->route->form == RECORD_FORM_OTLP) {
        answer_otlp(request);
    } else {
        if (!request->put.accepted && contradictions)
            request->status = 409;
        else if (!request->put.accepted && wrong)
            request->status = 400;
        answer_records(request);
    }
    request->answered = true;
}
