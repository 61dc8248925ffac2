/* SPDX-License-Identifier: Apache-2.0 */
#include "tracing/import/plot.h"

#include "base/hash.h"

#include <stdio.h>
#include <string.h>

/* What is known about a CPID while the plot is made. */
struct line {
    VEC(uint32_t) spans; /* in the order of the graph */
    const struct change_merge *merge;
    uint32_t merge_span;
};

struct making {
    struct plot *plot;
    struct map lines;    /* CPID -> struct line */
    struct map services; /* name -> index + 1 */
    struct map ids;      /* 8 bytes as text */
    struct map by_id;    /* CPID and id as text -> index + 1 */
};

void plot_format_id(uint64_t id, char text[17])
{
    snprintf(text, 17, "%016llx", (unsigned long long)id);
}

void plot_format_cpid(const struct fathom_trace_id *cpid, char text[33])
{
    for (size_t i = 0; i < 16; i++)
        snprintf(text + i * 2, 3, "%02x", cpid->bytes[i]);
}

/* Ids of spans are unique within their CPID only. */
static char *id_key(struct making *making, const struct fathom_trace_id *cpid,
                    const struct fathom_trace_id *id)
{
    char first[33];
    char second[33];
    plot_format_cpid(cpid, first);
    plot_format_cpid(id, second);
    return arena_printf(making->plot->arena, "%s%s", first, second);
}

static struct line *line_of(struct making *making, const struct fathom_trace_id *cpid)
{
    char text[33];
    plot_format_cpid(cpid, text);
    struct line *line = map_get(&making->lines, text);
    if (!line) {
        line = ARENA_NEW(making->plot->arena, struct line);
        line->merge_span = PLOT_NOWHERE;
        map_put(&making->lines, arena_strdup(making->plot->arena, text))->value = line;
    }
    return line;
}

/* The first 8 bytes; another number if they are taken, or zero, which is forbidden. */
static uint64_t give_id(struct making *making, const struct fathom_trace_id *id)
{
    uint64_t number = 0;
    for (int i = 0; i < 8; i++)
        number = number << 8 | id->bytes[i];
    for (;; number = hash_word(number + 1)) {
        char text[17];
        plot_format_id(number, text);
        if (number && !map_get(&making->ids, text)) {
            map_put(&making->ids, arena_strdup(making->plot->arena, text))->value = making;
            return number;
        }
    }
}

static uint32_t service_index(struct making *making, const char *name)
{
    const char *known = name && *name ? name : "unknown";
    uintptr_t index = (uintptr_t)map_get(&making->services, known);
    if (!index) {
        VEC_PUSH(making->plot->arena, &making->plot->services, known);
        index = making->plot->services.count;
        map_put(&making->services, known)->value = (void *)index;
    }
    return (uint32_t)(index - 1);
}

static void add_spans(struct making *making)
{
    struct plot *plot = making->plot;
    for (uint32_t i = 0; i < plot->graph->spans.count; i++) {
        const struct change_span *span = &plot->graph->spans.items[i];
        const struct plot_span drawn = {
            .kind = PLOT_SPAN,
            .span = span,
            .cpid = span->cpid,
            .name = span->name && *span->name ? span->name : "span",
            .id = give_id(making, &span->id),
            .start_ns = span->start_ns,
            .end_ns = span->end_ns < span->start_ns ? span->start_ns : span->end_ns,
            .service = service_index(making, span->service),
            .parent = PLOT_NOWHERE,
        };
        VEC_PUSH(plot->arena, &plot->spans, drawn);
        struct line *line = line_of(making, &span->cpid);
        VEC_PUSH(plot->arena, &line->spans, i);
        map_put(&making->by_id, id_key(making, &span->cpid, &span->id))->value =
            (void *)(uintptr_t)(i + 1);
    }
    for (uint32_t i = 0; i < plot->graph->spans.count; i++) {
        const struct change_span *span = &plot->graph->spans.items[i];
        if (fathom_trace_id_is_none(&span->parent))
            continue;
        const uintptr_t parent =
            (uintptr_t)map_get(&making->by_id, id_key(making, &span->cpid, &span->parent));
        if (parent && parent - 1 != i)
            plot->spans.items[i].parent = (uint32_t)(parent - 1);
    }
}

/* A span of no length, beside the first real one of its CPID if there is any. */
static uint32_t add_made_up(struct making *making, enum plot_kind kind,
                            const struct fathom_trace_id *cpid, const struct change_merge *merge,
                            int64_t time_ns)
{
    struct plot *plot = making->plot;
    const struct line *line = line_of(making, cpid);
    const struct plot_span *first =
        line->spans.count ? &plot->spans.items[line->spans.items[0]] : NULL;
    struct fathom_trace_id id = *cpid;
    for (int i = 0; i < 8; i++) /* not the CPID itself, which may be a span's id, too */
        id.bytes[i] ^= id.bytes[8 + i];
    const struct plot_span drawn = {
        .kind = kind,
        .merge = merge,
        .cpid = *cpid,
        .name = kind == PLOT_MERGE ? "merge" : "cpid",
        .id = give_id(making, &id),
        .start_ns = time_ns,
        .end_ns = time_ns,
        .service = first ? first->service : service_index(making, "unknown"),
        .parent = PLOT_NOWHERE,
    };
    VEC_PUSH(plot->arena, &plot->spans, drawn);
    return plot->spans.count - 1;
}

static void add_merges(struct making *making)
{
    struct plot *plot = making->plot;
    for (uint32_t i = 0; i < plot->graph->merges.count; i++) {
        const struct change_merge *merge = &plot->graph->merges.items[i];
        struct line *line = line_of(making, &merge->cpid);
        line->merge = merge;
        if (merge->source_count > 0)
            line->merge_span = add_made_up(making, PLOT_MERGE, &merge->cpid, merge, merge->time_ns);
        else if (line->spans.count == 0)
            line->merge_span = add_made_up(making, PLOT_STUB, &merge->cpid, NULL, merge->time_ns);
    }
}

/* The last span of the source that began by then; otherwise its first, or what
 * stands for it. */
static uint32_t link_target(struct making *making, const struct fathom_trace_id *source,
                            int64_t time_ns)
{
    const struct plot *plot = making->plot;
    struct line *line = line_of(making, source);
    for (uint32_t i = line->spans.count; i-- > 0;)
        if (plot->spans.items[line->spans.items[i]].start_ns <= time_ns)
            return line->spans.items[i];
    if (line->merge_span == PLOT_NOWHERE && line->spans.count == 0)
        line->merge_span = add_made_up(making, PLOT_STUB, source, NULL, time_ns);
    return line->merge_span != PLOT_NOWHERE ? line->merge_span : line->spans.items[0];
}

static void link_merges(struct making *making)
{
    struct plot *plot = making->plot;
    for (uint32_t i = 0; i < plot->graph->merges.count; i++) {
        const struct change_merge *merge = &plot->graph->merges.items[i];
        if (merge->source_count == 0)
            continue;
        const uint32_t here = line_of(making, &merge->cpid)->merge_span;
        uint32_t *links = ARENA_ARRAY(plot->arena, uint32_t, merge->source_count);
        for (uint32_t s = 0; s < merge->source_count; s++)
            links[s] = link_target(making, &merge->sources[s], merge->time_ns);
        plot->spans.items[here].links = links;
        plot->spans.items[here].link_count = merge->source_count;
        plot->edge_count += merge->source_count;
    }
}

/* The first span of a CPID that is known to have no sources. */
static void mark_roots(struct making *making)
{
    struct plot *plot = making->plot;
    MAP_EACH (&making->lines, entry) {
        const struct line *line = entry->value;
        if (!line->merge || line->merge->source_count > 0)
            continue;
        uint32_t first = line->merge_span;
        for (uint32_t i = 0; i < line->spans.count; i++)
            if (first == PLOT_NOWHERE || plot->spans.items[line->spans.items[i]].start_ns <
                                             plot->spans.items[first].start_ns)
                first = line->spans.items[i];
        plot->spans.items[first].root = true;
    }
}

void plot_make(struct plot *plot, struct arena *arena, const struct change_graph *graph)
{
    struct making making = {.plot = plot};
    *plot = (struct plot){.arena = arena, .graph = graph};
    map_init(&making.lines, arena);
    map_init(&making.services, arena);
    map_init(&making.ids, arena);
    map_init(&making.by_id, arena);
    add_spans(&making);
    add_merges(&making);
    link_merges(&making);
    mark_roots(&making);
}
