/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The change graph that the commands of `fathom trace` look at: made from a
 * cluster's records (-f), or read from the records of a trace server.
 */
#ifndef FATHOM_CLI_READ_TRACE_H
#define FATHOM_CLI_READ_TRACE_H

#include "cli/session.h"
#include "tracing/import/trace_input.h"

/* Of -f, --server or --store. Without -f a server may be asked only for what has to
 * do with `cpid` (NULL: everything). False, after complaints, if the input is
 * wrong. All lives in the session's arena. */
bool session_read_trace(struct session *session, const char *cpid, struct trace_input *input);

/* Into the store of --store, and to the server of --server. False, after complaints, if that
 * fails. */
bool session_keep_trace(struct session *session, const struct change_graph *graph);

/* A CPID of the graph, in full or by its first digits; false, after a complaint,
 * if there is none or more than one. */
bool session_find_cpid(struct session *session, const struct change_graph *graph, const char *text,
                       struct fathom_trace_id *cpid);

#endif
