/* SPDX-License-Identifier: Apache-2.0 */
/* Opening a store: its database, and the graph that is in it. */
#include "tracing/graph/store_internal.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

enum { APPLICATION = 0x46544852, VERSION = 1, WAL_PAGES = 4000 };

static const char schema[] =
    "CREATE TABLE node (number INTEGER PRIMARY KEY, cpid BLOB NOT NULL, time INTEGER NOT NULL,"
    " known INTEGER NOT NULL, sources BLOB NOT NULL, hash INTEGER NOT NULL);"
    "CREATE TABLE span (node INTEGER NOT NULL, id BLOB NOT NULL, parent BLOB, start INTEGER NOT"
    " NULL, end INTEGER NOT NULL, service TEXT NOT NULL, name TEXT NOT NULL, object TEXT NOT NULL,"
    " version_read TEXT NOT NULL, version_written TEXT NOT NULL, attributes TEXT NOT NULL,"
    " PRIMARY KEY (node, id)) WITHOUT ROWID;"
    "CREATE TABLE meta (name TEXT PRIMARY KEY, value) WITHOUT ROWID;";

static const char *const statement_texts[STATEMENT_COUNT] = {
#define STATEMENT(constant, sql) (sql),
    STATEMENTS
#undef STATEMENT
};

enum store_outcome store_failure(struct trace_store *store, int code)
{
    snprintf(store->problem, sizeof(store->problem), "%s", sqlite3_errmsg(store->database));
    switch (code & 0xFF) {
    case SQLITE_FULL:
    case SQLITE_IOERR:
    case SQLITE_NOMEM: return STORE_FULL;
    default: return STORE_FAILED;
    }
}

enum store_outcome store_run(struct trace_store *store, enum statement statement)
{
    sqlite3_stmt *prepared = store->statements[statement];
    const int code = sqlite3_step(prepared);
    const enum store_outcome outcome =
        code == SQLITE_DONE ? STORE_GOOD : store_failure(store, code);
    sqlite3_reset(prepared);
    return outcome;
}

enum store_outcome store_begin(struct trace_store *store)
{
    if (store->in_transaction)
        return STORE_GOOD;
    const enum store_outcome outcome = store_run(store, STATEMENT_BEGIN);
    store->in_transaction = outcome == STORE_GOOD;
    store->spans_added = 0;
    return outcome;
}

enum store_outcome trace_store_commit(struct trace_store *store)
{
    if (!store->in_transaction)
        return STORE_GOOD;
    const enum store_outcome outcome = store_run(store, STATEMENT_COMMIT);
    if (outcome != STORE_GOOD) {
        trace_store_rollback(store);
        return outcome;
    }
    store->in_transaction = false;
    store->span_count += store->spans_added;
    merge_graph_commit(store->graph);
    return STORE_GOOD;
}

void trace_store_rollback(struct trace_store *store)
{
    if (store->in_transaction && !sqlite3_get_autocommit(store->database)) {
        char kept[sizeof(store->problem)];
        memcpy(kept, store->problem, sizeof(kept));
        store_run(store, STATEMENT_ROLLBACK);
        memcpy(store->problem, kept, sizeof(kept));
    }
    store->in_transaction = false;
    merge_graph_rollback(store->graph);
}

const char *trace_store_problem(const struct trace_store *store)
{
    return store->problem;
}

uint64_t store_pragma(struct trace_store *store, const char *sql)
{
    sqlite3_stmt *statement = NULL;
    uint64_t value = 0;
    if (sqlite3_prepare_v2(store->database, sql, -1, &statement, NULL) == SQLITE_OK &&
        sqlite3_step(statement) == SQLITE_ROW)
        value = (uint64_t)sqlite3_column_int64(statement, 0);
    sqlite3_finalize(statement);
    return value;
}

static bool execute(struct trace_store *store, const char *sql)
{
    return sqlite3_exec(store->database, sql, NULL, NULL, NULL) == SQLITE_OK;
}

/* A new database gets its tables at once or not at all. */
static const char *prepare_schema(struct trace_store *store)
{
    const uint64_t application = store_pragma(store, "PRAGMA application_id");
    const uint64_t version = store_pragma(store, "PRAGMA user_version");
    if (application == APPLICATION)
        return version == VERSION ? NULL : "it was written by another version of Fathom";
    if (application || version || store_pragma(store, "SELECT count(*) FROM sqlite_master"))
        return "it is not a trace store";
    char marks[128];
    snprintf(marks, sizeof(marks), "PRAGMA application_id = %d; PRAGMA user_version = %d; COMMIT",
             APPLICATION, VERSION);
    if (!execute(store, "BEGIN") || !execute(store, schema) || !execute(store, marks))
        return sqlite3_errmsg(store->database);
    return NULL;
}

/* Locked against others from the first look on. A commit has reached the disk
 * when it returns. */
static const char *prepare_database(struct trace_store *store, bool in_memory)
{
    sqlite3_busy_timeout(store->database, 200);
    if (!execute(
            store,
            "PRAGMA cache_size = -32768; PRAGMA locking_mode = EXCLUSIVE; BEGIN EXCLUSIVE; COMMIT"))
        return sqlite3_errmsg(store->database);
    if (!in_memory && !execute(store, "PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL"))
        return sqlite3_errmsg(store->database);
    const char *complaint = prepare_schema(store);
    if (complaint)
        return complaint;
    sqlite3_wal_autocheckpoint(store->database, WAL_PAGES);
    for (int i = 0; i < STATEMENT_COUNT; i++)
        if (sqlite3_prepare_v3(store->database, statement_texts[i], -1, SQLITE_PREPARE_PERSISTENT,
                               &store->statements[i], NULL) != SQLITE_OK)
            return sqlite3_errmsg(store->database);
    store->page_bytes = store_pragma(store, "PRAGMA page_size");
    if (store->limits.bytes_most && store->page_bytes) {
        char limit[64];
        snprintf(limit, sizeof(limit), "PRAGMA max_page_count = %" PRIu64,
                 store->limits.bytes_most / store->page_bytes + 1);
        execute(store, limit);
    }
    return NULL;
}

static bool load_node(struct trace_store *store, sqlite3_stmt *row)
{
    struct merge_node node = {
        .number = (uint64_t)sqlite3_column_int64(row, 0),
        .time_ns = sqlite3_column_int64(row, 2),
        .known = sqlite3_column_int(row, 3) != 0,
    };
    if (sqlite3_column_bytes(row, 1) != sizeof(node.cpid.bytes))
        return false;
    memcpy(node.cpid.bytes, sqlite3_column_blob(row, 1), sizeof(node.cpid.bytes));
    return merge_graph_restore_node(store->graph, &node, (uint64_t)sqlite3_column_int64(row, 5));
}

/* Sources that were removed since are not there any more. */
static bool load_edges(struct trace_store *store, sqlite3_stmt *row)
{
    const uint64_t number = (uint64_t)sqlite3_column_int64(row, 0);
    const int bytes = sqlite3_column_bytes(row, 4);
    const char *sources = sqlite3_column_blob(row, 4);
    for (int i = 0; i + (int)sizeof(uint64_t) <= bytes; i += (int)sizeof(uint64_t)) {
        uint64_t source = 0;
        memcpy(&source, sources + i, sizeof(source));
        merge_graph_restore_edge(store->graph, source, number);
    }
    return true;
}

static bool load_rows(struct trace_store *store,
                      bool (*load)(struct trace_store *store, sqlite3_stmt *row))
{
    sqlite3_stmt *rows = NULL;
    bool good = sqlite3_prepare_v2(store->database, "SELECT * FROM node ORDER BY number", -1, &rows,
                                   NULL) == SQLITE_OK;
    int code = SQLITE_DONE;
    while (good && (code = sqlite3_step(rows)) == SQLITE_ROW)
        good = load(store, rows);
    sqlite3_finalize(rows);
    return good && code == SQLITE_DONE;
}

static const char *load(struct trace_store *store)
{
    if (!load_rows(store, load_node) || !load_rows(store, load_edges))
        return "it is damaged, or there is not enough memory for it";
    merge_graph_restore_next_number(
        store->graph, store_pragma(store, "SELECT value FROM meta WHERE name = 'next'"));
    merge_graph_commit(store->graph);
    store->span_count = store_pragma(store, "SELECT count(*) FROM span");
    return NULL;
}

struct trace_store *trace_store_open(struct memory *memory, const char *path,
                                     const struct store_limits *limits, struct arena *arena,
                                     const char **error)
{
    struct trace_store *store = memory_try_allocate_zeroed(memory, sizeof(*store));
    if (!store) {
        *error = "memory is exhausted";
        return NULL;
    }
    store->memory = memory;
    store->limits = *limits;
    store->graph = merge_graph_create(memory);
    const char *complaint = store->graph ? NULL : "memory is exhausted";
    const int flags = SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_NOMUTEX;
    if (!complaint &&
        sqlite3_open_v2(path ? path : ":memory:", &store->database, flags, NULL) != SQLITE_OK)
        complaint = store->database ? sqlite3_errmsg(store->database) : "memory is exhausted";
    if (!complaint)
        complaint = prepare_database(store, !path);
    if (!complaint)
        complaint = load(store);
    if (!complaint)
        return store;
    *error = arena_strdup(arena, complaint);
    trace_store_close(store);
    return NULL;
}

void trace_store_close(struct trace_store *store)
{
    if (!store)
        return;
    for (int i = 0; i < STATEMENT_COUNT; i++)
        sqlite3_finalize(store->statements[i]);
    sqlite3_close(store->database);
    merge_graph_free(store->graph);
    memory_release(store->memory, store->gone, store->gone_capacity * sizeof(*store->gone));
    memory_release(store->memory, store, sizeof(*store));
}

struct merge_graph *trace_store_graph(struct trace_store *store)
{
    return store->graph;
}
