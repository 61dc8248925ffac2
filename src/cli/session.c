/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/session.h"

#include "base/output_file.h"
#include "base/plain_text.h"
#include "cli/terminal.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Escape sequences, or empty texts where colours are not wanted. */
struct paint {
    const char *error;
    const char *warning;
    const char *plain;
};

static bool paints(const struct session *session, int descriptor)
{
    return isatty(descriptor) &&
           colours_wanted(session->options.no_color, getenv("NO_COLOR"), getenv("TERM"));
}

/* For what goes to standard error. */
static struct paint paint_errors(const struct session *session)
{
    static const struct paint coloured = {"\033[1;31m", "\033[1;33m", "\033[0m"};
    static const struct paint uncoloured = {"", "", ""};
    return paints(session, STDERR_FILENO) ? coloured : uncoloured;
}

static struct memory *session_memory(const struct session *session)
{
    return session->arena.memory;
}

/* What comes from manifests and records must not reach a terminal as commands. */
static void write_plain(const struct session *session, FILE *file, const char *bytes, size_t count,
                        enum plain_lines lines)
{
    struct text plain;
    text_init(&plain, session_memory(session));
    plain_append(&plain, bytes, count, lines);
    if (!terminal_reads_utf8())
        terminal_make_ascii(&plain);
    fwrite(text_content(&plain), 1, plain.length, file); /* main looks at standard output */
    text_release(&plain);
}

void session_say(const struct session *session, const char *format, ...)
{
    va_list arguments;
    struct text said;
    if (session->silent)
        return;
    text_init(&said, session_memory(session));
    va_start(arguments, format);
    text_vprintf(&said, format, arguments);
    va_end(arguments);
    fputs("fathom: ", stderr);
    write_plain(session, stderr, text_content(&said), said.length, PLAIN_ONE_LINE);
    fputc('\n', stderr);
    text_release(&said);
}

/* A problem with a place starts with it, so that editors find it; one of the
 * command line starts with the program's name. */
void session_complain(const struct session *session, const struct problems *problems)
{
    const struct paint paint = paint_errors(session);
    uint32_t errors = 0;
    if (session->silent)
        return;
    for (uint32_t i = 0; i < problems->count; i++) {
        const struct problem *problem = &problems->items[i];
        errors += problem->kind == PROBLEM_ERROR;
        if (problem->kind == PROBLEM_WARNING && session->options.quiet)
            continue;
        const char *line = problem_format(problems->arena, problem);
        fprintf(stderr, "%s%s", problem->place.file ? "" : "fathom: ",
                problem->kind == PROBLEM_ERROR ? paint.error : paint.warning);
        write_plain(session, stderr, line, strlen(line), PLAIN_ONE_LINE);
        fprintf(stderr, "%s\n", paint.plain);
    }
    if (errors < problems->errors)
        session_say(session, "and %u more", problems->errors - errors);
}

void session_point_at_help(const struct session *session)
{
    const enum command_index command = session->line.command;
    if (session->silent)
        return;
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

/* Formats for programs have escapes of their own. */
static void make_plain(struct text *text)
{
    struct text plain;
    text_init(&plain, text->memory);
    plain_append(&plain, text_content(text), text->length, PLAIN_LINES);
    text_release(text);
    *text = plain;
    if (!terminal_reads_utf8())
        terminal_make_ascii(text);
}

/* All formats are made before any of them is written. */
static bool make_texts(struct session *session, enum result_kind kind, const void *result,
                       const struct output_list *outputs, struct text *texts)
{
    struct problems problems;
    const struct writer_context how = {
        .arena = &session->arena,
        .verbose = session->options.verbose,
        .ascii = !terminal_reads_utf8(),
        .problems = &problems,
    };
    problems_init(&problems, &session->arena);
    for (uint32_t i = 0; i < outputs->count && !problems.errors; i++) {
        format_find(kind, outputs->items[i].format)->write(&how, result, &texts[i]);
        if (strcmp(outputs->items[i].format, "text") == 0)
            make_plain(&texts[i]);
        if (!outputs->items[i].file && strcmp(outputs->items[i].format, "text") == 0 &&
            paints(session, STDOUT_FILENO))
            terminal_paint(&texts[i]);
    }
    session_complain(session, &problems);
    return problems.errors == 0;
}

static bool write_file(const struct session *session, const char *path, const struct text *text)
{
    const char *why = output_file_write(path, text);
    if (why)
        session_say(session, "%s: cannot be written: %s", path, why);
    return !why;
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
