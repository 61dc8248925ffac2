/* SPDX-License-Identifier: Apache-2.0 */
/* Contexts on objects. Other programs may have written there, too: what cannot
 * be read counts as absent. */
#include "tracing/library/span.h"

#include <stdio.h>
#include <string.h>

static bool is_known(const struct fathom_trace_context *context, const struct fathom_trace_id *id)
{
    if (fathom_trace_id_equal(&context->id, id))
        return true;
    for (uint32_t i = 0; i < context->ancestor_count; i++)
        if (fathom_trace_id_equal(&context->ancestors[i], id))
            return true;
    return false;
}

/* If one ancestor is malformed, all are ignored. */
static void read_ancestors(const char *text, struct fathom_trace_context *context)
{
    while (*text) {
        struct fathom_trace_id id;
        const size_t length = strcspn(text, ",");
        if (!fathom_trace_id_parse(text, length, &id)) {
            context->ancestor_count = 0;
            return;
        }
        if (context->ancestor_count < FATHOM_TRACE_ANCESTORS_MOST && !is_known(context, &id))
            context->ancestors[context->ancestor_count++] = id;
        text += length;
        text += *text == ',';
    }
}

/* "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01"; versions to come
 * may go on after that. */
static bool read_traceparent(const char *text, struct fathom_trace_id *id)
{
    enum { TRACE = 3, SPAN = 36, FLAGS = 53, END = 55 };
    static const char hexadecimal[] = "0123456789abcdef";
    if (strnlen(text, END) < END || strncmp(text, "ff", 2) == 0 ||
        (text[END] && (text[END] != '-' || strncmp(text, "00", 2) == 0)))
        return false;
    for (int i = 0; i < END; i++)
        if ((i == TRACE - 1 || i == SPAN - 1 || i == FLAGS - 1) ? text[i] != '-'
                                                                : !strchr(hexadecimal, text[i]))
            return false;
    if (strspn(text + SPAN, "0") == FLAGS - 1 - SPAN)
        return false;
    char uuid[FATHOM_TRACE_ID_TEXT];
    snprintf(uuid, sizeof(uuid), "%.8s-%.4s-%.4s-%.4s-%.12s", text + TRACE, text + TRACE + 8,
             text + TRACE + 12, text + TRACE + 16, text + TRACE + 20);
    return fathom_trace_id_parse(uuid, strlen(uuid), id);
}

static const char *value_of(const struct fathom_trace_annotation *annotations, size_t count,
                            const char *key)
{
    for (size_t i = 0; i < count; i++)
        if (annotations[i].key && strcmp(annotations[i].key, key) == 0)
            return annotations[i].value;
    return NULL;
}

bool fathom_trace_extract(const struct fathom_trace_annotation *annotations, size_t count,
                          struct fathom_trace_context *context)
{
    context->id = (struct fathom_trace_id){{0}};
    context->ancestor_count = 0;
    const char *id = value_of(annotations, count, FATHOM_TRACE_ANNOTATION_ID);
    const char *ancestors = value_of(annotations, count, FATHOM_TRACE_ANNOTATION_ANCESTORS);
    const char *parent = value_of(annotations, count, FATHOM_TRACE_ANNOTATION_TRACEPARENT);
    if (id && fathom_trace_id_parse(id, strlen(id), &context->id)) {
        if (ancestors)
            read_ancestors(ancestors, context);
        return true;
    }
    return !id && parent && read_traceparent(parent, &context->id);
}

static void write_traceparent(const struct fathom_trace_id *cpid,
                              const struct fathom_trace_id *span, char text[56])
{
    char *end = text + sprintf(text, "00-");
    for (int i = 0; i < 16; i++)
        end += sprintf(end, "%02x", cpid->bytes[i]);
    *end++ = '-';
    for (int i = 0; i < 8; i++)
        end += sprintf(end, "%02x", span->bytes[i]);
    sprintf(end, "-01");
}

void fathom_trace_inject(const struct fathom_trace_context *context, const struct fathom_span *span,
                         struct fathom_trace_annotations *annotations)
{
    annotations->count = 0;
    if (fathom_trace_id_is_none(&context->id))
        return;
    fathom_trace_id_format(&context->id, annotations->id);
    char *end = annotations->ancestors;
    *end = '\0';
    for (uint32_t i = 0; i < context->ancestor_count; i++) {
        if (i)
            *end++ = ',';
        fathom_trace_id_format(&context->ancestors[i], end);
        end += FATHOM_TRACE_ID_TEXT - 1;
    }
    annotations->items[annotations->count++] =
        (struct fathom_trace_annotation){FATHOM_TRACE_ANNOTATION_ID, annotations->id};
    annotations->items[annotations->count++] =
        (struct fathom_trace_annotation){FATHOM_TRACE_ANNOTATION_ANCESTORS, annotations->ancestors};
    if (!span)
        return;
    write_traceparent(&context->id, &span->span_id, annotations->traceparent);
    annotations->items[annotations->count++] = (struct fathom_trace_annotation){
        FATHOM_TRACE_ANNOTATION_TRACEPARENT, annotations->traceparent};
}
