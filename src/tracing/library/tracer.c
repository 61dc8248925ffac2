/* SPDX-License-Identifier: Apache-2.0 */
/* A tracer: the rules of a controller, and the way of its records. */
#include "tracing/library/tracer.h"

#include "tracing/library/record_text.h"
#include "tracing/library/sender.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

struct fathom_tracer {
    char *service;
    struct fathom_trace_rules rules;
    void (*on_mergelog)(void *context, const struct fathom_trace_mergelog *mergelog);
    void (*on_span)(void *context, const struct fathom_trace_span *span);
    void *on_context;
    struct sender *sender; /* NULL: nothing is sent */
    uint32_t finish_timeout_ms;
};

void fathom_trace_options_init(struct fathom_trace_options *options)
{
    *options = (struct fathom_trace_options){
        .rules = fathom_trace_rules_default(),
        .queue_records = 8192,
        .queue_bytes = 8 << 20,
        .send_timeout_ms = 5000,
        .finish_timeout_ms = 2000,
    };
}

int64_t tracer_now_ns(void)
{
    struct timespec now;
    clock_gettime(CLOCK_REALTIME, &now);
    return (int64_t)now.tv_sec * 1000000000 + now.tv_nsec;
}

static const char *complaint_about(const struct fathom_trace_options *options)
{
    if (!options->service || !*options->service)
        return "service: expected the name of the controller";
    if (options->rules.ancestors_most > FATHOM_TRACE_ANCESTORS_MOST)
        return "ancestors_most: expected at most 64";
    if (!options->queue_records || !options->queue_bytes)
        return "queue_records, queue_bytes: expected more than 0";
    return NULL;
}

struct fathom_tracer *fathom_tracer_create(const struct fathom_trace_options *options, char *why,
                                           size_t why_size)
{
    const char *complaint = complaint_about(options);
    struct fathom_tracer *tracer = complaint ? NULL : calloc(1, sizeof(*tracer));
    char *service = complaint ? NULL : strdup(options->service);
    if (tracer && service) {
        tracer->service = service;
        tracer->rules = options->rules;
        tracer->on_mergelog = options->on_mergelog;
        tracer->on_span = options->on_span;
        tracer->on_context = options->on_context;
        tracer->finish_timeout_ms = options->finish_timeout_ms;
        if (options->server && !options->on_mergelog && !options->on_span)
            tracer->sender = sender_create(options, &complaint);
        else
            return tracer;
        if (tracer->sender)
            return tracer;
    }
    if (why && why_size)
        snprintf(why, why_size, "%s", complaint ? complaint : "memory is exhausted");
    free(service);
    free(tracer);
    return NULL;
}

void fathom_tracer_free(struct fathom_tracer *tracer)
{
    if (!tracer)
        return;
    sender_free(tracer->sender, tracer->finish_timeout_ms);
    free(tracer->service);
    free(tracer);
}

bool fathom_tracer_flush(struct fathom_tracer *tracer, uint32_t timeout_ms)
{
    return !tracer || !tracer->sender || sender_flush(tracer->sender, timeout_ms);
}

struct fathom_trace_counts fathom_tracer_counts(struct fathom_tracer *tracer)
{
    return tracer && tracer->sender ? sender_counts(tracer->sender)
                                    : (struct fathom_trace_counts){0};
}

static void put_mergelog(struct fathom_tracer *tracer, const struct fathom_trace_mergelog *mergelog)
{
    if (tracer->on_mergelog) {
        tracer->on_mergelog(tracer->on_context, mergelog);
    } else if (tracer->sender) {
        size_t length = 0;
        char *json = record_text_of_mergelog(mergelog, &length);
        sender_put(tracer->sender, SENDER_MERGELOG, json, length);
    }
}

void tracer_put_span(struct fathom_tracer *tracer, const struct fathom_trace_span *span)
{
    struct fathom_trace_span named = *span;
    named.service = tracer->service;
    if (tracer->on_span) {
        tracer->on_span(tracer->on_context, &named);
    } else if (tracer->sender) {
        size_t length = 0;
        char *json = record_text_of_span(&named, &length);
        sender_put(tracer->sender, SENDER_SPAN, json, length);
    }
}

void fathom_trace_root(struct fathom_tracer *tracer, struct fathom_trace_context *context)
{
    context->ancestor_count = 0;
    context->id = (struct fathom_trace_id){{0}};
    if (!tracer)
        return;
    context->id = fathom_trace_id_new();
    const struct fathom_trace_mergelog mergelog = {.cpid = context->id, .time_ns = tracer_now_ns()};
    put_mergelog(tracer, &mergelog);
}

enum fathom_trace_merged fathom_trace_merge(struct fathom_tracer *tracer,
                                            const struct fathom_trace_context *contexts,
                                            size_t count, struct fathom_trace_context *result)
{
    enum { USUAL = 64 };
    struct fathom_trace_id usual[USUAL];
    struct fathom_trace_id *sources =
        count > USUAL ? malloc(count * sizeof(struct fathom_trace_id)) : usual;
    if (!sources)
        return FATHOM_TRACE_FAILED;
    const struct fathom_trace_rules rules = tracer ? tracer->rules : fathom_trace_rules_default();
    /* Most merges need no new CPID, and random numbers cost as much as a merge. */
    const struct fathom_trace_id later = {{0}};
    struct fathom_trace_mergelog mergelog = {.sources = sources};
    const enum fathom_trace_merged merged = fathom_trace_merge_contexts(
        &rules, contexts, count, &later, result, sources, &mergelog.source_count);
    if (merged == FATHOM_TRACE_NEW) {
        result->id = fathom_trace_id_new();
        mergelog.cpid = result->id;
        mergelog.time_ns = tracer_now_ns();
        if (tracer)
            put_mergelog(tracer, &mergelog);
    }
    if (sources != usual)
        free(sources);
    return merged;
}
