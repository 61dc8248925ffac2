/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The store of a trace server: mergelogs and spans in SQLite, and the merge
 * graph in memory.
 *
 * What was committed survives the end of the process at any moment. Writing is
 * done in transactions, so that many requests share the cost of one:
 *
 *     trace_store_put(store, ...); trace_store_put(store, ...);
 *     if (trace_store_commit(store) == STORE_GOOD) acknowledge both
 *
 * If anything fails the whole transaction is taken back, in the graph, too. One
 * thread at a time; the lock is the caller's.
 */
#ifndef FATHOM_TRACING_GRAPH_STORE_H
#define FATHOM_TRACING_GRAPH_STORE_H

#include "tracing/graph/graph.h"
#include "tracing/graph/record.h"

struct trace_store;

struct store_limits {
    uint64_t cpids_most; /* 0: no limit, as for all of them */
    uint64_t spans_most;
    uint64_t bytes_most; /* of the database; from nine tenths on the oldest are removed */
    int64_t age_most_ns;
};

/* `path` NULL: in memory. NULL, and `*error` a sentence, if it cannot be opened:
 * not ours, damaged, used by another process. */
struct trace_store *trace_store_open(struct memory *memory, const char *path,
                                     const struct store_limits *limits, struct arena *arena,
                                     const char **error);
void trace_store_close(struct trace_store *store);

enum store_outcome {
    STORE_GOOD,
    STORE_FULL,   /* no room on the disk, in memory or within the limits */
    STORE_FAILED, /* anything else; trace_store_problem tells */
};

struct store_put {
    uint32_t accepted; /* stored, or known already */
    VEC(struct record_problem) refused;
};

/* Begins a transaction if there is none. Records that contradict what is known
 * are listed in `put` (in the arena), with the index of the request. Otherwise
 * than STORE_GOOD: the transaction is over and nothing of it is stored. */
enum store_outcome trace_store_put(struct trace_store *store, struct arena *arena,
                                   const struct record_batch *batch, struct store_put *put);
enum store_outcome trace_store_commit(struct trace_store *store);
void trace_store_rollback(struct trace_store *store);
const char *trace_store_problem(const struct trace_store *store);

/* Removes the oldest changes until the limits are kept, by the rule of
 * merge_graph_remove, with their spans; a thousand changes in one call at most.
 * True if there may be more to do. Not within a transaction. */
bool trace_store_retain(struct trace_store *store, int64_t now_ns);

/* ---- questions ---- */

struct merge_graph *trace_store_graph(struct trace_store *store);

struct store_statistics {
    uint64_t cpids;
    uint64_t edges;
    uint64_t spans;
    uint64_t bytes; /* of the database, without what is free in it */
    uint64_t removed_cpids;
    uint64_t removed_spans;
};

struct store_statistics trace_store_statistics(struct trace_store *store);

/* Called with each span; texts are good until the next one. False ends it. */
typedef bool store_visit_span(void *context, const struct span_record *span);
/* False: the store failed. */
bool trace_store_spans_of(struct trace_store *store, uint32_t node, store_visit_span *visit,
                          void *context);

/* All spans, by the number of their CPID and by id; `after` says where the last
 * page ended (zeroed: the beginning) and is moved on. */
struct trace_cursor {
    uint64_t number;
    struct fathom_trace_id span_id;
};
bool trace_store_spans_after(struct trace_store *store, struct trace_cursor *after, uint32_t most,
                             store_visit_span *visit, void *context);

/* All CPIDs by number from `after` on, which is moved on: indices into the graph. */
bool trace_store_nodes_after(struct trace_store *store, uint64_t *after, uint32_t most,
                             bool (*visit)(void *context, uint32_t node), void *context);

#endif
