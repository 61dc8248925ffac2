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

#include <stdio.h>

/* The most that is read of one line, and of one file, unpacked. A recording of a day on the largest
 * cluster has less than a tenth; beyond it there is no end (a device), or a packed file that is an
 * attack. */
static const uint64_t LINE_BYTES_MOST = UINT64_C(512) << 20;
static const uint64_t LINES_BYTES_MOST = UINT64_C(2) << 30;

struct lines {
    const char *path; /* as messages name it */
    void *file;       /* gzFile; NULL: could not be opened */
    uint32_t number;  /* of the present line, from 1 */
    struct text text; /* the present line without its end */
    char *buffer;     /* what was read and not yet given */
    size_t next;
    size_t count;
    bool ended;
    uint64_t bytes;      /* given so far, unpacked */
    uint64_t bytes_most; /* LINES_BYTES_MOST, unless the caller sets another */
};

/* False, with a problem, if it cannot be opened; lines_close is right even then. */
bool lines_open(struct lines *lines, struct memory *memory, const char *path,
                struct problems *problems);
/* False at the end, and (with a problem) if the file cannot be read on. */
bool lines_next(struct lines *lines, struct problems *problems);
void lines_close(struct lines *lines);

/* The next line of a stream that is talked to line by line, without its end. False at the end. Of a
 * longer line only so many bytes are read, and `*too_long` is set. */
bool line_read(FILE *stream, size_t bytes_most, struct text *line, bool *too_long);

#endif
