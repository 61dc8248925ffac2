/* SPDX-License-Identifier: Apache-2.0 */
/* Records as JSON, on one line, allocated; NULL when memory is exhausted. */
#ifndef FATHOM_TRACING_LIBRARY_RECORD_TEXT_H
#define FATHOM_TRACING_LIBRARY_RECORD_TEXT_H

#include "fathom/trace.h"

char *record_text_of_mergelog(const struct fathom_trace_mergelog *mergelog, size_t *length);
char *record_text_of_span(const struct fathom_trace_span *span, size_t *length);

#endif
