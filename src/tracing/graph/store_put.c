/* SPDX-License-Identifier: Apache-2.0 */
/* Writing into a store. */
#include "tracing/graph/store_internal.h"

#include <string.h>

struct putting {
    struct trace_store *store;
    struct arena *arena;
    struct store_put *put;
};

static void refuse(const struct putting *putting, const char *kind, uint32_t index,
                   const char *error)
{
    const struct record_problem problem = {kind, index, error};
    VEC_PUSH(putting->arena, &putting->put->refused, problem);
}

static enum store_outcome write_node(struct trace_store *store, enum statement statement,
                                     uint32_t index, const uint64_t *sources, size_t count)
{
    const struct merge_node node = merge_graph_node(store->graph, index);
    sqlite3_stmt *prepared = store->statements[statement];
    sqlite3_bind_int64(prepared, 1, (sqlite3_int64)node.number);
    if (statement == STATEMENT_ADD_NODE)
        sqlite3_bind_blob(prepared, 2, node.cpid.bytes, sizeof(node.cpid.bytes), SQLITE_TRANSIENT);
    sqlite3_bind_int64(prepared, 3, node.time_ns);
    sqlite3_bind_int(prepared, 4, node.known);
    sqlite3_bind_blob(prepared, 5, count ? (const void *)sources : "",
                      (int)(count * sizeof(*sources)), SQLITE_STATIC);
    sqlite3_bind_int64(prepared, 6, (sqlite3_int64)merge_graph_sources_hash(store->graph, index));
    return store_run(store, statement);
}

/* The node, and those of its sources that were not heard of before. */
static enum store_outcome write_mergelog(const struct putting *putting,
                                         const struct fathom_trace_mergelog *mergelog,
                                         uint64_t first_new)
{
    struct trace_store *store = putting->store;
    uint64_t *sources = ARENA_ARRAY(putting->arena, uint64_t, mergelog->source_count + 1);
    enum store_outcome outcome = STORE_GOOD;
    for (size_t i = 0; i < mergelog->source_count && outcome == STORE_GOOD; i++) {
        const uint32_t source = merge_graph_find(store->graph, &mergelog->sources[i]);
        sources[i] = merge_graph_node(store->graph, source).number;
        if (sources[i] >= first_new)
            outcome = write_node(store, STATEMENT_ADD_NODE, source, NULL, 0);
    }
    if (outcome != STORE_GOOD)
        return outcome;
    const uint32_t node = merge_graph_find(store->graph, &mergelog->cpid);
    const bool is_new = merge_graph_node(store->graph, node).number >= first_new;
    return write_node(store, is_new ? STATEMENT_ADD_NODE : STATEMENT_SET_NODE, node, sources,
                      mergelog->source_count);
}

static enum store_outcome put_mergelog(const struct putting *putting,
                                       const struct fathom_trace_mergelog *mergelog, uint32_t index)
{
    const uint64_t first_new = merge_graph_next_number(putting->store->graph);
    switch (merge_graph_put(putting->store->graph, mergelog)) {
    case MERGE_ADDED: putting->put->accepted++; break;
    case MERGE_KNOWN: putting->put->accepted++; return STORE_GOOD;
    case MERGE_CONFLICT:
        refuse(putting, "mergelog", index, "cpid: it is known with other sources already");
        return STORE_GOOD;
    case MERGE_CYCLE:
        refuse(putting, "mergelog", index, "sources: one of them comes from this CPID itself");
        return STORE_GOOD;
    case MERGE_FULL: return STORE_FULL;
    }
    return write_mergelog(putting, mergelog, first_new);
}

static void bind_text(sqlite3_stmt *statement, int place, const char *text)
{
    sqlite3_bind_text(statement, place, text, -1, SQLITE_STATIC);
}

static void bind_id(sqlite3_stmt *statement, int place, const struct fathom_trace_id *id)
{
    if (fathom_trace_id_is_none(id))
        sqlite3_bind_null(statement, place);
    else
        sqlite3_bind_blob(statement, place, id->bytes, sizeof(id->bytes), SQLITE_STATIC);
}

static bool same_span(const struct span_record *one, const struct span_record *other)
{
    return fathom_trace_id_equal(&one->parent_id, &other->parent_id) &&
           one->start_ns == other->start_ns && one->end_ns == other->end_ns &&
           strcmp(one->service, other->service) == 0 && strcmp(one->name, other->name) == 0 &&
           strcmp(one->object, other->object) == 0 &&
           strcmp(one->version_read, other->version_read) == 0 &&
           strcmp(one->version_written, other->version_written) == 0 &&
           strcmp(one->attributes, other->attributes) == 0;
}

static bool is_stored(struct trace_store *store, uint64_t number, const struct span_record *span)
{
    sqlite3_stmt *find = store->statements[STATEMENT_FIND_SPAN];
    sqlite3_bind_int64(find, 1, (sqlite3_int64)number);
    bind_id(find, 2, &span->span_id);
    bool same = false;
    if (sqlite3_step(find) == SQLITE_ROW) {
        struct span_record stored;
        store_read_span(find, &stored);
        same = same_span(&stored, span);
    }
    sqlite3_reset(find);
    return same;
}

static enum store_outcome write_span(struct trace_store *store, uint64_t number,
                                     const struct span_record *span)
{
    sqlite3_stmt *add = store->statements[STATEMENT_ADD_SPAN];
    sqlite3_bind_int64(add, 1, (sqlite3_int64)number);
    bind_id(add, 2, &span->span_id);
    bind_id(add, 3, &span->parent_id);
    sqlite3_bind_int64(add, 4, span->start_ns);
    sqlite3_bind_int64(add, 5, span->end_ns);
    bind_text(add, 6, span->service);
    bind_text(add, 7, span->name);
    bind_text(add, 8, span->object);
    bind_text(add, 9, span->version_read);
    bind_text(add, 10, span->version_written);
    bind_text(add, 11, span->attributes);
    return store_run(store, STATEMENT_ADD_SPAN);
}

static enum store_outcome put_span(const struct putting *putting, const struct span_record *span,
                                   uint32_t index)
{
    struct trace_store *store = putting->store;
    enum store_outcome outcome = STORE_GOOD;
    const enum merge_put mentioned = merge_graph_mention(store->graph, &span->cpid, span->start_ns);
    if (mentioned == MERGE_FULL)
        return STORE_FULL;
    const uint32_t node = merge_graph_find(store->graph, &span->cpid);
    if (mentioned == MERGE_ADDED)
        outcome = write_node(store, STATEMENT_ADD_NODE, node, NULL, 0);
    const uint64_t number = merge_graph_node(store->graph, node).number;
    if (outcome == STORE_GOOD)
        outcome = write_span(store, number, span);
    if (outcome != STORE_GOOD)
        return outcome;
    if (sqlite3_changes(store->database))
        store->spans_added++;
    else if (!is_stored(store, number, span)) {
        refuse(putting, "span", index, "spanId: another span of this CPID has it already");
        return STORE_GOOD;
    }
    putting->put->accepted++;
    return STORE_GOOD;
}

enum store_outcome trace_store_put(struct trace_store *store, struct arena *arena,
                                   const struct record_batch *batch, struct store_put *put)
{
    const struct putting putting = {store, arena, put};
    enum store_outcome outcome = store->gone_count ? store_forget_gone(store) : STORE_GOOD;
    *put = (struct store_put){0};
    if (outcome == STORE_GOOD)
        outcome = store_begin(store);
    for (uint32_t i = 0; i < batch->mergelogs.count && outcome == STORE_GOOD; i++)
        outcome =
            put_mergelog(&putting, &batch->mergelogs.items[i], batch->mergelog_index.items[i]);
    for (uint32_t i = 0; i < batch->spans.count && outcome == STORE_GOOD; i++)
        outcome = put_span(&putting, &batch->spans.items[i], batch->span_index.items[i]);
    if (outcome != STORE_GOOD)
        trace_store_rollback(store);
    return outcome;
}
