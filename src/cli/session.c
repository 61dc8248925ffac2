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

int session_refuse(const struct session *session, const struct problems *problems)
{
    session_complain(session, problems);
    session_point_at_help(session);
    return EXIT_INPUT;
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

bool session_needs(const struct session *session, enum result_kind result, unsigned needs)
{
    const struct output_list *outputs = &session->options.output;
    if (!outputs->count)
        return format_default(result)->needs & needs;
    for (uint32_t i = 0; i < outputs->count; i++) {
        const struct format *format = format_find(result, outputs->items[i].format);
        if (format && format->needs & needs)
            return true;
    }
    return false;
}

/* All formats are made before any of them is written. */
static bool make_texts(struct session *session, enum result_kind kind, const void *result,
                       const struct output_list *outputs, struct text *texts)
{
    struct problems problems;
    const struct writer_context how = {&session->arena, session->options.verbose, &problems};
    problems_init(&problems, &session->arena);
    for (uint32_t i = 0; i < outputs->count && !problems.errors; i++)
        format_find(kind, outputs->items[i].format)->write(&how, result, &texts[i]);
    session_complain(session, &problems);
    return problems.errors == 0;
}

static bool write_texts(struct session *session, const struct output_list *outputs,
                        const struct text *texts)
{
    bool written = true;
    for (uint32_t i = 0; i < outputs->count; i++)
        if (outputs->items[i].file)
            written = write_file(session, outputs->items[i].file, &texts[i]) && written;
        else
            fwrite(text_content(&texts[i]), 1, texts[i].length, stdout); /* main looks at it */
    fflush(stdout); /* the talk that follows comes after it, also where both go to one file */
    return written;
}

int session_report(struct session *session, enum result_kind kind, const void *result,
                   enum verdict verdict)
{
    struct output usual = {format_default(kind)->name, NULL};
    struct output_list outputs = session->options.output;
    if (!outputs.count)
        outputs = (struct output_list){&usual, 1, 1};
    struct text *texts = ARENA_ARRAY(&session->arena, struct text, outputs.count);
    for (uint32_t i = 0; i < outputs.count; i++)
        text_init(&texts[i], &session->memory);
    const bool written =
        make_texts(session, kind, result, &outputs, texts) && write_texts(session, &outputs, texts);
    for (uint32_t i = 0; i < outputs.count; i++)
        text_release(&texts[i]);
    return written ? session_exit_code(verdict) : EXIT_INPUT;
}

int session_exit_code(enum verdict verdict)
{
    switch (verdict) {
    case VERDICT_HOLDS: return EXIT_HOLDS;
    case VERDICT_VIOLATED: return EXIT_VIOLATED;
    default: return EXIT_UNDECIDED;
    }
}
