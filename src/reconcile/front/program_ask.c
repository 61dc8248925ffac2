/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Questions to a program, and everything that can be wrong with its answers: none,
 * none in time, too long, no JSON, no object, more than one line. Each ends the check
 * with a message that shows what was asked and what was said.
 */
#include "reconcile/front/program.h"

#include <errno.h>
#include <string.h>

enum { SHOWN_BYTES_MOST = 200 };

/* --- Messages ------------------------------------------------------------- */

/* A line on one line, and not too long. */
static const char *shown(struct arena *arena, const char *line)
{
    size_t length = strlen(line);
    char *copy = length > SHOWN_BYTES_MOST ? arena_printf(arena, "%.*s...", SHOWN_BYTES_MOST, line)
                                           : arena_strdup(arena, line);
    for (char *c = copy; *c; c++)
        if ((unsigned char)*c < ' ' || *c == 0x7F)
            *c = '?';
    return copy;
}

/* What it said last on standard error: a stack trace ends with the reason. */
static const char *last_words(struct arena *arena, const struct child *child)
{
    char *said = arena_strdup(arena, text_content(&child->said));
    size_t length = strlen(said);
    while (length > 0 && strchr("\r\n ", said[length - 1]))
        said[--length] = '\0';
    const char *line = strrchr(said, '\n');
    return shown(arena, line ? line + 1 : said);
}

static const char *command_text(struct arena *arena, const struct program *program)
{
    const char *text = program->argv[0];
    for (char **argument = program->argv + 1; *argument; argument++)
        text = arena_printf(arena, "%s %s", text, *argument);
    return shown(arena, text);
}

void program_complain(const struct program *program, const struct program_process *process,
                      struct problems *problems, const char *format, ...)
{
    struct arena *arena = problems->arena;
    va_list arguments;
    va_start(arguments, format);
    const char *message = arena_vprintf(arena, format, arguments);
    va_end(arguments);
    char *question = arena_strdup(arena, text_content(&process->question));
    question[strcspn(question, "\n")] = '\0';
    problem_error(problems, program->place, program->path, "the program %s %s; it was asked %s",
                  command_text(arena, program), message, shown(arena, question));
}

static void complain_of_end(const struct program *program, struct program_process *process,
                            struct problems *problems)
{
    int exit_code;
    const char *how = child_end(&process->child, problems->arena, &exit_code);
    const char *words = last_words(problems->arena, &process->child);
    const char *rest = text_content(&process->child.received);
    if (*rest)
        program_complain(program, process, problems,
                         "ended in the middle of a line (%s), which begins %s", how,
                         shown(problems->arena, rest));
    else
        program_complain(program, process, problems, "ended instead of answering (%s)%s%s", how,
                         *words ? ", saying " : "", words);
}

/* --- Processes ------------------------------------------------------------ */

static void process_free(struct program *program, struct program_process *process)
{
    child_release(&process->child);
    text_release(&process->question);
    text_release(&process->answer);
    memory_release(program->memory, process, sizeof *process);
}

struct program_process *program_process_take(struct program *program, struct problems *problems)
{
    pthread_mutex_lock(&program->mutex);
    struct program_process *process = program->idle;
    if (process)
        program->idle = process->next;
    pthread_mutex_unlock(&program->mutex);
    if (!process) {
        process = memory_allocate(program->memory, sizeof *process);
        text_init(&process->question, program->memory);
        text_init(&process->answer, program->memory);
        if (!child_start(&process->child, program->memory, program->argv, program->folder)) {
            problem_error(problems, program->place, program->path,
                          "the program %s cannot be run: %s",
                          command_text(problems->arena, program), strerror(errno));
            process_free(program, process);
            return NULL;
        }
    }
    text_reset(&process->question);
    return process;
}

void program_process_give(struct program *program, struct program_process *process, bool failed)
{
    if (failed) {
        process_free(program, process);
        return;
    }
    pthread_mutex_lock(&program->mutex);
    process->next = program->idle;
    program->idle = process;
    pthread_mutex_unlock(&program->mutex);
}

void program_release(struct program *program)
{
    while (program->idle) {
        struct program_process *process = program->idle;
        program->idle = process->next;
        process_free(program, process);
    }
    pthread_mutex_destroy(&program->mutex);
}

/* --- Answers ---------------------------------------------------------------- */

/* Whether an object, known to be well-formed JSON, has this key, if only with null,
 * which values do not keep. */
static bool has_key(const char *json, const char *key)
{
    int depth = 0;
    size_t length = strlen(key);
    for (const char *c = json; *c; c++) {
        if (*c == '{' || *c == '[') {
            depth++;
        } else if (*c == '}' || *c == ']') {
            depth--;
        } else if (*c == '"') {
            const char *start = ++c;
            while (*c && *c != '"')
                c += *c == '\\' && c[1] ? 2 : 1;
            if (!*c)
                return false;
            bool is_key = c[1 + strspn(c + 1, " \t\r")] == ':';
            if (depth == 1 && is_key && (size_t)(c - start) == length &&
                strncmp(start, key, length) == 0)
                return true;
        }
    }
    return false;
}

static const struct datum *read_answer(struct arena *arena, const struct text *line,
                                       const char **wrong)
{
    struct problems problems;
    problems_init(&problems, arena);
    const struct datum *answer =
        datum_read(arena, DATUM_TAGGED, (struct place){.line = 1, .column = 1}, text_content(line),
                   line->length, &problems);
    if (problems.count > 0)
        *wrong = arena_printf(arena, "which cannot be read: %s", problems.items[0].message);
    else if (strlen(text_content(line)) != line->length)
        *wrong = "which holds a NUL byte";
    else if (!answer || answer->kind != DATUM_OBJECT)
        *wrong = "which is not a JSON object";
    return *wrong ? NULL : answer;
}

const struct datum *program_ask(struct program *program, struct program_process *process,
                                struct arena *arena, const char *needed, struct problems *problems)
{
    struct child *child = &process->child;
    if (child_has_more(child)) {
        program_complain(program, process, problems, "spoke without being asked, saying %s",
                         shown(problems->arena, text_content(&child->received)));
        return NULL;
    }
    text_append_char(&process->question, '\n');
    switch (child_ask(child, text_content(&process->question), process->question.length,
                      &process->answer, program->timeout_ns)) {
    case CHILD_FINE: break;
    case CHILD_ENDED: complain_of_end(program, process, problems); return NULL;
    case CHILD_HANGS:
        program_complain(
            program, process, problems,
            "gave no answer within %g s (--controller-timeout; does it flush each line?)",
            (double)program->timeout_ns / 1e9);
        return NULL;
    case CHILD_TOO_LONG:
        program_complain(program, process, problems,
                         "gave an answer of more than %d MiB without an end of line",
                         CHILD_LINE_BYTES_MOST >> 20);
        return NULL;
    }
    const char *line = text_content(&process->answer);
    const char *wrong = NULL;
    const struct datum *answer = read_answer(arena, &process->answer, &wrong);
    if (!wrong && !has_key(line, needed))
        wrong = arena_printf(arena, "which has no member \"%s\"", needed);
    if (wrong) {
        program_complain(program, process, problems, "answered %s, %s",
                         *line ? shown(problems->arena, line) : "an empty line", wrong);
        return NULL;
    }
    if (child->received.length > 0) {
        program_complain(program, process, problems,
                         "answered more than one line to one question, the next is %s",
                         shown(problems->arena, text_content(&child->received)));
        return NULL;
    }
    return answer;
}

bool program_probe(const struct program *program, struct arena *arena, const char *question,
                   const char *needed, const struct datum **answer, struct problems *problems)
{
    struct child child;
    struct text line;
    const char *wrong = NULL;
    *answer = NULL;
    if (!child_start(&child, program->memory, program->argv, program->folder))
        return true;
    text_init(&line, program->memory);
    /* A program that ignores unknown questions answers the second line. */
    const char *asked = arena_printf(arena, "%s\n{\"op\":\"init\"}\n", question);
    enum child_outcome outcome =
        child_ask(&child, asked, strlen(asked), &line, program->timeout_ns);
    if (outcome == CHILD_FINE)
        *answer = read_answer(arena, &line, &wrong);
    if (*answer && !has_key(text_content(&line), needed))
        *answer = NULL;
    /* A timeout does not mean that the program does not know the question: the result
     * must not depend on the speed of the machine. */
    if (outcome == CHILD_HANGS)
        problem_error(
            problems, program->place, program->path,
            "the program %s did not answer %s within %g s (--controller-timeout), nor the "
            "question behind it; it need not know it, but then has to end or to go on",
            command_text(problems->arena, program), question, (double)program->timeout_ns / 1e9);
    text_release(&line);
    child_release(&child);
    return outcome != CHILD_HANGS;
}
