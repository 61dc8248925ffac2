/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Files that are written as a whole: reports (-o FORMAT=FILE), recordings, Checks made of them.
 *
 * Whether a report can be written is known before the run, not after hours of it. A file is written
 * beside its place and takes its name when all of it is there, so that nobody reads half of it, and
 * an older one is kept until then.
 */
#ifndef FATHOM_BASE_OUTPUT_FILE_H
#define FATHOM_BASE_OUTPUT_FILE_H

#include "base/text.h"

/* Why the file cannot be written; NULL: it can. */
const char *output_file_refused(const char *path);

/* Why it was not written; NULL: it was. */
const char *output_file_write(const char *path, const struct text *text);
/* The same of a file with a secret in it, which nobody but the user may read. */
const char *output_file_write_secret(const char *path, const struct text *text);

#endif
