/* SPDX-License-Identifier: Apache-2.0 */
/*
 * For people: what happened, in order, each line with the lines that caused it.
 *
 *   1  +0.000s  alice                  create Deployment        default/web   root 1f2e3d4c
 *   2  +0.012s  deployment-controller  create ReplicaSet        default/web-5d  because of 1
 * (owner)
 */
#include "base/plain_text.h"
#include "tracing/import/export.h"
#include "tracing/import/plot.h"

#include <string.h>

static void append_object(struct text *text, const struct change_object *object)
{
    if (!object->kind)
        return;
    text_append_char(text, ' ');
    if (object->namespace && *object->namespace)
        text_printf(text, "%s/", object->namespace);
    text_append_string(text, object->name ? object->name : "?");
}

/* "because of 3 (exact), 4 or 5 (time-window)" */
static void append_causes(struct text *text, const struct change_span *span)
{
    bool any = false;
    for (int label = 0; label < CHANGE_LABEL_COUNT; label++) {
        bool first = true;
        for (uint32_t i = 0; i < span->cause_count; i++) {
            if (span->causes[i].label != label)
                continue;
            const char *between = !any ? "  because of " : first ? ", " : " or ";
            if (any && !first && label != CHANGE_TIME_WINDOW)
                between = ", ";
            text_printf(text, "%s%u", between, span->causes[i].span + 1);
            any = true;
            first = false;
        }
        if (first)
            continue;
        if (label == CHANGE_TIME_WINDOW && span->unlisted)
            text_printf(text, " or %u more", span->unlisted);
        text_printf(text, " (%s)", change_label_names[label]);
    }
}

static int width_of(const struct change_graph *graph, bool services)
{
    size_t width = 0;
    for (uint32_t i = 0; i < graph->spans.count; i++) {
        const char *word = services ? graph->spans.items[i].service : graph->spans.items[i].name;
        const size_t length = word ? strlen(word) : 0;
        width = length > width ? length : width;
    }
    return width > 40 ? 40 : (int)width;
}

void change_export_text(const struct change_graph *graph, const struct export_options *options,
                        struct text *text)
{
    const int services = width_of(graph, true);
    const int names = width_of(graph, false);
    int64_t first = INT64_MAX;
    (void)options;
    for (uint32_t i = 0; i < graph->spans.count; i++)
        if (graph->spans.items[i].start_ns < first)
            first = graph->spans.items[i].start_ns;
    for (uint32_t i = 0; i < graph->spans.count; i++) {
        const struct change_span *span = &graph->spans.items[i];
        const size_t from = text->length;
        char cpid[FATHOM_TRACE_ID_TEXT];
        fathom_trace_id_format(&span->cpid, cpid);
        text_printf(text, "%5u %+10.3fs  %.8s  %-*s  %-*s", i + 1,
                    (double)(span->start_ns - first) / 1e9, cpid, services,
                    span->service ? span->service : "", names, span->name ? span->name : "");
        append_object(text, &span->object);
        if (span->failure)
            text_printf(text, "  failed: %s", span->failure);
        if (span->root)
            text_append_string(text, "  root");
        append_causes(text, span);
        plain_end_line(text, from);
    }
    for (uint32_t i = 0; i < graph->merges.count; i++) {
        const struct change_merge *merge = &graph->merges.items[i];
        char cpid[FATHOM_TRACE_ID_TEXT];
        if (merge->source_count == 0)
            continue;
        fathom_trace_id_format(&merge->cpid, cpid);
        text_printf(text, "merge %.8s <-", cpid);
        for (uint32_t s = 0; s < merge->source_count; s++) {
            fathom_trace_id_format(&merge->sources[s], cpid);
            text_printf(text, " %.8s", cpid);
        }
        text_append_char(text, '\n');
    }
}
