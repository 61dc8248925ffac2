/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/help.h"

#include "cli/command_examples.h"
#include "decide/decider.h"
#include "report/topics.h"

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

/* The longest name of all commands, or of those with this first word. */
static int names_width(const char *group)
{
    int width = 0;
    for (int i = COMMAND_NONE + 1; i < COMMAND_COUNT; i++)
        if ((!group || command_in_group(&command_table[i], group)) &&
            (int)strlen(command_table[i].name) > width)
            width = (int)strlen(command_table[i].name);
    return width;
}

/* Those whose names have this first word. */
static void print_commands(FILE *stream, const char *group)
{
    fprintf(stream, "\nCommands:\n");
    for (int i = COMMAND_NONE + 1; i < COMMAND_COUNT; i++)
        if (command_in_group(&command_table[i], group))
            print_entry(stream, command_table[i].name, names_width(group),
                        command_table[i].summary);
}

static void print_all_commands(struct arena *arena, FILE *stream)
{
    const struct command_group_rows rows = command_groups(arena);
    for (uint32_t i = 0; i < rows.count; i++) {
        const struct command *command = &command_table[rows.items[i].command];
        if (rows.items[i].heading)
            fprintf(stream, "\n%s:\n", rows.items[i].heading);
        else
            print_entry(stream, command->name, names_width(NULL), command->summary);
    }
}

static void print_examples(const struct session *session, enum command_index command, FILE *stream)
{
    const char *heading = "\nExamples:\n";
    for (const struct command_example *example = command_examples; example->line; example++) {
        if (example->command != command)
            continue;
        fprintf(stream, "%s  # %s\n  %s %s\n", heading, example->what, session->program,
                example->line);
        heading = "";
    }
}

void help_overview(struct session *session, FILE *stream)
{
    fprintf(stream,
            "Fathom foresees what a Kubernetes cluster's controllers will do, before they do it.\n"
            "\nUsage: %s COMMAND [options]\n",
            session->program);
    print_all_commands(&session->arena, stream);
    print_examples(session, COMMAND_NONE, stream);
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
    print_examples(session, command, stream);
    print_options(&session->arena, command, stream);
}

static void print_topics(struct session *session, enum topic_class class, FILE *stream)
{
    struct topic topic;
    int width = 0;
    for (uint32_t i = 0; topic_get(class, i, &topic); i++)
        if ((int)strlen(topic.name) > width)
            width = (int)strlen(topic.name);
    for (uint32_t i = 0; topic_get(class, i, &topic); i++)
        print_entry(stream, topic.name, width, topic_summary(&session->arena, &topic));
    fprintf(stream, "\nRun \"%s help NAME\" for all about one.\n", session->program);
}

bool help_topic(struct session *session, const char *name, FILE *stream)
{
    struct topic topic;
    struct text text;
    if (strcmp(name, "intents") == 0 || strcmp(name, "events") == 0) {
        print_topics(session, *name == 'i' ? TOPIC_INTENT : TOPIC_EVENT, stream);
        return true;
    }
    if (!topic_find(name, &topic))
        return false;
    text_init(&text, &session->memory);
    topic_write_text(&session->arena, &topic, &text);
    fwrite(text_content(&text), 1, text.length, stream);
    text_release(&text);
    return true;
}
