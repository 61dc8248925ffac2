/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The trace server: records of controllers come in, questions are answered, over
 * HTTP (docs/trace.md lists the paths).
 *
 * One thread speaks with all clients; another one writes. Requests that bring
 * records wait until they are committed, all that wait in one transaction, and
 * only then are acknowledged. Store and graph are under one lock.
 */
#ifndef FATHOM_TRACING_SERVER_SERVER_H
#define FATHOM_TRACING_SERVER_SERVER_H

#include "base/log.h"
#include "tracing/graph/store.h"

struct trace_server;

/* A page of the dashboard, or a part of one. */
struct server_asset {
    const char *path; /* "/", "/dashboard.js" */
    const char *type; /* "text/html; charset=utf-8" */
    const void *bytes;
    size_t length;
    const char *policy; /* its Content-Security-Policy */
};

struct server_options {
    const char *listen; /* "127.0.0.1:7788", "[::1]:0": port 0 is any that is free */
    const char *store;  /* NULL: in memory */
    const char *token;  /* NULL: none is needed */
    bool insecure;      /* other machines need no token either */
    struct store_limits limits;
    size_t body_most;          /* bytes of one request */
    uint64_t rate_most;        /* records a second; 0: no limit */
    uint32_t connections_most; /* at the same time */
    const struct server_asset *assets;
    size_t asset_count;
    const struct log *log; /* NULL: silent */
};

/* NULL, and `*error` a sentence in the arena, if it cannot be started. */
struct trace_server *trace_server_start(struct memory *memory, const struct server_options *options,
                                        struct arena *arena, const char **error);
/* "http://127.0.0.1:7788", with the port that it has. */
const char *trace_server_address(const struct trace_server *server);
bool trace_server_is_local(const struct trace_server *server);
/* What is being written is finished and acknowledged; nothing new is taken. */
void trace_server_stop(struct trace_server *server);

#endif
