/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Folded stacks: "service;outer;inner 1234", the microseconds that the innermost
 * span took without those inside it; at least 1, so that what took no time
 * that was measured is seen, too. Equal stacks are added up.
 */
#include "tracing/import/export.h"
#include "tracing/import/plot.h"

#include <stdlib.h>
#include <string.h>

struct stack {
    const char *path;
    uint64_t microseconds;
};

/* A frame may hold neither the separator nor a line's end. */
static void append_frame(struct text *text, const char *frame)
{
    for (; *frame; frame++)
        text_append_char(text, *frame == ';'                      ? ','
                               : *frame == '\n' || *frame == '\r' ? ' '
                                                                  : *frame);
}

static void append_span(struct text *text, const struct plot_span *drawn)
{
    const struct change_span *span = drawn->span;
    append_frame(text, drawn->name);
    if (!span || !span->object.kind)
        return;
    text_append_char(text, ' ');
    append_frame(text, span->object.kind);
    if (span->object.namespace && *span->object.namespace) {
        text_append_char(text, '/');
        append_frame(text, span->object.namespace);
    }
    text_append_char(text, '/');
    append_frame(text, span->object.name ? span->object.name : "");
}

/* Parents are followed at most as far as there are spans: records may lie. */
static void append_path(struct text *text, const struct plot *plot, uint32_t index, uint32_t depth)
{
    const struct plot_span *drawn = &plot->spans.items[index];
    if (drawn->parent != PLOT_NOWHERE && depth < 64)
        append_path(text, plot, drawn->parent, depth + 1);
    else
        append_frame(text, plot->services.items[drawn->service]);
    text_append_char(text, ';');
    append_span(text, drawn);
}

static int compare_entries(const void *left, const void *right)
{
    const struct map_entry *a = left;
    const struct map_entry *b = right;
    return strcmp(a->key, b->key);
}

void change_export_folded(const struct change_graph *graph, const struct export_options *options,
                          struct text *text)
{
    struct arena scratch;
    struct plot plot;
    struct map stacks;
    struct text path;
    (void)options;
    arena_init(&scratch, text->memory);
    plot_make(&plot, &scratch, graph);
    map_init(&stacks, &scratch);
    text_init(&path, text->memory);
    int64_t *inside = ARENA_ARRAY(&scratch, int64_t, plot.spans.count + 1);
    for (uint32_t i = 0; i < plot.spans.count; i++)
        if (plot.spans.items[i].parent != PLOT_NOWHERE)
            inside[plot.spans.items[i].parent] +=
                plot.spans.items[i].end_ns - plot.spans.items[i].start_ns;
    for (uint32_t i = 0; i < plot.spans.count; i++) {
        const struct plot_span *drawn = &plot.spans.items[i];
        if (drawn->kind != PLOT_SPAN)
            continue;
        const int64_t own_us = (drawn->end_ns - drawn->start_ns - inside[i]) / 1000;
        text_reset(&path);
        append_path(&path, &plot, i, 0);
        uint64_t *sum = map_get(&stacks, text_content(&path));
        if (!sum) {
            sum = ARENA_NEW(&scratch, uint64_t);
            map_put(&stacks, arena_strdup(&scratch, text_content(&path)))->value = sum;
        }
        *sum += own_us > 1 ? (uint64_t)own_us : 1;
    }
    if (stacks.count > 1)
        qsort(stacks.entries, stacks.count, sizeof(*stacks.entries), compare_entries);
    for (uint32_t i = 0; i < stacks.count; i++)
        text_printf(text, "%s %llu\n", stacks.entries[i].key,
                    (unsigned long long)*(const uint64_t *)stacks.entries[i].value);
    text_release(&path);
    arena_release(&scratch);
}
