/* SPDX-License-Identifier: Apache-2.0 */
/* The table of commands, made from commands.def. */
#ifndef FATHOM_CLI_COMMAND_H
#define FATHOM_CLI_COMMAND_H

#include "base/error.h"

struct session;

enum command_index {
    COMMAND_NONE, /* no command was given: `fathom --help` */
#define COMMAND(constant, ...) COMMAND_##constant,
#include "cli/commands.def"
#undef COMMAND
    COMMAND_COUNT
};

struct command {
    const char *name;
    const char *operands; /* "CONTROLLER"; "" when there are none */
    uint32_t operands_most;
    const char *formats; /* "text|json", the default first; NULL: no -o */
    const char *summary;
    const char *description;
    int (*run)(struct session *session); /* gives the exit code */
};

/* By `enum command_index`. */
extern const struct command command_table[COMMAND_COUNT];

/* COMMAND_NONE, and a problem, when there is none of that name. */
enum command_index command_find(const char *name, struct problems *problems);

#define COMMAND(constant, function, ...) int function(struct session *session);
#include "cli/commands.def"
#undef COMMAND

#endif
