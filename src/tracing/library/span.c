/* SPDX-License-Identifier: Apache-2.0 */
#include "tracing/library/span.h"

#include "tracing/library/tracer.h"

#include <stdlib.h>
#include <string.h>

static struct fathom_span *start(struct fathom_tracer *tracer, const struct fathom_trace_id *cpid,
                                 const struct fathom_trace_id *parent, const char *name)
{
    struct fathom_span *span = calloc(1, sizeof(*span));
    if (!span)
        return NULL;
    span->tracer = tracer;
    span->cpid = *cpid;
    span->span_id = fathom_trace_id_new();
    span->parent_id = *parent;
    span->start_ns = tracer_now_ns();
    span->name = name ? strdup(name) : NULL;
    return span;
}

struct fathom_span *fathom_span_start(struct fathom_tracer *tracer,
                                      const struct fathom_trace_context *context, const char *name)
{
    static const struct fathom_trace_id none = {{0}};
    if (!tracer || fathom_trace_id_is_none(&context->id))
        return NULL;
    return start(tracer, &context->id, &none, name);
}

struct fathom_span *fathom_span_child(const struct fathom_span *parent, const char *name)
{
    return parent ? start(parent->tracer, &parent->cpid, &parent->span_id, name) : NULL;
}

static void replace(char **text, const char *with)
{
    free(*text);
    *text = with ? strdup(with) : NULL;
}

void fathom_span_object(struct fathom_span *span, const char *object, const char *version_read,
                        const char *version_written)
{
    if (!span)
        return;
    replace(&span->object, object);
    replace(&span->version_read, version_read);
    replace(&span->version_written, version_written);
}

struct fathom_trace_id fathom_span_id(const struct fathom_span *span)
{
    return span ? span->span_id : (struct fathom_trace_id){{0}};
}

void fathom_span_end(struct fathom_span *span)
{
    if (!span)
        return;
    const int64_t now_ns = tracer_now_ns();
    const struct fathom_trace_span ended = {
        .cpid = span->cpid,
        .span_id = span->span_id,
        .parent_id = span->parent_id,
        .start_ns = span->start_ns,
        .end_ns = now_ns < span->start_ns ? span->start_ns : now_ns, /* clocks are set back */
        .name = span->name,
        .object = span->object,
        .version_read = span->version_read,
        .version_written = span->version_written,
    };
    tracer_put_span(span->tracer, &ended);
    free(span->name);
    free(span->object);
    free(span->version_read);
    free(span->version_written);
    free(span);
}
