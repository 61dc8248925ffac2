/* SPDX-License-Identifier: Apache-2.0 */
/* How commands are grouped in the overview (command_groups.def), and examples of each
 * (examples.def). */
#ifndef FATHOM_CLI_COMMAND_EXAMPLES_H
#define FATHOM_CLI_COMMAND_EXAMPLES_H

#include "cli/command.h"

struct command_example {
    enum command_index command; /* COMMAND_NONE: of the overview */
    const char *line;           /* without the program's name */
    const char *what;
};

/* The last row has no line. */
extern const struct command_example command_examples[];

/* A heading (command: COMMAND_NONE), then the commands below it. */
struct command_group_row {
    const char *heading;
    enum command_index command;
};

/* Groups, and last what no group has. */
struct command_group_rows {
    struct command_group_row *items;
    uint32_t count;
    uint32_t capacity;
};

struct command_group_rows command_groups(struct arena *arena);

#endif
