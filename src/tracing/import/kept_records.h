/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Records of a trace server, from and to its store (store_records.c) or the server itself
 * (server_records.c). All functions give false, with problems, when that fails.
 */
#ifndef FATHOM_TRACING_IMPORT_KEPT_RECORDS_H
#define FATHOM_TRACING_IMPORT_KEPT_RECORDS_H

#include "base/error.h"
#include "tracing/graph/record.h"
#include "tracing/import/change_graph.h"

bool store_records_load(struct arena *arena, const char *path, struct record_batch *batch,
                        struct problems *problems);
bool store_records_save(struct arena *arena, const char *path, const struct change_graph *graph,
                        struct problems *problems);

struct records_server {
    const char *url;
    const char *token; /* NULL: it asks for none */
};

/* The lists of which a server had more than it tells in one answer. */
struct records_cut {
    const char *lists[2];
    uint32_t count;
};

/* With a CPID only what is related to it, forward and backward. */
bool server_records_load(struct arena *arena, const struct records_server *server,
                         const struct fathom_trace_id *cpid, struct record_batch *batch,
                         struct records_cut *cut, struct problems *problems);
bool server_records_save(struct arena *arena, const struct records_server *server,
                         const struct change_graph *graph, struct problems *problems);

#endif
