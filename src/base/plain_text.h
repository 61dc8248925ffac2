/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Text for terminals. Names and messages come from manifests and records, which others wrote: what
 * a terminal would obey instead of showing is escaped (\\x1b, \\u202e). That is every control
 * character but the tabulator, and the characters that change the direction of writing.
 */
#ifndef FATHOM_BASE_PLAIN_TEXT_H
#define FATHOM_BASE_PLAIN_TEXT_H

#include "base/text.h"

enum plain_lines {
    PLAIN_LINES,    /* ends of lines stay: the text is a report of many lines */
    PLAIN_ONE_LINE, /* they are escaped, too: the text is one line, or part of one */
};

void plain_append(struct text *text, const char *bytes, size_t count, enum plain_lines lines);

/* What was appended from there on is one line: escapes it, and ends it. */
void plain_end_line(struct text *text, size_t from);

#endif
