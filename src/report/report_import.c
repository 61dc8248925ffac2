/* SPDX-License-Identifier: Apache-2.0 */
/* What `fathom trace import` tells: how many changes there are, and what causes them. */
#include "report/formats.h"
#include "tracing/import/export.h"
#include "tracing/import/trace_input.h"

static uint32_t count_roots(const struct change_graph *graph)
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < graph->spans.count; i++)
        count += graph->spans.items[i].root;
    return count;
}

static uint32_t count_services(struct arena *arena, const struct change_graph *graph)
{
    struct map services;
    map_init(&services, arena);
    for (uint32_t i = 0; i < graph->spans.count; i++)
        if (graph->spans.items[i].service)
            map_put(&services, graph->spans.items[i].service);
    return services.count;
}

static void append_left_out(struct text *text, uint64_t count, const char *what)
{
    if (count)
        text_printf(text, "left out        %llu %s\n", (unsigned long long)count, what);
}

void import_write_text(const struct writer_context *how, const struct trace_input *input,
                       struct text *text)
{
    const struct change_graph *graph = &input->graph;
    uint32_t edges[CHANGE_LABEL_COUNT] = {0};
    uint32_t ambiguous = 0;
    uint32_t failed = 0;
    uint32_t merges = 0;
    for (uint32_t i = 0; i < graph->spans.count; i++) {
        for (uint32_t c = 0; c < graph->spans.items[i].cause_count; c++)
            edges[graph->spans.items[i].causes[c].label]++;
        ambiguous += graph->spans.items[i].choices > 0;
        failed += graph->spans.items[i].failure != NULL;
    }
    for (uint32_t i = 0; i < graph->merges.count; i++)
        merges += graph->merges.items[i].source_count > 0;
    text_printf(text, "changes         %u by %u actors, %u of them refused\n", graph->spans.count,
                count_services(how->arena, graph), failed);
    text_printf(text, "roots           %u\n", count_roots(graph));
    text_printf(text, "CPIDs           %u, %u of them merged from others\n", graph->merges.count,
                merges);
    for (int i = 0; i < CHANGE_LABEL_COUNT; i++)
        text_printf(text, "edges           %u %s\n", edges[i], change_label_names[i]);
    text_printf(text, "ambiguous       %u changes have several candidates in their time window\n",
                ambiguous);
    append_left_out(text, input->notes.reads, "requests that write nothing");
    append_left_out(text, input->notes.heartbeats, "renewals of Leases");
    append_left_out(text, input->notes.reviews, "requests that store nothing");
    append_left_out(text, input->notes.nameless, "Events that do not say what they are about");
}

void import_write_json(const struct writer_context *how, const struct trace_input *input,
                       struct text *text)
{
    (void)how;
    change_export_json(&input->graph, &(struct export_options){0}, text);
}
