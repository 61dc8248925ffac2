/* SPDX-License-Identifier: Apache-2.0 */
/* The table of commands, made from commands.def. */
#ifndef FATHOM_CLI_COMMAND_H
#define FATHOM_CLI_COMMAND_H

#include "base/error.h"
#include "report/formats.h"

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
    enum result_kind result; /* RESULT_NONE: no -o */
    const char *summary;
    const char *description;
};

/* By `enum command_index`. */
extern const struct command command_table[COMMAND_COUNT];

/* A table whose first row is not a command; tests bring their own. */
struct command_rows {
    const struct command *items;
    uint32_t count;
};

/* What the first words of a command line mean. */
struct command_choice {
    enum command_index command; /* COMMAND_NONE: none of that name */
    uint32_t words;             /* of its name: 1, or 2 as in `trace serve` */
    const char *group;          /* only the first word of several commands was given */
};

/* The command with the longest name that these words start with. A problem, if
 * there are words that no command is called by. */
struct command_choice command_find(struct command_rows rows, const char *const *words,
                                   uint32_t count, struct problems *problems);
struct command_choice command_of(const char *const *words, uint32_t count,
                                 struct problems *problems);

/* The second word of a command's name if `group` is the first one, else NULL. */
const char *command_in_group(const struct command *command, const char *group);

#endif
