/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/session.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

bool colours_wanted(bool declined, const char *no_color, const char *terminal)
{
    if (declined || (no_color && *no_color))
        return false;
    return terminal && *terminal && strcmp(terminal, "dumb") != 0;
}

/* Escape sequences, or empty texts where colours are not wanted. */
struct paint {
    const char *error;
    const char *warning;
    const char *plain;
};

/* For what goes to standard error. */
static struct paint paint_errors(const struct session *session)
{
    static const struct paint coloured = {"\033[1;31m", "\033[1;33m", "\033[0m"};
    static const struct paint uncoloured = {"", "", ""};
    const bool wanted =
        colours_wanted(session->options.no_color, getenv("NO_COLOR"), getenv("TERM"));
    return wanted && isatty(STDERR_FILENO) ? coloured : uncoloured;
}

void session_say(const struct session *session, const char *format, ...)
{
    (void)session;
    va_list arguments;
    fputs("fathom: ", stderr);
    va_start(arguments, format);
    vfprintf(stderr, format, arguments);
    va_end(arguments);
    fputc('\n', stderr);
}

/* A problem with a place starts with it, so that editors find it; one of the
 * command line starts with the program's name. */
void session_complain(const struct session *session, const struct problems *problems)
{
    const struct paint paint = paint_errors(session);
    uint32_t errors = 0;
    for (uint32_t i = 0; i < problems->count; i++) {
        const struct problem *problem = &problems->items[i];
        errors += problem->kind == PROBLEM_ERROR;
        if (problem->kind == PROBLEM_WARNING && session->options.quiet)
            continue;
        fprintf(stderr, "%s%s%s%s\n", problem->place.file ? "" : "fathom: ",
                problem->kind == PROBLEM_ERROR ? paint.error : paint.warning,
                problem_format(problems->arena, problem), paint.plain);
    }
    if (errors < problems->errors)
        session_say(session, "and %u more", problems->errors - errors);
}

void session_point_at_help(const struct session *session)
{
    const enum command_index command = session->line.command;
    fprintf(stderr, "Run \"%s help%s%s\" for %s.\n", session->program,
            command == COMMAND_NONE ? "" : " ",
            command == COMMAND_NONE ? "" : command_table[command].name,
            command == COMMAND_NONE ? "the commands" : "its options");
}

static bool write_file(const struct session *session, const char *path, const struct text *text)
{
    FILE *file = fopen(path, "w");
    bool written = file && fwrite(text_content(text), 1, text->length, file) == text->length;
    if (file && fclose(file) != 0)
        written = false;
    if (!written)
        session_say(session, "%s: cannot be written: %s", path, strerror(errno));
    return written;
}

bool session_wants(const struct session *session, const char *format)
{
    for (uint32_t i = 0; i < session->options.output.count; i++)
        if (strcmp(session->options.output.items[i].format, format) == 0)
            return true;
    return false;
}

bool session_answer(struct session *session, output_render *render, const void *answer)
{
    const char *formats = command_table[session->line.command].formats;
    struct output initial = {arena_strndup(&session->arena, formats, strcspn(formats, "|")), NULL};
    struct output_list outputs = session->options.output;
    if (!outputs.count)
        outputs = (struct output_list){&initial, 1, 1};
    struct text text;
    text_init(&text, &session->memory);
    bool written = true;
    for (uint32_t i = 0; i < outputs.count; i++) {
        text_reset(&text);
        render(session, answer, outputs.items[i].format, &text);
        if (outputs.items[i].file)
            written = write_file(session, outputs.items[i].file, &text) && written;
        else
            fwrite(text_content(&text), 1, text.length, stdout); /* main looks at its state */
    }
    text_release(&text);
    fflush(stdout); /* the talk that follows comes after it, also where both go to one file */
    return written;
}
