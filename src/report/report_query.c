/* SPDX-License-Identifier: Apache-2.0 */
/* What `fathom trace query` answers. */
#include "report/formats.h"
#include "report/trace_reply.h"
#include "tracing/import/export.h"
#include "tracing/import/records.h"

/* The CPIDs of the part; for roots those without sources. */
static void write_cpids(const struct trace_reply *reply, struct json_out *json, struct text *text)
{
    const struct change_graph *graph = &reply->graph;
    for (uint32_t i = 0; i < graph->merges.count; i++) {
        char cpid[FATHOM_TRACE_ID_TEXT];
        if (reply->question == TRACE_ROOTS && graph->merges.items[i].source_count > 0)
            continue;
        fathom_trace_id_format(&graph->merges.items[i].cpid, cpid);
        if (json) {
            json_string(json, NULL, cpid);
            continue;
        }
        const struct change_span *first = NULL;
        for (uint32_t s = 0; s < graph->spans.count && !first; s++)
            if (fathom_trace_id_equal(&graph->spans.items[s].cpid, &graph->merges.items[i].cpid))
                first = &graph->spans.items[s];
        text_append_string(text, cpid);
        if (first)
            text_printf(text, "  %s: %s", first->service ? first->service : "",
                        first->name ? first->name : "");
        if (first && first->object.name)
            text_printf(text, " %s%s%s", first->object.namespace ? first->object.namespace : "",
                        first->object.namespace && *first->object.namespace ? "/" : "",
                        first->object.name);
        text_append_char(text, '\n');
    }
}

static void write_mergelogs(const struct trace_reply *reply, struct json_out *json,
                            struct text *text)
{
    const struct change_graph *graph = &reply->graph;
    for (uint32_t i = 0; i < graph->merges.count; i++) {
        const struct change_merge *merge = &graph->merges.items[i];
        char cpid[FATHOM_TRACE_ID_TEXT];
        if (json) {
            const struct fathom_trace_mergelog mergelog = {
                .cpid = merge->cpid,
                .sources = merge->sources,
                .source_count = merge->source_count,
                .time_ns = merge->time_ns,
            };
            record_write_mergelog(json, NULL, &mergelog);
            continue;
        }
        fathom_trace_id_format(&merge->cpid, cpid);
        text_printf(text, "%s <-%s", cpid, merge->source_count ? "" : " (root)");
        for (uint32_t s = 0; s < merge->source_count; s++) {
            fathom_trace_id_format(&merge->sources[s], cpid);
            text_printf(text, " %s", cpid);
        }
        text_append_char(text, '\n');
    }
}

static void write_spans(struct arena *arena, const struct trace_reply *reply, struct json_out *json,
                        struct text *text)
{
    if (!json) {
        change_export_text(
            &(struct change_graph){.arena = reply->graph.arena, .spans = reply->graph.spans},
            &(struct export_options){0}, text);
        return;
    }
    for (uint32_t i = 0; i < reply->graph.spans.count; i++) {
        struct span_record record;
        change_to_record(arena, &reply->graph, i, &record);
        record_write_span(json, NULL, &record);
    }
}

static void write(const struct writer_context *how, const struct trace_reply *reply,
                  struct json_out *json, struct text *text)
{
    switch (reply->question) {
    case TRACE_MERGELOGS: write_mergelogs(reply, json, text); break;
    case TRACE_SPANS: write_spans(how->arena, reply, json, text); break;
    default: write_cpids(reply, json, text); break;
    }
}

void trace_reply_write_text(const struct writer_context *how, const struct trace_reply *reply,
                            struct text *text)
{
    write(how, reply, NULL, text);
}

void trace_reply_write_json(const struct writer_context *how, const struct trace_reply *reply,
                            struct text *text)
{
    static const char *const members[TRACE_QUESTION_COUNT] = {"cpids", "roots", "mergelogs",
                                                              "spans"};
    struct json_out json;
    json_out_init(&json, text, 0);
    json_object_begin(&json, NULL);
    json_array_begin(&json, members[reply->question]);
    write(how, reply, &json, text);
    json_array_end(&json);
    json_object_end(&json);
    text_append_char(text, '\n');
}
