/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/help.h"

#include "decide/decider.h"

#include <string.h>

enum { LINE_WIDTH = 80 };

static void begin_line(FILE *stream, int indent)
{
    fprintf(stream, "\n%*s", indent, "");
}

/* Breaks lines between words. The first line is indented already. */
static void print_wrapped(FILE *stream, const char *prose, int indent)
{
    int column = indent;
    bool line_is_empty = true;
    for (; *prose; prose += strspn(prose, " ")) {
        if (*prose == '\n') {
            prose++;
            begin_line(stream, indent);
            column = indent;
            line_is_empty = true;
            continue;
        }
        const int length = (int)strcspn(prose, " \n");
        if (!line_is_empty && column + 1 + length > LINE_WIDTH) {
            begin_line(stream, indent);
            column = indent;
            line_is_empty = true;
        }
        column += fprintf(stream, "%s%.*s", line_is_empty ? "" : " ", length, prose);
        line_is_empty = false;
        prose += length;
    }
    fputc('\n', stream);
}

/* A term and what it means, in two columns. */
static void print_entry(FILE *stream, const char *term, int width, const char *meaning)
{
    fprintf(stream, "  %-*s  ", width, term);
    print_wrapped(stream, meaning, width + 4);
}

/* All commands, or (`group`) those whose names have this first word. */
static void print_commands(FILE *stream, const char *group)
{
    int width = 0;
    for (int i = COMMAND_NONE + 1; i < COMMAND_COUNT; i++)
        if ((!group || command_in_group(&command_table[i], group)) &&
            (int)strlen(command_table[i].name) > width)
            width = (int)strlen(command_table[i].name);
    fprintf(stream, "\nCommands:\n");
    for (int i = COMMAND_NONE + 1; i < COMMAND_COUNT; i++)
        if (!group || command_in_group(&command_table[i], group))
            print_entry(stream, command_table[i].name, width, command_table[i].summary);
}

void help_overview(const struct session *session, FILE *stream)
{
    fprintf(stream,
            "Fathom foresees what a Kubernetes cluster's controllers will do, before they do it.\n"
            "\nUsage: %s COMMAND [options]\n",
            session->program);
    print_commands(stream, NULL);
    fprintf(stream, "\nRun \"%s help COMMAND\" for its options.\n", session->program);
}

void help_group(const struct session *session, const char *group, FILE *stream)
{
    fprintf(stream, "Usage: %s %s COMMAND [options]\n", session->program, group);
    print_commands(stream, group);
    fprintf(stream, "\nRun \"%s help %s COMMAND\" for its options.\n", session->program, group);
}

/* "-f, --filename FILE": the letter's place stays empty when there is none. */
static const char *option_term(struct arena *arena, const struct option *option)
{
    const char *letter = option->letter ? arena_printf(arena, "-%c, ", option->letter) : "    ";
    return arena_printf(arena, "%s--%s%s%s", letter, option->name, option->value ? " " : "",
                        option->value ? option->value : "");
}

static const char *option_meaning(struct arena *arena, const struct option *option,
                                  enum command_index command)
{
    if (option->kind == OPTION_OUTPUT)
        return arena_printf(arena, "%s: %s", format_names(arena, command_table[command].result),
                            option->help);
    if (option->initial)
        return arena_printf(arena, "%s (default %s)", option->help, option->initial);
    return option->help;
}

static void print_options(struct arena *arena, enum command_index command, FILE *stream)
{
    int width = 0;
    for (size_t i = 0; i < OPTION_COUNT; i++) {
        const int length = (int)strlen(option_term(arena, &option_table[i]));
        if (option_table[i].commands >> command & 1 && length > width)
            width = length;
    }
    fprintf(stream, "\nOptions:\n");
    for (size_t i = 0; i < OPTION_COUNT; i++)
        if (option_table[i].commands >> command & 1)
            print_entry(stream, option_term(arena, &option_table[i]), width,
                        option_meaning(arena, &option_table[i], command));
}

static void print_controllers(FILE *stream)
{
    int width = 0;
    for (const struct decider *const *decider = decider_registry; *decider; decider++)
        if ((int)strlen((*decider)->name) > width)
            width = (int)strlen((*decider)->name);
    fprintf(stream, "\nControllers:\n");
    for (const struct decider *const *decider = decider_registry; *decider; decider++)
        print_entry(stream, (*decider)->name, width, (*decider)->summary);
    if (!decider_registry[0])
        fprintf(stream, "  (none in this version)\n");
}

void help_command(struct session *session, enum command_index command, FILE *stream)
{
    const struct command *row = &command_table[command];
    fprintf(stream, "Usage: %s %s%s%s [options]\n\n", session->program, row->name,
            *row->operands ? " " : "", row->operands);
    print_wrapped(stream, row->description, 0);
    if (command == COMMAND_DECIDE)
        print_controllers(stream);
    bool group = false;
    for (int i = COMMAND_NONE + 1; i < COMMAND_COUNT; i++)
        group |= command_in_group(&command_table[i], row->name) != NULL;
    if (group)
        print_commands(stream, row->name);
    print_options(&session->arena, command, stream);
}
