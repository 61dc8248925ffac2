/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The change graph that the commands of `fathom trace` look at: made from a
 * cluster's records (-f), or read from the records of a trace server.
 */
#ifndef FATHOM_CLI_TRACE_INPUT_H
#define FATHOM_CLI_TRACE_INPUT_H

#include "cli/session.h"
#include "tracing/import/change_graph.h"
#include "tracing/import/notes.h"

struct trace_input {
    struct change_graph graph;
    struct note_collection notes; /* what the graph was made from; no notes: from records */
};

/* Of -f, --server or --store. Without -f a server may be asked only for what has to
 * do with `cpid` (NULL: everything). False, after complaints, if the input is
 * wrong. All lives in the session's arena. */
bool trace_input_read(struct session *session, const char *cpid, struct trace_input *input);

/* A CPID of the graph, in full or by its first digits; false, after a complaint,
 * if there is none or more than one. */
bool trace_input_find(struct session *session, const struct change_graph *graph, const char *text,
                      struct fathom_trace_id *cpid);

#endif
