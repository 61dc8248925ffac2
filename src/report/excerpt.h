/* SPDX-License-Identifier: Apache-2.0 */
/* The lines of a manifest around a place, and which of them belong to the field there. */
#ifndef FATHOM_REPORT_EXCERPT_H
#define FATHOM_REPORT_EXCERPT_H

#include "base/arena.h"
#include "base/error.h"

enum { EXCERPT_LINES_MOST = 16 };

struct excerpt {
    uint32_t first; /* the number of the first line */
    uint32_t count; /* 0: the file cannot be read any more, or has lines that nobody wants to see */
    const char *lines[EXCERPT_LINES_MOST];
    bool marked[EXCERPT_LINES_MOST]; /* true for the field's own line and what is indented below */
};

struct excerpt report_excerpt(struct arena *arena, struct place place);

#endif
