/* SPDX-License-Identifier: Apache-2.0 */
/* The trace server from inside: what its parts share. */
#ifndef FATHOM_TRACING_SERVER_SERVER_INTERNAL_H
#define FATHOM_TRACING_SERVER_SERVER_INTERNAL_H

#include "base/client_room.h"
#include "base/connection_list.h"
#include "base/http_library.h"
#include "base/text.h"
#include "tracing/server/metrics.h"
#include "tracing/server/rate.h"
#include "tracing/server/server.h"

#include <pthread.h>
#include <stdatomic.h>

struct request;
struct writer;

struct trace_server {
    struct memory *memory;
    struct server_options options;
    struct http_library http;
    struct MHD_Daemon *daemon;
    struct trace_store *store;
    pthread_mutex_t store_lock;
    struct writer *writer;
    struct rate rate;
    struct metrics metrics;
    struct client_rooms rooms; /* of all requests, and of answers that are not read */
    struct connection_list connections;
    bool local; /* listens to this machine only */
    char address[128];
};

/* What a request wants; see route.c. */
struct route {
    const char *method;
    const char *path; /* "/api/v1/cpids/@/spans": a CPID stands for the @ */
    void (*answer)(struct trace_server *server, struct request *request);
    enum record_form form;
    bool records; /* its body is records of this form */
    bool open;    /* needs no token */
};

struct request {
    struct trace_server *server;
    struct MHD_Connection *connection;
    struct arena arena;
    const struct route *route;
    const struct server_asset *asset;
    struct fathom_trace_id cpid; /* of the path */
    struct text body;
    struct client_room room;
    size_t skipped_bytes; /* of a body that is not wanted */
    bool waiting;         /* for the writer */
    bool answered;        /* `status` and `text` are the answer */
    /* The answer. */
    unsigned status;
    const char *type;
    struct text text;
    /* For the writer. */
    struct request *next;
    struct record_batch batch;
    struct store_put put;
    enum store_outcome outcome;
};

/* NULL: memory is exhausted. */
struct request *request_create(struct trace_server *server, struct MHD_Connection *connection);
void request_free(struct request *request);
/* Lets go of all that is not the answer. */
void request_forget_input(struct request *request);
/* Counts what the request holds; false, and an answer, if all of them hold too much. */
bool request_hold(struct request *request);
/* The same for an answer that will be about so large. */
bool request_expect(struct request *request, size_t bytes);

/* Finds what is at a path; an answer (404, 405) if there is nothing. */
void route_find(struct request *request, const char *method, const char *path);

/* The answer is {"error": "..."}. */
__attribute__((format(printf, 3, 4))) void answer_error(struct request *request, unsigned status,
                                                        const char *format, ...);
/* A parameter of the query, or NULL. */
const char *request_parameter(const struct request *request, const char *name);

/* Questions, and what is no record; each fills in the answer. */
void answer_asset(struct trace_server *server, struct request *request);
void answer_cpid(struct trace_server *server, struct request *request);
void answer_health(struct trace_server *server, struct request *request);
void answer_live(struct trace_server *server, struct request *request);
void answer_mergelogs(struct trace_server *server, struct request *request);
void answer_metrics(struct trace_server *server, struct request *request);
void answer_related(struct trace_server *server, struct request *request);
void answer_related_mergelogs(struct trace_server *server, struct request *request);
void answer_related_spans(struct trace_server *server, struct request *request);
void answer_roots(struct trace_server *server, struct request *request);
void answer_roots_of(struct trace_server *server, struct request *request);
void answer_spans(struct trace_server *server, struct request *request);

/* Reads the records of the body: an answer if something is wrong, otherwise the
 * batch is for the writer. */
void intake_read(struct request *request);
/* The writer has done its part. */
void intake_answer(struct request *request);

#endif
