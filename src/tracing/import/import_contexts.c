/* SPDX-License-Identifier: Apache-2.0 */
/*
 * CPIDs, given as instrumented programs would have given them: kubectl makes a
 * root and merges it with what the object carried; a controller merges the
 * contexts of what it has seen, and of the object that it changes. Contexts
 * that objects carry take precedence over those that would be given.
 */
#include "tracing/import/import_internal.h"

#include <string.h>

enum { ANCESTORS_MOST = 16, CONTEXTS_MOST = CANDIDATES_MOST + 2 };

static uint32_t find_context(const struct import *import, const struct fathom_trace_id *id)
{
    char text[FATHOM_TRACE_ID_TEXT];
    fathom_trace_id_format(id, text);
    return (uint32_t)(uintptr_t)map_get(&import->context_index, text);
}

static void add_merge(struct import *import, const struct fathom_trace_id *id,
                      const struct fathom_trace_id *sources, size_t count, int64_t time_ns)
{
    const struct change_merge merge = {
        .cpid = *id,
        .sources =
            count ? arena_copy(import->collection->arena, sources, count * sizeof(*sources)) : NULL,
        .source_count = (uint32_t)count,
        .time_ns = time_ns,
    };
    VEC_PUSH(import->collection->arena, &import->graph->merges, merge);
}

static uint32_t add_context(struct import *import, const struct fathom_trace_context *context)
{
    struct arena *arena = import->collection->arena;
    char *text = arena_allocate(arena, FATHOM_TRACE_ID_TEXT);
    const struct known_context known = {
        .id = context->id,
        .ancestors = context->ancestor_count
                         ? arena_copy(arena, context->ancestors,
                                      context->ancestor_count * sizeof(*context->ancestors))
                         : NULL,
        .ancestor_count = context->ancestor_count,
    };
    VEC_PUSH(arena, &import->contexts, known);
    fathom_trace_id_format(&context->id, text);
    map_put(&import->context_index, text)->value = (void *)(uintptr_t)import->contexts.count;
    return import->contexts.count;
}

static void unpack(const struct import *import, uint32_t index,
                   struct fathom_trace_context *context)
{
    const struct known_context *known = &import->contexts.items[index - 1];
    context->id = known->id;
    context->ancestor_count = known->ancestor_count;
    if (known->ancestor_count)
        memcpy(context->ancestors, known->ancestors,
               known->ancestor_count * sizeof(*known->ancestors));
}

/* Some of the ancestors that an object lists come from others of them, if those
 * were seen before; the rest are what its CPID was merged from. */
static uint32_t take_given(struct import *import, const struct note *note)
{
    const struct fathom_trace_context *given = note->context;
    uint32_t index = find_context(import, &given->id);
    if (index)
        return index;
    struct fathom_trace_id sources[FATHOM_TRACE_ANCESTORS_MOST];
    size_t count = 0;
    for (uint32_t a = 0; a < given->ancestor_count; a++) {
        bool covered = false;
        for (uint32_t b = 0; b < given->ancestor_count && !covered; b++) {
            const uint32_t other = b == a ? 0 : find_context(import, &given->ancestors[b]);
            for (uint32_t i = 0; other && i < import->contexts.items[other - 1].ancestor_count; i++)
                covered |= fathom_trace_id_equal(&import->contexts.items[other - 1].ancestors[i],
                                                 &given->ancestors[a]);
        }
        if (!covered)
            sources[count++] = given->ancestors[a];
    }
    for (size_t i = 0; i < count; i++)
        if (!find_context(import, &sources[i])) {
            const struct fathom_trace_context bare = {.id = sources[i]};
            add_context(import, &bare);
            add_merge(import, &sources[i], NULL, 0, note->start_ns);
        }
    /* Of the given context only what is there may be looked at. */
    struct fathom_trace_context copy = {.id = given->id, .ancestor_count = given->ancestor_count};
    memcpy(copy.ancestors, given->ancestors, given->ancestor_count * sizeof(*given->ancestors));
    index = add_context(import, &copy);
    add_merge(import, &given->id, sources, count, note->start_ns);
    return index;
}

static uint32_t make_root(struct import *import, const struct note *note)
{
    char text[FATHOM_TRACE_ID_TEXT];
    fathom_trace_id_format(&note->id, text);
    const struct fathom_trace_context context = {.id = notes_id("root", text, "")};
    add_merge(import, &context.id, NULL, 0, note->start_ns);
    return add_context(import, &context);
}

static uint32_t merge_all(struct import *import, const struct note *note, const uint32_t *indices,
                          size_t count)
{
    struct fathom_trace_context contexts[CONTEXTS_MOST];
    struct fathom_trace_context result;
    struct fathom_trace_id sources[CONTEXTS_MOST];
    size_t source_count = 0;
    struct fathom_trace_rules rules = fathom_trace_rules_default();
    char text[FATHOM_TRACE_ID_TEXT];
    for (size_t i = 0; i < count; i++)
        unpack(import, indices[i], &contexts[i]);
    fathom_trace_id_format(&note->id, text);
    const struct fathom_trace_id fresh = notes_id("merge", text, "");
    rules.ancestors_most = ANCESTORS_MOST;
    switch (fathom_trace_merge_contexts(&rules, contexts, count, &fresh, &result, sources,
                                        &source_count)) {
    case FATHOM_TRACE_KEPT: return find_context(import, &result.id);
    case FATHOM_TRACE_NEW:
        add_merge(import, &fresh, sources, source_count, note->start_ns);
        return add_context(import, &result);
    case FATHOM_TRACE_FAILED: bug("import: a merge ran out of memory");
    case FATHOM_TRACE_ABSENT: break;
    }
    return 0;
}

static size_t add_distinct(uint32_t *indices, size_t count, uint32_t index)
{
    for (size_t i = 0; i < count; i++)
        if (indices[i] == index)
            return count;
    if (index)
        indices[count++] = index;
    return count;
}

bool import_give_context(struct import *import, uint32_t number,
                         const struct cause_candidates *causes, uint32_t *done_under)
{
    const struct note *note = &import->collection->notes.items[number];
    struct object_life *life = &import->lives[note->thing];
    uint32_t indices[CONTEXTS_MOST];
    size_t count = 0;
    bool root = false;
    uint32_t context;
    *done_under = 0;
    if (note->kind == NOTE_WRITE && note->context) {
        const bool known = find_context(import, &note->context->id) != 0;
        context = take_given(import, note);
        root = !known && note->context->ancestor_count == 0;
    } else {
        for (uint32_t i = 0; i < causes->count; i++)
            if (causes->items[i].label <= import->options->trust)
                count = add_distinct(indices, count, import->note_context[causes->items[i].note]);
        if (note->kind == NOTE_WRITE && !note->creates)
            count = add_distinct(indices, count, life->context);
        if (note->kind != NOTE_WRITE && count > 1)
            count = 1; /* what wrote nothing passes nothing on, and need not merge */
        if (note->kind != NOTE_WRITE && count == 0)
            count = add_distinct(indices, count, life->context);
        if (note->user || count == 0) {
            root = true;
            *done_under = make_root(import, note);
            count = add_distinct(indices, count, *done_under);
        }
        context = merge_all(import, note, indices, count);
    }
    if (!*done_under)
        *done_under = context;
    import->note_context[number] = context;
    if (note->kind == NOTE_WRITE)
        life->context = context;
    return root;
}
