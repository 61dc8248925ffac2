/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The store from inside.
 *
 *   node  a row for each CPID, by its number in the graph; `sources` are numbers,
 *         8 bytes each. One that is no longer there was removed.
 *   span  by the number of its CPID and its id, so that the spans of a CPID lie
 *         together and those of recent ones at the end.
 *   meta  the next number, since the last node may have been removed.
 *
 * There is no index of CPIDs: the graph in memory is one, and random keys would
 * cost a page of the log for each record.
 */
#ifndef FATHOM_TRACING_GRAPH_STORE_INTERNAL_H
#define FATHOM_TRACING_GRAPH_STORE_INTERNAL_H

#include "tracing/graph/store.h"

#include <sqlite3.h>

#define STATEMENTS                                                                                \
    STATEMENT(BEGIN, "BEGIN IMMEDIATE")                                                           \
    STATEMENT(COMMIT, "COMMIT")                                                                   \
    STATEMENT(ROLLBACK, "ROLLBACK")                                                               \
    STATEMENT(ADD_NODE, "INSERT INTO node VALUES (?1, ?2, ?3, ?4, ?5, ?6)")                       \
    STATEMENT(SET_NODE,                                                                           \
              "UPDATE node SET time = ?3, known = ?4, sources = ?5, hash = ?6 WHERE number = ?1") \
    STATEMENT(REMOVE_NODE, "DELETE FROM node WHERE number = ?1")                                  \
    STATEMENT(ADD_SPAN, "INSERT OR IGNORE INTO span VALUES "                                      \
                        "(?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11)")                         \
    STATEMENT(REMOVE_SPANS, "DELETE FROM span WHERE node = ?1")                                   \
    STATEMENT(FIND_SPAN, "SELECT * FROM span WHERE node = ?1 AND id = ?2")                        \
    STATEMENT(SPANS_OF, "SELECT * FROM span WHERE node = ?1")                                     \
    STATEMENT(SPANS_AFTER, "SELECT span.*, cpid FROM span JOIN node ON number = node WHERE "      \
                           "(node, id) > (?1, ?2) ORDER BY node, id LIMIT ?3")                    \
    STATEMENT(NODES_AFTER,                                                                        \
              "SELECT number, cpid FROM node WHERE number > ?1 ORDER BY number LIMIT ?2")         \
    STATEMENT(SET_META, "INSERT OR REPLACE INTO meta VALUES (?1, ?2)")

enum statement {
#define STATEMENT(constant, sql) STATEMENT_##constant,
    STATEMENTS
#undef STATEMENT
        STATEMENT_COUNT
};

struct trace_store {
    struct memory *memory;
    struct merge_graph *graph;
    struct store_limits limits;
    sqlite3 *database;
    sqlite3_stmt *statements[STATEMENT_COUNT];
    bool in_transaction;
    uint64_t span_count;
    uint64_t spans_added; /* in this transaction */
    uint64_t page_bytes;
    uint64_t removed_cpids;
    uint64_t removed_spans;
    uint64_t *gone; /* numbers that are out of the graph, but not out of the database yet */
    uint32_t gone_count;
    uint32_t gone_capacity;
    char problem[256];
};

/* Runs a statement that gives no rows, whose parameters are bound. */
enum store_outcome store_run(struct trace_store *store, enum statement statement);
enum store_outcome store_begin(struct trace_store *store);
/* Keeps what SQLite says and tells what it means. */
enum store_outcome store_failure(struct trace_store *store, int code);
uint64_t store_pragma(struct trace_store *store, const char *sql);

/* Takes what is gone out of the database, too. */
enum store_outcome store_forget_gone(struct trace_store *store);

void store_read_span(sqlite3_stmt *row, struct span_record *span);

#endif
