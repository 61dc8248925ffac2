/* SPDX-License-Identifier: Apache-2.0 */
/* The program but for its beginning and end, which fathom-mpi has others of. */
#ifndef FATHOM_CLI_PROGRAM_H
#define FATHOM_CLI_PROGRAM_H

#include "cli/session.h"

/* Reads the command line (without the name of the program), runs a command, gives its exit code. */
int program_main(struct session *session, const char *const *arguments);
/* A full disk must not look like a finished answer: gives the exit code that is right then. */
int program_finish_output(struct session *session, int code);

#endif
