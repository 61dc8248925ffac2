/* SPDX-License-Identifier: Apache-2.0 */
/* What a store no longer keeps. */
#include "propagation/store_internal.h"

enum { CHANGES_AT_ONCE = 256 };

static void note_gone(void *context, const struct merge_node *node)
{
    struct trace_store *store = context;
    if (store->gone_count == store->gone_capacity) {
        const uint32_t capacity = store->gone_capacity ? store->gone_capacity * 2 : 64;
        store->gone =
            memory_resize(store->memory, store->gone, store->gone_capacity * sizeof(*store->gone),
                          capacity * sizeof(*store->gone));
        store->gone_capacity = capacity;
    }
    store->gone[store->gone_count++] = node->number;
}

static enum store_outcome forget(struct trace_store *store, uint64_t *spans)
{
    enum store_outcome outcome = store_begin(store);
    for (uint32_t i = 0; i < store->gone_count && outcome == STORE_GOOD; i++) {
        sqlite3_bind_int64(store->statements[STATEMENT_REMOVE_SPANS], 1,
                           (sqlite3_int64)store->gone[i]);
        outcome = store_run(store, STATEMENT_REMOVE_SPANS);
        *spans += (uint64_t)sqlite3_changes(store->database);
        sqlite3_bind_int64(store->statements[STATEMENT_REMOVE_NODE], 1,
                           (sqlite3_int64)store->gone[i]);
        if (outcome == STORE_GOOD)
            outcome = store_run(store, STATEMENT_REMOVE_NODE);
    }
    if (outcome != STORE_GOOD)
        return outcome;
    /* Sources are known by number, so that none may be given again. */
    sqlite3_stmt *meta = store->statements[STATEMENT_SET_META];
    sqlite3_bind_text(meta, 1, "next", -1, SQLITE_STATIC);
    sqlite3_bind_int64(meta, 2, (sqlite3_int64)merge_graph_next_number(store->graph));
    return store_run(store, STATEMENT_SET_META);
}

enum store_outcome store_forget_gone(struct trace_store *store)
{
    uint64_t spans = 0;
    enum store_outcome outcome = forget(store, &spans);
    if (outcome == STORE_GOOD)
        outcome = trace_store_commit(store);
    else
        trace_store_rollback(store);
    if (outcome != STORE_GOOD)
        return outcome;
    store->span_count -= spans;
    store->removed_spans += spans;
    store->gone_count = 0;
    return STORE_GOOD;
}

static uint64_t pages_used(struct trace_store *store)
{
    return store_pragma(store, "PRAGMA page_count") - store_pragma(store, "PRAGMA freelist_count");
}

/* By how many CPIDs there are too many, at least. */
static bool too_many_cpids(const struct trace_store *store)
{
    return store->limits.cpids_most && merge_graph_count(store->graph) > store->limits.cpids_most;
}

static bool too_much_stored(struct trace_store *store)
{
    const struct store_limits *limits = &store->limits;
    if (limits->spans_most && store->span_count > limits->spans_most)
        return true;
    return limits->bytes_most &&
           pages_used(store) * store->page_bytes > limits->bytes_most / 10 * 9;
}

static bool too_old(const struct trace_store *store, uint32_t node, int64_t now_ns)
{
    return store->limits.age_most_ns &&
           merge_graph_node(store->graph, node).time_ns < now_ns - store->limits.age_most_ns;
}

/* What spans and bytes go with a change is known once it is gone, so that of
 * those a few are removed at a time, and of others as many as are too many. */
bool trace_store_retain(struct trace_store *store, int64_t now_ns)
{
    const bool too_much = too_much_stored(store);
    const uint32_t few = 16;
    uint32_t removed = 0;
    bool more = true;
    while (more && removed < CHANGES_AT_ONCE) {
        more = false;
        const bool wanted = too_many_cpids(store) || (too_much && removed < few);
        if (!wanted && !store->limits.age_most_ns)
            break;
        const uint32_t oldest = merge_graph_oldest(store->graph);
        if (oldest == MERGE_NOWHERE || (!wanted && !too_old(store, oldest, now_ns)))
            break;
        more = merge_graph_remove(store->graph, oldest, note_gone, store);
        removed++;
    }
    if (!store->gone_count)
        return false;
    store->removed_cpids += store->gone_count;
    return store_forget_gone(store) == STORE_GOOD && (more || too_much);
}
