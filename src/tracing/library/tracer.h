/* SPDX-License-Identifier: Apache-2.0 */
/* A tracer from inside: where records go. */
#ifndef FATHOM_TRACING_LIBRARY_TRACER_H
#define FATHOM_TRACING_LIBRARY_TRACER_H

#include "fathom/trace.h"

int64_t tracer_now_ns(void); /* since 1970 */

/* The service is the tracer's. */
void tracer_put_span(struct fathom_tracer *tracer, const struct fathom_trace_span *span);

#endif
