/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The thread that writes: takes all requests that wait, stores their records in
 * one transaction, and lets them go on when it is committed. Between them it
 * removes what the limits no longer allow.
 */
#ifndef FATHOM_TRACING_SERVER_WRITER_H
#define FATHOM_TRACING_SERVER_WRITER_H

#include <stdbool.h>

struct request;
struct trace_server;
struct writer;

struct writer *writer_start(struct trace_server *server);
/* The request's connection is suspended; it is resumed when its outcome is known.
 * False if the writer has been stopped. */
bool writer_submit(struct writer *writer, struct request *request);
/* Everything that was submitted is done first. */
void writer_stop(struct writer *writer);
void writer_free(struct writer *writer);

#endif
