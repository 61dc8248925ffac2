/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/command.h"

#include "base/suggest.h"

#include <string.h>

const struct command command_table[COMMAND_COUNT] = {
#define COMMAND(constant, function, name, operands, operands_most, result, summary, description) \
    [COMMAND_##constant] = {name, operands, operands_most, result, summary, description},
#include "cli/commands.def"
#undef COMMAND
};

const char *command_in_group(const struct command *command, const char *group)
{
    const size_t length = strlen(group);
    if (length && strncmp(command->name, group, length) == 0 && command->name[length] == ' ')
        return command->name + length + 1;
    return NULL;
}

static enum command_index find_exactly(struct command_rows rows, const char *first,
                                       const char *second)
{
    for (uint32_t i = 1; i < rows.count; i++) {
        const char *rest = second ? command_in_group(&rows.items[i], first) : NULL;
        if (second ? rest && strcmp(rest, second) == 0 : strcmp(rows.items[i].name, first) == 0)
            return (enum command_index)i;
    }
    return COMMAND_NONE;
}

static bool starts_group(struct command_rows rows, const char *word)
{
    for (uint32_t i = 1; i < rows.count; i++)
        if (command_in_group(&rows.items[i], word))
            return true;
    return false;
}

static void complain(struct command_rows rows, const char *name, struct problems *problems)
{
    const struct place command_line = {0};
    struct suggestion suggestion = {.word = name};
    for (uint32_t i = 1; i < rows.count; i++)
        suggestion_offer(&suggestion, rows.items[i].name);
    if (suggestion.nearest)
        problem_error(problems, command_line, NULL, "unknown command \"%s\"; did you mean \"%s\"?",
                      name, suggestion.nearest);
    else
        problem_error(problems, command_line, NULL, "unknown command \"%s\"", name);
}

struct command_choice command_find(struct command_rows rows, const char *const *words,
                                   uint32_t count, struct problems *problems)
{
    struct command_choice choice = {.command = COMMAND_NONE};
    if (!count)
        return choice;
    for (uint32_t length = count > 1 ? 2 : 1; length; length--) {
        choice.command = find_exactly(rows, words[0], length > 1 ? words[1] : NULL);
        choice.words = length;
        if (choice.command != COMMAND_NONE)
            return choice;
    }
    choice.words = 0;
    const bool group = starts_group(rows, words[0]);
    if (group && count == 1)
        choice.group = words[0];
    else
        complain(rows,
                 group ? arena_printf(problems->arena, "%s %s", words[0], words[1]) : words[0],
                 problems);
    return choice;
}

struct command_choice command_of(const char *const *words, uint32_t count,
                                 struct problems *problems)
{
    return command_find((struct command_rows){command_table, COMMAND_COUNT}, words, count,
                        problems);
}
