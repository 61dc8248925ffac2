/* SPDX-License-Identifier: Apache-2.0 */
/* `fathom trace query`: what is related to a CPID, where it comes from, and what
 * was done under it. */
#include "cli/trace_input.h"
#include "tracing/import/export.h"
#include "tracing/import/records.h"

#include <string.h>

enum question { RELATED, ROOTS, MERGELOGS, SPANS, QUESTION_COUNT };

static const char *const questions[QUESTION_COUNT] = {"related", "roots", "mergelogs", "spans"};

struct reply {
    enum question question;
    struct change_graph graph; /* the part that was asked for */
};

/* The CPIDs of the part; for roots those without sources. */
static void write_cpids(const struct reply *reply, struct json_out *json, struct text *text)
{
    const struct change_graph *graph = &reply->graph;
    for (uint32_t i = 0; i < graph->merges.count; i++) {
        char cpid[FATHOM_TRACE_ID_TEXT];
        if (reply->question == ROOTS && graph->merges.items[i].source_count > 0)
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

static void write_mergelogs(const struct reply *reply, struct json_out *json, struct text *text)
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

static void write_spans(struct session *session, const struct reply *reply, struct json_out *json,
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
        change_to_record(&session->arena, &reply->graph, i, &record);
        record_write_span(json, NULL, &record);
    }
}

static void render(struct session *session, const void *answer, const char *format,
                   struct text *text)
{
    static const char *const members[QUESTION_COUNT] = {"cpids", "roots", "mergelogs", "spans"};
    const struct reply *reply = answer;
    struct json_out json;
    struct json_out *out = NULL;
    if (strcmp(format, "json") == 0) {
        out = &json;
        json_out_init(out, text, 0);
        json_object_begin(out, NULL);
        json_array_begin(out, members[reply->question]);
    }
    switch (reply->question) {
    case MERGELOGS: write_mergelogs(reply, out, text); break;
    case SPANS: write_spans(session, reply, out, text); break;
    default: write_cpids(reply, out, text); break;
    }
    if (out) {
        json_array_end(out);
        json_object_end(out);
        text_append_char(text, '\n');
    }
}

static bool read_question(struct session *session, struct reply *reply)
{
    const struct option_list *operands = &session->line.operands;
    for (int i = 0; operands->count > 0 && i < QUESTION_COUNT; i++)
        if (strcmp(operands->items[0], questions[i]) == 0) {
            reply->question = (enum question)i;
            return true;
        }
    session_say(session, "trace query: expected related, roots, mergelogs or spans, found %s%s%s",
                operands->count ? "\"" : "", operands->count ? operands->items[0] : "nothing",
                operands->count ? "\"" : "");
    session_point_at_help(session);
    return false;
}

int cmd_trace_query(struct session *session)
{
    struct trace_input input = {0};
    struct reply reply = {0};
    struct change_selection selection = {0};
    const struct option_list *operands = &session->line.operands;
    if (!read_question(session, &reply) ||
        !trace_input_read(session, operands->count > 1 ? operands->items[1] : NULL, &input))
        return EXIT_INPUT;
    if (session->line.operands.count > 1 &&
        !trace_input_find(session, &input.graph, session->line.operands.items[1], &selection.cpid))
        return EXIT_INPUT;
    selection.backward = reply.question == ROOTS;
    if (!change_select(&session->arena, &input.graph, &selection, &reply.graph)) {
        session_say(session, "there is no CPID %s in these records",
                    session->line.operands.items[1]);
        return EXIT_INPUT;
    }
    return session_answer(session, render, &reply) ? EXIT_HOLDS : EXIT_INPUT;
}
