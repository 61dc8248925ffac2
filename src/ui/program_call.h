/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A command of this program, run as a process of its own in a folder: what a page shows is what the
 * command line says, and a run that takes too much can be ended by itself.
 */
#ifndef FATHOM_UI_PROGRAM_CALL_H
#define FATHOM_UI_PROGRAM_CALL_H

#include "base/text.h"

#include <pthread.h>
#include <stdbool.h>
#include <sys/types.h>

/* More of an answer is not read. */
enum { PROGRAM_ANSWER_BYTES_MOST = 32 << 20 };

struct program_call {
    pid_t process;  /* 0: it could not be started, or has been waited for */
    int output;     /* what it answers */
    int complaints; /* what it says besides */
};

/* `arguments` ends with NULL. False: it could not be started. */
bool program_call_start(struct program_call *call, const char *program, const char *folder,
                        const char *const *arguments);
/* Waits for its end, and gives the exit code; 128 and more: a signal ended it. */
int program_call_wait(struct program_call *call);

/* Reads all that it says, and waits. Both texts are initialised. */
int program_call_run(const char *program, const char *folder, const char *const *arguments,
                     struct text *output, struct text *complaints);

#endif
