/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A child process with which lines are exchanged: an external controller, or a
 * compiler that is listened to.
 *
 * It runs in a process group of its own, so that Ctrl-C at the terminal is for Fathom
 * alone to handle; it is ended, with all that it started itself, when it is released.
 * What it says on standard error is collected; the last of it is kept for messages.
 */
#ifndef FATHOM_RECONCILE_FRONT_CHILD_H
#define FATHOM_RECONCILE_FRONT_CHILD_H

#include "base/arena.h"
#include "base/text.h"

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

enum { CHILD_LINE_BYTES_MOST = 64 << 20 };

enum child_outcome {
    CHILD_FINE,
    CHILD_ENDED,    /* it closed its standard output, or died */
    CHILD_HANGS,    /* nothing until the deadline */
    CHILD_TOO_LONG, /* more than CHILD_LINE_BYTES_MOST without an end of line */
};

struct child {
    pid_t pid; /* 0: there is none */
    int input; /* to its standard input; -1: closed */
    int output;
    int errors;
    struct text received; /* of its standard output, not yet asked for */
    struct text said;     /* the last of its standard error */
};

/* `argv` is ended by NULL; a program without '/' is looked for in PATH; `folder` is
 * where it runs (NULL: here). False with errno if it cannot be started. */
bool child_start(struct child *child, struct memory *memory, char *const *argv, const char *folder);
void child_release(struct child *child);

/* Sends bytes, then waits for one line and puts it, without its end, into `line`.
 * A child that does not read what it is sent hangs. */
enum child_outcome child_ask(struct child *child, const char *bytes, size_t count,
                             struct text *line, int64_t timeout_ns);
/* Whether it wrote something beyond what it was asked. */
bool child_has_more(struct child *child);

/* Closes its input and collects all it says until it ends. */
enum child_outcome child_finish(struct child *child, int64_t timeout_ns);

/* How it ended, for messages: "exit code 1", "killed by signal 11 (Segmentation
 * fault)"; waits for its end, which the caller knows to be near, and kills it if it does
 * not come. `*exit_code` is -1 unless it ended by itself. */
const char *child_end(struct child *child, struct arena *arena, int *exit_code);

#endif
