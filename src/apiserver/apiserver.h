/* SPDX-License-Identifier: Apache-2.0 */
/*
 * An API server in memory: Kubernetes' REST paths in front of the verbs that the
 * checker explores (kubeapi/verbs.h). What is accepted, refused, stored and how
 * resource versions, uids, finalizers and deletions go is decided there and
 * nowhere else; this folder adds what real clients need around it (discovery,
 * patches, watches, tables, dates).
 *
 * `apiserver_handle` may be called by many threads at once. A response that is a
 * watch (watch.h) or a list (list_stream.h) is read from there until it ends.
 */
#ifndef FATHOM_APISERVER_APISERVER_H
#define FATHOM_APISERVER_APISERVER_H

#include "apiserver/http_message.h"
#include "apiserver/object_store.h"

#include <stdatomic.h>

enum {
    /* What a request may bring, as of the real API server. */
    APISERVER_BODY_MOST = 3 << 20,
    APISERVER_HISTORY = 4096,
};

struct apiserver_settings {
    struct object_store_settings store;
    bool no_collector; /* leave orphans, and the content of deleted namespaces, alone */
    size_t bytes_most; /* that all objects together may take; 0: no limit */
    /* The seconds since 1970; NULL: the machine's. */
    int64_t (*now)(void);
};

struct collector;

struct apiserver {
    struct memory memory;
    struct object_store store;
    struct apiserver_settings settings;
    struct collector *collector; /* NULL: none */
    atomic_bool stopping;
};

/* With the namespaces that every cluster has. */
void apiserver_start(struct apiserver *server, const struct apiserver_settings *settings);
/* Ends all watches; they are to be read to their end before the server is freed. */
void apiserver_stop(struct apiserver *server);
void apiserver_free(struct apiserver *server);

/* Fills `response`, whose text the caller has initialised with any memory. */
void apiserver_handle(struct apiserver *server, const struct http_request *request,
                      struct http_response *response);

int64_t apiserver_seconds(const struct apiserver *server); /* since 1970 */
/* "2026-01-31T12:00:00Z" */
const char *apiserver_now(const struct apiserver *server, struct arena *arena);

#endif
