/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Graphviz: a box for each span, an ellipse for each CPID with the spans that
 * were done under it around. Bold edges are merges; solid ones causes that are
 * exact, dashed ones causes by ownership, dotted ones by time.
 */
#include "tracing/import/export.h"
#include "tracing/import/plot.h"

#include <string.h>

static void append_quoted(struct text *text, const char *string)
{
    for (; *string; string++) {
        if (*string == '"' || *string == '\\')
            text_append_char(text, '\\');
        if (*string == '\n')
            text_append_string(text, "\\n");
        else
            text_append_char(text, *string);
    }
}

static void append_object(struct text *text, const struct change_object *object)
{
    text_append_string(text, "\\n");
    append_quoted(text, object->kind);
    if (object->namespace && *object->namespace) {
        text_append_char(text, '/');
        append_quoted(text, object->namespace);
    }
    text_append_char(text, '/');
    append_quoted(text, object->name ? object->name : "");
}

static void append_span(struct text *text, const struct plot *plot, uint32_t index)
{
    const struct plot_span *drawn = &plot->spans.items[index];
    text_printf(text, "    s%u [label=\"", index);
    append_quoted(text, plot->services.items[drawn->service]);
    text_append_string(text, "\\n");
    append_quoted(text, drawn->name);
    if (drawn->span->object.kind)
        append_object(text, &drawn->span->object);
    text_append_char(text, '"');
    if (drawn->root)
        text_append_string(text, ", penwidth=2");
    if (drawn->span->failure)
        text_append_string(text, ", color=\"#b3261e\", fontcolor=\"#b3261e\"");
    text_append_string(text, "];\n");
}

/* The spans of one CPID, chained by index. */
struct group {
    struct fathom_trace_id cpid;
    uint32_t first;
    uint32_t last;
    uint32_t number;
};

static struct group *group_of(struct map *groups, struct arena *arena,
                              const struct fathom_trace_id *cpid)
{
    char text[33];
    plot_format_cpid(cpid, text);
    struct group *group = map_get(groups, text);
    if (group)
        return group;
    group = ARENA_NEW(arena, struct group);
    *group = (struct group){
        .cpid = *cpid, .first = PLOT_NOWHERE, .last = PLOT_NOWHERE, .number = groups->count};
    map_put(groups, arena_strdup(arena, text))->value = group;
    return group;
}

void change_export_dot(const struct change_graph *graph, const struct export_options *options,
                       struct text *text)
{
    static const char *const styles[CHANGE_LABEL_COUNT] = {"solid", "dashed", "dotted"};
    struct arena scratch;
    struct plot plot;
    struct map groups;
    (void)options;
    arena_init(&scratch, text->memory);
    plot_make(&plot, &scratch, graph);
    map_init(&groups, &scratch);
    uint32_t *next = ARENA_ARRAY(&scratch, uint32_t, graph->spans.count + 1);
    for (uint32_t i = 0; i < graph->spans.count; i++) {
        struct group *group = group_of(&groups, &scratch, &graph->spans.items[i].cpid);
        next[i] = PLOT_NOWHERE;
        if (group->first == PLOT_NOWHERE)
            group->first = i;
        else
            next[group->last] = i;
        group->last = i;
    }
    for (uint32_t i = 0; i < graph->merges.count; i++) {
        group_of(&groups, &scratch, &graph->merges.items[i].cpid);
        for (uint32_t s = 0; s < graph->merges.items[i].source_count; s++)
            group_of(&groups, &scratch, &graph->merges.items[i].sources[s]);
    }
    text_append_string(text, "digraph changes {\n  rankdir=LR;\n"
                             "  node [shape=box, fontname=\"sans-serif\", fontsize=10];\n");
    MAP_EACH (&groups, entry) {
        const struct group *group = entry->value;
        char cpid[FATHOM_TRACE_ID_TEXT];
        fathom_trace_id_format(&group->cpid, cpid);
        text_printf(text, "  subgraph cluster_%u {\n    color=\"#888888\"; style=rounded;\n",
                    group->number);
        text_printf(text, "    c%u [shape=ellipse, label=\"%.8s\", tooltip=\"%s\"];\n",
                    group->number, cpid, cpid);
        for (uint32_t i = group->first; i != PLOT_NOWHERE; i = next[i])
            append_span(text, &plot, i);
        text_append_string(text, "  }\n");
    }
    for (uint32_t i = 0; i < graph->merges.count; i++)
        for (uint32_t s = 0; s < graph->merges.items[i].source_count; s++)
            text_printf(text, "  c%u -> c%u [style=bold];\n",
                        group_of(&groups, &scratch, &graph->merges.items[i].sources[s])->number,
                        group_of(&groups, &scratch, &graph->merges.items[i].cpid)->number);
    for (uint32_t i = 0; i < graph->spans.count; i++)
        for (uint32_t c = 0; c < graph->spans.items[i].cause_count; c++)
            text_printf(text, "  s%u -> s%u [style=%s];\n", graph->spans.items[i].causes[c].span, i,
                        styles[graph->spans.items[i].causes[c].label]);
    text_append_string(text, "}\n");
    arena_release(&scratch);
}
