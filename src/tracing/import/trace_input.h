/* SPDX-License-Identifier: Apache-2.0 */
/* The change graph that the commands of `fathom trace` look at, and what it was made from. */
#ifndef FATHOM_TRACING_IMPORT_TRACE_INPUT_H
#define FATHOM_TRACING_IMPORT_TRACE_INPUT_H

#include "base/error.h"
#include "tracing/import/change_graph.h"
#include "tracing/import/notes.h"

struct trace_input {
    struct change_graph graph;
    struct note_collection notes; /* what the graph was made from; no notes: from records */
};

enum trace_contents {
    TRACE_CONTENTS_OTHER,   /* records of a cluster, or a folder */
    TRACE_CONTENTS_RECORDS, /* mergelogs and spans, as a trace server has them */
    TRACE_CONTENTS_REPORT,  /* of `fathom verify` or `fathom controller` */
};

/* By the first lines of the file. */
enum trace_contents trace_contents_of(struct arena *arena, const char *path);

/* The records of a trace server that are in a file. */
bool trace_read_records(struct arena *arena, const char *path, uint64_t bytes_most,
                        struct change_graph *graph, struct problems *problems);

/* A CPID of the graph, in full or by its first digits; false, with a problem, if there is
 * none or more than one. */
bool trace_find_cpid(const struct change_graph *graph, const char *text,
                     struct fathom_trace_id *cpid, struct problems *problems);

#endif
