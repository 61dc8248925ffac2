/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Trace events, as Perfetto and chrome://tracing read them: a process for each
 * service. Slices of one thread must nest, so that spans which overlap go to
 * different threads of their process. Merges and causes are flows.
 */
#include "base/json_out.h"
#include "tracing/import/export.h"
#include "tracing/import/plot.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The slices of a thread that are open at a time. */
struct lane {
    VEC(int64_t) ends;
};

struct lanes {
    VEC(struct lane) items;
};

struct chrome {
    struct json_out json;
    const struct plot *plot;
    uint32_t *threads; /* by span, from 1 */
    uint64_t next_flow;
};

static double microseconds(int64_t time_ns)
{
    return (double)time_ns / 1000;
}

/* Begin an event; the caller adds what else it has. */
static void begin_event(struct chrome *chrome, const char *phase, const char *name, uint32_t span,
                        int64_t time_ns)
{
    json_object_begin(&chrome->json, NULL);
    json_string(&chrome->json, "ph", phase);
    json_string(&chrome->json, "name", name);
    json_integer(&chrome->json, "pid", chrome->plot->spans.items[span].service + 1);
    json_integer(&chrome->json, "tid", chrome->threads[span]);
    json_number(&chrome->json, "ts", microseconds(time_ns));
}

static int compare_spans(const void *left, const void *right, void *context)
{
    const struct plot *plot = context;
    const uint32_t a = *(const uint32_t *)left;
    const uint32_t b = *(const uint32_t *)right;
    const struct plot_span *one = &plot->spans.items[a];
    const struct plot_span *other = &plot->spans.items[b];
    if (one->start_ns != other->start_ns)
        return one->start_ns < other->start_ns ? -1 : 1;
    if (one->end_ns != other->end_ns) /* the longer one is around the other */
        return one->end_ns > other->end_ns ? -1 : 1;
    return a < b ? -1 : a > b;
}

/* Whether the slice fits: what is open has ended, or ends after it. */
static bool fits(struct lane *lane, const struct plot_span *span)
{
    while (lane->ends.count > 0 && lane->ends.items[lane->ends.count - 1] <= span->start_ns)
        lane->ends.count--;
    return lane->ends.count == 0 || lane->ends.items[lane->ends.count - 1] >= span->end_ns;
}

static void give_threads(struct chrome *chrome, struct arena *arena)
{
    const struct plot *plot = chrome->plot;
    struct lanes *lanes = ARENA_ARRAY(arena, struct lanes, plot->services.count + 1);
    uint32_t *order = ARENA_ARRAY(arena, uint32_t, plot->spans.count + 1);
    for (uint32_t i = 0; i < plot->spans.count; i++)
        order[i] = i;
    if (plot->spans.count > 1)
        qsort_r(order, plot->spans.count, sizeof(*order), compare_spans, (void *)plot);
    for (uint32_t i = 0; i < plot->spans.count; i++) {
        const struct plot_span *span = &plot->spans.items[order[i]];
        struct lanes *mine = &lanes[span->service];
        uint32_t lane = 0;
        while (lane < mine->items.count && !fits(&mine->items.items[lane], span))
            lane++;
        if (lane == mine->items.count)
            VEC_PUSH(arena, &mine->items, (struct lane){0});
        VEC_PUSH(arena, &mine->items.items[lane].ends, span->end_ns);
        chrome->threads[order[i]] = lane + 1;
    }
}

static void write_names(struct chrome *chrome)
{
    for (uint32_t i = 0; i < chrome->plot->services.count; i++) {
        json_object_begin(&chrome->json, NULL);
        json_string(&chrome->json, "ph", "M");
        json_string(&chrome->json, "name", "process_name");
        json_integer(&chrome->json, "pid", i + 1);
        json_object_begin(&chrome->json, "args");
        json_string(&chrome->json, "name", chrome->plot->services.items[i]);
        json_object_end(&chrome->json);
        json_object_end(&chrome->json);
    }
}

static void write_argument(struct json_out *json, const char *key, const char *value)
{
    if (value && *value)
        json_string(json, key, value);
}

static void write_slice(struct chrome *chrome, uint32_t index)
{
    struct json_out *json = &chrome->json;
    const struct plot_span *drawn = &chrome->plot->spans.items[index];
    const struct change_span *span = drawn->span;
    char cpid[FATHOM_TRACE_ID_TEXT];
    fathom_trace_id_format(&drawn->cpid, cpid);
    begin_event(chrome, "X", drawn->name, index, drawn->start_ns);
    json_number(json, "dur", microseconds(drawn->end_ns - drawn->start_ns));
    json_string(json, "cat", drawn->kind == PLOT_SPAN ? "span" : "cpid");
    json_object_begin(json, "args");
    json_string(json, "cpid", cpid);
    if (span) {
        char id[FATHOM_TRACE_ID_TEXT];
        fathom_trace_id_format(&span->id, id);
        json_string(json, "span", id);
        write_argument(json, "kind", span->object.kind);
        write_argument(json, "namespace", span->object.namespace);
        write_argument(json, "object", span->object.name);
        write_argument(json, "uid", span->object.uid);
        write_argument(json, "resourceVersion", span->version_written);
        write_argument(json, "failure", span->failure);
        if (span->step >= 0)
            json_integer(json, "step", span->step);
    }
    json_object_end(json);
    json_object_end(json);
    if (drawn->root) {
        begin_event(chrome, "i", "root", index, drawn->start_ns);
        json_string(json, "s", "t");
        json_object_begin(json, "args");
        json_string(json, "cpid", cpid);
        json_object_end(json);
        json_object_end(json);
    }
    if (span && span->failure) {
        begin_event(chrome, "i", "violation", index, drawn->end_ns);
        json_string(json, "s", "p");
        json_string(json, "cname", "terrible");
        json_object_begin(json, "args");
        json_string(json, "message", span->failure);
        json_object_end(json);
        json_object_end(json);
    }
}

static void write_flow(struct chrome *chrome, const char *category, uint32_t from, uint32_t to)
{
    const uint64_t id = ++chrome->next_flow;
    begin_event(chrome, "s", category, from, chrome->plot->spans.items[from].start_ns);
    json_string(&chrome->json, "cat", category);
    json_unsigned(&chrome->json, "id", id);
    json_object_end(&chrome->json);
    begin_event(chrome, "f", category, to, chrome->plot->spans.items[to].start_ns);
    json_string(&chrome->json, "cat", category);
    json_unsigned(&chrome->json, "id", id);
    json_string(&chrome->json, "bp", "e");
    json_object_end(&chrome->json);
}

void change_export_chrome(const struct change_graph *graph, const struct export_options *options,
                          struct text *text)
{
    struct arena scratch;
    struct plot plot;
    struct chrome chrome = {.plot = &plot};
    (void)options; /* there are no traces here that could be merged */
    arena_init(&scratch, text->memory);
    plot_make(&plot, &scratch, graph);
    chrome.threads = ARENA_ARRAY(&scratch, uint32_t, plot.spans.count + 1);
    give_threads(&chrome, &scratch);
    json_out_init(&chrome.json, text, 0);
    json_object_begin(&chrome.json, NULL);
    json_string(&chrome.json, "displayTimeUnit", "ms");
    json_array_begin(&chrome.json, "traceEvents");
    write_names(&chrome);
    for (uint32_t i = 0; i < plot.spans.count; i++)
        write_slice(&chrome, i);
    for (uint32_t i = 0; i < plot.spans.count; i++) {
        const struct plot_span *drawn = &plot.spans.items[i];
        for (uint32_t l = 0; l < drawn->link_count; l++)
            write_flow(&chrome, "merge", drawn->links[l], i);
        for (uint32_t c = 0; drawn->span && c < drawn->span->cause_count; c++)
            write_flow(&chrome, "cause", drawn->span->causes[c].span, i);
    }
    json_array_end(&chrome.json);
    json_object_end(&chrome.json);
    text_append_char(text, '\n');
    arena_release(&scratch);
}
