/* SPDX-License-Identifier: Apache-2.0 */
/* A span that has not ended yet. Its texts are copies. */
#ifndef FATHOM_TRACING_LIBRARY_SPAN_H
#define FATHOM_TRACING_LIBRARY_SPAN_H

#include "fathom/trace.h"

struct fathom_span {
    struct fathom_tracer *tracer;
    struct fathom_trace_id cpid;
    struct fathom_trace_id span_id;
    struct fathom_trace_id parent_id;
    int64_t start_ns;
    char *name;
    char *object;
    char *version_read;
    char *version_written;
};

#endif
