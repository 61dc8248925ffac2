/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Posts JSON to one address, over one connection that is kept: as much of
 * HTTP/1.1 as that takes. A library that controllers link should not bring a
 * whole HTTP client with it.
 */
#ifndef FATHOM_TRACING_LIBRARY_HTTP_POST_H
#define FATHOM_TRACING_LIBRARY_HTTP_POST_H

#include <stddef.h>
#include <stdint.h>

struct http_post;

/* `server` is http://HOST[:PORT][/PREFIX]. NULL, and `*why`, if it is not. */
struct http_post *http_post_create(const char *server, const char *path, const char *token,
                                   uint32_t timeout_ms, const char **why);
void http_post_free(struct http_post *post);

/* The status of the answer, whose first bytes are in `answer` (ended by NUL); 0
 * if there was none in time. */
int http_post_send(struct http_post *post, const char *body, size_t length, char *answer,
                   size_t answer_size);

/* From another thread: what is being sent, and all that will be, fails at once. */
void http_post_cancel(struct http_post *post);

#endif
