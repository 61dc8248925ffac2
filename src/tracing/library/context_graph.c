/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Departures from the printed algorithm: a context is added, not a list of
 * them; what is looked for in the list is the value that is to be added to it;
 * keys are removed only after all were looked at; the input is copied, not
 * changed. The order of the result differs in the mode ORDERED alone: there each
 * ancestor that is missing is put behind the one that it follows, and not in
 * front of or behind all others.
 */
#include "tracing/library/context_graph.h"

#include <stdlib.h>
#include <string.h>

struct context_block {
    struct context_block *older;
    struct fathom_trace_id ids[];
};

enum { NOWHERE = -1, BLOCK_IDS = 1024 };

void context_graph_init(struct context_graph *graph, enum fathom_trace_mode mode)
{
    graph->mode = mode;
    graph->failed = false;
    graph->lists = graph->own_lists;
    graph->list_count = 0;
    graph->list_capacity = CONTEXT_GRAPH_OWN_LISTS;
    graph->free_ids = graph->own_ids;
    graph->free_id_count = CONTEXT_GRAPH_OWN_IDS;
    graph->blocks = NULL;
}

void context_graph_release(struct context_graph *graph)
{
    if (graph->lists != graph->own_lists)
        free(graph->lists);
    while (graph->blocks) {
        struct context_block *block = graph->blocks;
        graph->blocks = block->older;
        free(block);
    }
}

static struct fathom_trace_id *take_ids(struct context_graph *graph, size_t count)
{
    if (count > graph->free_id_count) {
        const size_t size = count > BLOCK_IDS ? count : BLOCK_IDS;
        struct context_block *block =
            malloc(sizeof(*block) + size * sizeof(struct fathom_trace_id));
        if (!block) {
            graph->failed = true;
            return NULL;
        }
        block->older = graph->blocks;
        graph->blocks = block;
        graph->free_ids = block->ids;
        graph->free_id_count = size;
    }
    struct fathom_trace_id *ids = graph->free_ids;
    graph->free_ids += count;
    graph->free_id_count -= count;
    return ids;
}

static bool same(const struct fathom_trace_id *one, const struct fathom_trace_id *other)
{
    return memcmp(one->bytes, other->bytes, sizeof(one->bytes)) == 0;
}

static int64_t position(const struct context_list *list, const struct fathom_trace_id *id)
{
    for (uint32_t i = 0; i < list->count; i++)
        if (same(&list->ancestors[i], id))
            return i;
    return NOWHERE;
}

static void insert(struct context_graph *graph, struct context_list *list, int64_t place,
                   const struct fathom_trace_id *id)
{
    if (list->count == list->capacity) {
        const uint32_t capacity = list->capacity ? list->capacity * 2 : 8;
        struct fathom_trace_id *ids = take_ids(graph, capacity);
        if (!ids)
            return;
        if (list->count)
            memcpy(ids, list->ancestors, list->count * sizeof(*ids));
        list->ancestors = ids;
        list->capacity = capacity;
    }
    memmove(&list->ancestors[place + 1], &list->ancestors[place],
            (list->count - (size_t)place) * sizeof(*id));
    list->ancestors[place] = *id;
    list->count++;
}

/* Puts what is missing in `into` from a list whose head is at `place` of it:
 * each behind the one before. */
static void weave(struct context_graph *graph, struct context_list *into, int64_t place,
                  const struct context_list *from)
{
    for (uint32_t i = 0; i < from->count && !graph->failed; i++) {
        const int64_t known = position(into, &from->ancestors[i]);
        if (known == NOWHERE)
            insert(graph, into, ++place, &from->ancestors[i]);
        else
            place = known;
    }
}

static void append_missing(struct context_graph *graph, struct context_list *into,
                           const struct context_list *from)
{
    for (uint32_t i = 0; i < from->count && !graph->failed; i++)
        if (position(into, &from->ancestors[i]) == NOWHERE)
            insert(graph, into, into->count, &from->ancestors[i]);
}

static void prepend_missing(struct context_graph *graph, struct context_list *into,
                            const struct context_list *from)
{
    for (uint32_t i = from->count; i-- > 0 && !graph->failed;)
        if (position(into, &from->ancestors[i]) == NOWHERE)
            insert(graph, into, 0, &from->ancestors[i]);
}

/* Step 1: roots that the new context comes from are its ancestors from now on. */
static void take_in_roots(struct context_graph *graph, struct context_list *list)
{
    uint32_t kept = 0;
    for (uint32_t i = 0; i < graph->list_count; i++) {
        const struct context_list root = graph->lists[i];
        const int64_t place = position(list, &root.root);
        if (place == NOWHERE)
            graph->lists[kept++] = root;
        else if (graph->mode == FATHOM_TRACE_ORDERED)
            weave(graph, list, place, &root);
        else
            append_missing(graph, list, &root);
    }
    graph->list_count = kept;
}

/* Step 2: roots that come from it, or are it, know its ancestors from now on. */
static bool give_to_roots(struct context_graph *graph, const struct context_list *list)
{
    bool included = false;
    for (uint32_t i = 0; i < graph->list_count; i++) {
        struct context_list *root = &graph->lists[i];
        const int64_t place = position(root, &list->root);
        if (place == NOWHERE && !same(&root->root, &list->root))
            continue;
        if (graph->mode == FATHOM_TRACE_ORDERED)
            weave(graph, root, place, list);
        else
            prepend_missing(graph, root, list);
        included = true;
    }
    return included;
}

static void push(struct context_graph *graph, const struct context_list *list)
{
    if (graph->list_count == graph->list_capacity) {
        const size_t capacity = (size_t)graph->list_count * 2 + 1;
        struct context_list *lists = malloc(capacity * sizeof(*lists));
        if (!lists) {
            graph->failed = true;
            return;
        }
        memcpy(lists, graph->lists, graph->list_count * sizeof(*lists));
        if (graph->lists != graph->own_lists)
            free(graph->lists);
        graph->lists = lists;
        graph->list_capacity = (uint32_t)capacity;
    }
    graph->lists[graph->list_count++] = *list;
}

void context_graph_add(struct context_graph *graph, const struct fathom_trace_context *context)
{
    if (graph->failed)
        return;
    struct context_list list = {.root = context->id, .capacity = context->ancestor_count};
    if (context->ancestor_count) {
        list.ancestors = take_ids(graph, context->ancestor_count);
        if (!list.ancestors)
            return;
        list.count = context->ancestor_count;
        memcpy(list.ancestors, context->ancestors, list.count * sizeof(*list.ancestors));
    }
    take_in_roots(graph, &list);
    if (!give_to_roots(graph, &list))
        push(graph, &list);
}
