/* SPDX-License-Identifier: Apache-2.0 */
/* A question about changes, and the part of them that answers it. */
#ifndef FATHOM_REPORT_TRACE_REPLY_H
#define FATHOM_REPORT_TRACE_REPLY_H

#include "tracing/import/change_graph.h"

enum trace_question {
    TRACE_RELATED,
    TRACE_ROOTS,
    TRACE_MERGELOGS,
    TRACE_SPANS,
    TRACE_QUESTION_COUNT
};

struct trace_reply {
    enum trace_question question;
    struct change_graph graph; /* the part that was asked for */
};

#endif
