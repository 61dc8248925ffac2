/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/command.h"

#include "base/suggest.h"

#include <string.h>

const struct command command_table[COMMAND_COUNT] = {
#define COMMAND(constant, function, name, operands, operands_most, formats, summary, description) \
    [COMMAND_##constant] = {name, operands, operands_most, formats, summary, description, function},
#include "cli/commands.def"
#undef COMMAND
};

enum command_index command_find(const char *name, struct problems *problems)
{
    const struct place command_line = {0};
    struct suggestion suggestion = {.word = name};
    for (int i = COMMAND_NONE + 1; i < COMMAND_COUNT; i++) {
        if (strcmp(command_table[i].name, name) == 0)
            return (enum command_index)i;
        suggestion_offer(&suggestion, command_table[i].name);
    }
    if (suggestion.nearest)
        problem_error(problems, command_line, NULL, "unknown command \"%s\"; did you mean \"%s\"?",
                      name, suggestion.nearest);
    else
        problem_error(problems, command_line, NULL, "unknown command \"%s\"", name);
    return COMMAND_NONE;
}
