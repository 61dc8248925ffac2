/* SPDX-License-Identifier: Apache-2.0 */
/* What a store no longer keeps. */
#include "tracing/graph/store_internal.h"

/* Queries wait during a removal, so it is bounded. */
enum { CHANGES_AT_ONCE = 1024 };

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

static uint64_t bytes_used(struct trace_store *store)
{
    return (store_pragma(store, "PRAGMA page_count") -
            store_pragma(store, "PRAGMA freelist_count")) *
           store->page_bytes;
}

/* How many CPIDs have to be removed to get below a limit, if each of them has the same share. */
static uint64_t share(uint64_t used, uint64_t most, uint64_t cpids)
{
    return most && used > most
               ? (uint64_t)((double)(used - most) / (double)used * (double)cpids) + 1
               : 0;
}

/* How many CPIDs have to go, about: of spans and bytes it is known for certain
 * only when they have gone. */
static uint64_t too_many(struct trace_store *store)
{
    const struct store_limits *limits = &store->limits;
    const uint64_t cpids = merge_graph_count(store->graph);
    const uint64_t for_cpids = share(cpids, limits->cpids_most, cpids);
    const uint64_t for_spans = share(store->span_count, limits->spans_most, cpids);
    const uint64_t for_bytes =
        limits->bytes_most ? share(bytes_used(store), limits->bytes_most / 10 * 9, cpids) : 0;
    const uint64_t most = for_cpids > for_spans ? for_cpids : for_spans;
    return most > for_bytes ? most : for_bytes;
}

static bool too_old(const struct trace_store *store, uint32_t node, int64_t now_ns)
{
    return store->limits.age_most_ns &&
           merge_graph_node(store->graph, node).time_ns < now_ns - store->limits.age_most_ns;
}

/* True if there may be more to remove. */
static bool remove_oldest(struct trace_store *store, uint64_t wanted, int64_t now_ns)
{
    for (int removed = 0; removed < CHANGES_AT_ONCE; removed++) {
        if (store->gone_count >= wanted && !store->limits.age_most_ns)
            return true;
        const uint32_t oldest = merge_graph_oldest(store->graph);
        if (oldest == MERGE_NOWHERE)
            return false;
        if (store->gone_count >= wanted && !too_old(store, oldest, now_ns))
            return true;
        if (!merge_graph_remove(store->graph, oldest, note_gone, store))
            return false;
    }
    return true;
}

bool trace_store_retain(struct trace_store *store, int64_t now_ns)
{
    const uint64_t wanted = too_many(store);
    if (!wanted && !store->limits.age_most_ns)
        return false;
    const bool more = remove_oldest(store, wanted, now_ns);
    if (!store->gone_count)
        return false;
    store->removed_cpids += store->gone_count;
    return store_forget_gone(store) == STORE_GOOD && more;
}
