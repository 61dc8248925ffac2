/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Records of a trace server, from and to its store or the server itself. All
 * functions complain and give false when that fails.
 */
#ifndef FATHOM_CLI_TRACE_RECORDS_H
#define FATHOM_CLI_TRACE_RECORDS_H

#include "cli/session.h"
#include "tracing/graph/record.h"
#include "tracing/import/change_graph.h"

bool trace_store_load(struct session *session, const char *path, struct record_batch *batch);
bool trace_store_save(struct session *session, const char *path, const struct change_graph *graph);

/* With a CPID only what is related to it, forward and backward. */
bool trace_server_load(struct session *session, const char *url, const struct fathom_trace_id *cpid,
                       struct record_batch *batch);
bool trace_server_save(struct session *session, const char *url, const struct change_graph *graph);

#endif
