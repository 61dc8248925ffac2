/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Requests to an API server, one after another (a client belongs to one thread),
 * and streams beside them.
 */
#ifndef FATHOM_RUNTIME_KUBE_CLIENT_H
#define FATHOM_RUNTIME_KUBE_CLIENT_H

#include "kubeapi/verbs.h"
#include "runtime/kubeconfig.h"

#include <stdatomic.h>

struct kube_client;

/* NULL with `*why` (static) if libcurl is not there. Once `stop` (may be NULL) is true, or the
 * descriptor (-1: none) is readable, requests that take long are given up. */
struct kube_client *kube_client_create(struct memory *memory, const struct kube_access *access,
                                       const atomic_bool *stop, int stop_descriptor,
                                       const char **why);
void kube_client_free(struct kube_client *client);

struct kube_reply {
    enum api_error error; /* API_OK: `content` is what came */
    const struct datum *content;
    const char *message; /* of an error */
    unsigned status;     /* of HTTP; 0: there was no answer */
};

/* `body` NULL: none. The reply lives in the arena. */
struct kube_reply kube_request(struct kube_client *client, struct arena *arena, const char *method,
                               const char *path, const struct datum *body);

/* A response without an end, line by line, while `kube_streams_wait` is called. */
struct kube_stream;

struct kube_stream_hooks {
    void *context;
    void (*line)(void *context, const char *bytes, size_t count);
    /* It is over, and is not to be used again. `status` of HTTP; 0: none came. */
    void (*end)(void *context, unsigned status);
};

struct kube_stream *kube_stream_open(struct kube_client *client, const char *path,
                                     const struct kube_stream_hooks *hooks);
void kube_stream_close(struct kube_stream *stream); /* without `end` */

/* Waits for lines for so long at most (0: looks only), or until `descriptor` (-1: none)
 * is readable, and hands them on. */
void kube_streams_wait(struct kube_client *client, int64_t nanoseconds, int descriptor);

#endif
