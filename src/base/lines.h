/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The lines of a file, one at a time: plain or gzip, "-" for standard input.
 *
 * Only the present line is in memory, so that logs of any size can be read.
 *
 *     struct lines lines;
 *     if (lines_open(&lines, memory, path, problems))
 *         while (lines_next(&lines, problems))
 *             use(lines.text.content, lines.text.length, lines.number);
 *     lines_close(&lines);
 */
#ifndef FATHOM_BASE_LINES_H
#define FATHOM_BASE_LINES_H

#include "base/error.h"
#include "base/text.h"

struct lines {
    const char *path; /* as messages name it */
    void *file;       /* gzFile; NULL: could not be opened */
    uint32_t number;  /* of the present line, from 1 */
    struct text text; /* the present line without its end */
    char *buffer;     /* what was read and not yet given */
    size_t next;
    size_t count;
    bool ended;
};

/* False, with a problem, if it cannot be opened; lines_close is right even then. */
bool lines_open(struct lines *lines, struct memory *memory, const char *path,
                struct problems *problems);
/* False at the end, and (with a problem) if the file cannot be read on. */
bool lines_next(struct lines *lines, struct problems *problems);
void lines_close(struct lines *lines);

#endif
