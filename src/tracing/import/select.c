/* SPDX-License-Identifier: Apache-2.0 */
#include "base/error.h"
#include "base/map.h"
#include "tracing/graph/graph.h"
#include "tracing/import/change_graph.h"

#include <string.h>

/* The CPIDs to look at, as bits by node; NULL: all of them. */
static bool *chosen_nodes(struct arena *arena, struct merge_graph *merges,
                          const struct change_selection *selection)
{
    const uint32_t node = merge_graph_find(merges, &selection->cpid);
    if (node == MERGE_NOWHERE)
        return NULL;
    bool *chosen = ARENA_ARRAY(arena, bool, merge_graph_end(merges) + 1);
    const struct merge_nodes nodes = selection->backward
                                         ? merge_graph_ancestors(merges, node, UINT32_MAX)
                                         : merge_graph_related(merges, node, UINT32_MAX);
    for (uint32_t i = 0; i < nodes.count; i++)
        chosen[nodes.items[i]] = true;
    return chosen;
}

static struct merge_graph *build_merges(const struct change_graph *graph)
{
    struct merge_graph *merges = merge_graph_create(graph->arena->memory);
    for (uint32_t i = 0; merges && i < graph->merges.count; i++) {
        const struct change_merge *merge = &graph->merges.items[i];
        const struct fathom_trace_mergelog mergelog = {
            .cpid = merge->cpid,
            .sources = merge->sources,
            .source_count = merge->source_count,
            .time_ns = merge->time_ns,
        };
        merge_graph_put(merges, &mergelog);
    }
    for (uint32_t i = 0; merges && i < graph->spans.count; i++)
        merge_graph_mention(merges, &graph->spans.items[i].cpid, graph->spans.items[i].start_ns);
    if (!merges)
        bug("select: no memory for a graph");
    return merges;
}

static bool is_asked(const struct change_span *span, const struct change_selection *selection)
{
    return (!selection->service ||
            (span->service && strcmp(span->service, selection->service) == 0)) &&
           (!selection->kind ||
            (span->object.kind && strcmp(span->object.kind, selection->kind) == 0));
}

/* Causes that are not part of it are left out. */
static void keep_causes(struct arena *arena, struct change_span *span, const uint32_t *moved)
{
    struct change_cause *causes =
        span->cause_count ? ARENA_ARRAY(arena, struct change_cause, span->cause_count) : NULL;
    uint32_t count = 0;
    for (uint32_t i = 0; i < span->cause_count; i++)
        if (moved[span->causes[i].span]) {
            causes[count] = span->causes[i];
            causes[count++].span = moved[span->causes[i].span] - 1;
        }
    span->causes = causes;
    span->cause_count = count;
}

bool change_select(struct arena *arena, const struct change_graph *graph,
                   const struct change_selection *selection, struct change_graph *part)
{
    const bool all = fathom_trace_id_is_none(&selection->cpid);
    struct merge_graph *merges = build_merges(graph);
    const bool *chosen = all ? NULL : chosen_nodes(arena, merges, selection);
    uint32_t *moved = ARENA_ARRAY(arena, uint32_t, graph->spans.count + 1);
    *part = (struct change_graph){.arena = arena};
    for (uint32_t i = 0; (all || chosen) && i < graph->spans.count; i++) {
        const struct change_span *span = &graph->spans.items[i];
        if ((chosen && !chosen[merge_graph_find(merges, &span->cpid)]) ||
            !is_asked(span, selection))
            continue;
        VEC_PUSH(arena, &part->spans, *span);
        moved[i] = part->spans.count;
    }
    for (uint32_t i = 0; i < part->spans.count; i++)
        keep_causes(arena, &part->spans.items[i], moved);
    for (uint32_t i = 0; (all || chosen) && i < graph->merges.count; i++)
        if (all || chosen[merge_graph_find(merges, &graph->merges.items[i].cpid)])
            VEC_PUSH(arena, &part->merges, graph->merges.items[i]);
    merge_graph_free(merges);
    return all || chosen;
}
