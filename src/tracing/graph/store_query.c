/* SPDX-License-Identifier: Apache-2.0 */
/* Reading from a store. */
#include "tracing/graph/store_internal.h"

#include <string.h>

static void read_id(sqlite3_stmt *row, int column, struct fathom_trace_id *id)
{
    *id = (struct fathom_trace_id){{0}};
    if (sqlite3_column_bytes(row, column) == sizeof(id->bytes))
        memcpy(id->bytes, sqlite3_column_blob(row, column), sizeof(id->bytes));
}

static const char *text(sqlite3_stmt *row, int column)
{
    const char *found = (const char *)sqlite3_column_text(row, column);
    return found ? found : "";
}

void store_read_span(sqlite3_stmt *row, struct span_record *span)
{
    *span = (struct span_record){
        .start_ns = sqlite3_column_int64(row, 3),
        .end_ns = sqlite3_column_int64(row, 4),
        .service = text(row, 5),
        .name = text(row, 6),
        .object = text(row, 7),
        .version_read = text(row, 8),
        .version_written = text(row, 9),
        .attributes = text(row, 10),
    };
    read_id(row, 1, &span->span_id);
    read_id(row, 2, &span->parent_id);
}

static bool finish(struct trace_store *store, sqlite3_stmt *statement, int code)
{
    if (code != SQLITE_DONE && code != SQLITE_ROW)
        store_failure(store, code);
    sqlite3_reset(statement);
    return code == SQLITE_DONE || code == SQLITE_ROW;
}

bool trace_store_spans_of(struct trace_store *store, uint32_t node, store_visit_span *visit,
                          void *context)
{
    const struct merge_node owner = merge_graph_node(store->graph, node);
    sqlite3_stmt *rows = store->statements[STATEMENT_SPANS_OF];
    sqlite3_bind_int64(rows, 1, (sqlite3_int64)owner.number);
    int code = SQLITE_DONE;
    while ((code = sqlite3_step(rows)) == SQLITE_ROW) {
        struct span_record span;
        store_read_span(rows, &span);
        span.cpid = owner.cpid;
        if (!visit(context, &span))
            break;
    }
    return finish(store, rows, code);
}

bool trace_store_spans_after(struct trace_store *store, struct trace_cursor *after, uint32_t most,
                             store_visit_span *visit, void *context)
{
    sqlite3_stmt *rows = store->statements[STATEMENT_SPANS_AFTER];
    const struct fathom_trace_id last = after->span_id;
    sqlite3_bind_int64(rows, 1, (sqlite3_int64)after->number);
    sqlite3_bind_blob(rows, 2, last.bytes, sizeof(last.bytes), SQLITE_STATIC);
    sqlite3_bind_int64(rows, 3, most);
    int code = SQLITE_DONE;
    while ((code = sqlite3_step(rows)) == SQLITE_ROW) {
        struct span_record span;
        store_read_span(rows, &span);
        read_id(rows, 11, &span.cpid);
        after->number = (uint64_t)sqlite3_column_int64(rows, 0);
        after->span_id = span.span_id;
        if (!visit(context, &span))
            break;
    }
    return finish(store, rows, code);
}

bool trace_store_nodes_after(struct trace_store *store, uint64_t *after, uint32_t most,
                             bool (*visit)(void *context, uint32_t node), void *context)
{
    sqlite3_stmt *rows = store->statements[STATEMENT_NODES_AFTER];
    sqlite3_bind_int64(rows, 1, (sqlite3_int64)*after);
    sqlite3_bind_int64(rows, 2, most);
    int code = SQLITE_DONE;
    while ((code = sqlite3_step(rows)) == SQLITE_ROW) {
        struct fathom_trace_id cpid;
        read_id(rows, 1, &cpid);
        *after = (uint64_t)sqlite3_column_int64(rows, 0);
        const uint32_t node = merge_graph_find(store->graph, &cpid);
        if (node != MERGE_NOWHERE && !visit(context, node))
            break;
    }
    return finish(store, rows, code);
}

struct store_statistics trace_store_statistics(struct trace_store *store)
{
    const uint64_t pages = store_pragma(store, "PRAGMA page_count");
    const uint64_t unused = store_pragma(store, "PRAGMA freelist_count");
    return (struct store_statistics){
        .cpids = merge_graph_count(store->graph),
        .edges = merge_graph_edge_count(store->graph),
        .spans = store->span_count,
        .bytes = (pages - unused) * store->page_bytes,
        .removed_cpids = store->removed_cpids,
        .removed_spans = store->removed_spans,
    };
}
