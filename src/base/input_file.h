/* SPDX-License-Identifier: Apache-2.0 */
/* Files that users name: some of them are pipes, devices, or have no end. */
#ifndef FATHOM_BASE_INPUT_FILE_H
#define FATHOM_BASE_INPUT_FILE_H

#include <stdio.h>

/* Opens a file for reading; -1, with errno, if that is not possible. A pipe that no program writes
 * to is given up after some seconds (ETIMEDOUT). */
int input_open(const char *path);
/* The same as a stream; NULL if that is not possible. */
FILE *input_open_stream(const char *path);
/* Why not, from errno. */
const char *input_why(int error);

/* Opens a file that was read before, to look at it again; NULL if it cannot be: a pipe gives what
 * it gave only once, and to open it again would wait for ever. */
FILE *input_reopen(const char *path);

#endif
