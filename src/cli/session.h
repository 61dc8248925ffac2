/* SPDX-License-Identifier: Apache-2.0 */
/*
 * One run of the program: what the user asked for, and the memory it lives in.
 *
 * Everything that a command needs hangs here, so that commands have no state of
 * their own. Standard output carries the answer only; complaints and talk go to
 * standard error.
 */
#ifndef FATHOM_CLI_SESSION_H
#define FATHOM_CLI_SESSION_H

#include "base/error.h"
#include "base/spill.h"
#include "base/text.h"
#include "cli/options.h"
#include "explore/explore.h"

/* What scripts rely on; also in README.md and the manual page. */
enum exit_code {
    EXIT_HOLDS = 0,     /* every intent holds; the question is answered */
    EXIT_VIOLATED = 1,  /* an intent is violated */
    EXIT_INPUT = 2,     /* bad input or usage */
    EXIT_UNDECIDED = 3, /* a limit was reached first */
    EXIT_BUG = 70,      /* a mistake of ours */
};

struct config_file;
struct dispatch_request;
struct joined_shards;
struct session_ranks;

struct session {
    struct memory memory;
    struct spill spill; /* of the memory, if --spill is given */
    struct arena arena;
    const char *program; /* "fathom", or "kubectl fathom" when run as a plugin */
    struct options options;
    struct command_line line;
    const struct config_file *config;   /* `.fathom.yaml`, or what is usual; NULL: not read */
    const struct joined_shards *joined; /* what shards found out; NULL: nothing is joined */
    const struct dispatch_request
        *dispatch;                     /* what `fathom dispatch` asks for; NULL: it does not */
    const struct session_ranks *ranks; /* this is fathom-mpi; NULL: it is not */
    bool silent;                       /* another rank says it */
};

/* The commands, by commands.def. Each gives its exit code. */
#define COMMAND(constant, function, ...) int function(struct session *session);
#include "cli/commands.def"
#undef COMMAND

/* Every problem as one line on standard error; no warnings with --quiet. */
void session_complain(const struct session *session, const struct problems *problems);

/* One line on standard error, "fathom: " before it. */
__attribute__((format(printf, 2, 3))) void session_say(const struct session *session,
                                                       const char *format, ...);

/* "Run ... for its options", after a wrong command line. */
void session_point_at_help(const struct session *session);

/* The command line is wrong: complains, points at the help, and gives EXIT_INPUT. */
int session_refuse(const struct session *session, const struct problems *problems);

/* Does a format that -o asks for need this to be found out (enum format_needs)? */
bool session_needs(const struct session *session, enum result_kind result, unsigned needs);

/* Writes the result in every format that -o asks for, and gives the exit code: that of the
 * verdict, or EXIT_INPUT, after complaints, if it could not be written. Nothing is written if
 * one of the formats cannot be made. */
int session_report(struct session *session, enum result_kind kind, const void *result,
                   enum verdict verdict);

/* The exit code of a verdict. */
int session_exit_code(enum verdict verdict);

#endif
