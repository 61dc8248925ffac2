/* SPDX-License-Identifier: Apache-2.0 */
#include "base/error.h"

#include "base/vec.h"

#include <stdio.h>
#include <stdlib.h>

void problems_init(struct problems *problems, struct arena *arena)
{
    *problems = (struct problems){.arena = arena};
}

static void add(struct problems *problems, enum problem_kind kind, struct place place,
                const char *path, const char *format, va_list arguments)
{
    if (kind == PROBLEM_ERROR)
        problems->errors++;
    if (problems->errors_most && problems->errors > problems->errors_most)
        return;
    const struct problem problem = {
        .kind = kind,
        .place = place,
        .path = path && *path ? arena_strdup(problems->arena, path) : NULL,
        .message = arena_vprintf(problems->arena, format, arguments),
    };
    VEC_PUSH(problems->arena, problems, problem);
}

void problem_error(struct problems *problems, struct place place, const char *path,
                   const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    add(problems, PROBLEM_ERROR, place, path, format, arguments);
    va_end(arguments);
}

void problem_warning(struct problems *problems, struct place place, const char *path,
                     const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    add(problems, PROBLEM_WARNING, place, path, format, arguments);
    va_end(arguments);
}

char *problem_format(struct arena *arena, const struct problem *problem)
{
    const char *where = "";
    if (problem->place.file && problem->place.line)
        where = arena_printf(arena, "%s:%u:%u: ", problem->place.file, problem->place.line,
                             problem->place.column);
    else if (problem->place.file)
        where = arena_printf(arena, "%s: ", problem->place.file);
    return arena_printf(
        arena, "%s%s%s%s%s", where, problem->kind == PROBLEM_WARNING ? "warning: " : "",
        problem->path ? problem->path : "", problem->path ? ": " : "", problem->message);
}

void bug(const char *format, ...)
{
    va_list arguments;
    fputs("fathom: internal error: ", stderr);
    va_start(arguments, format);
    vfprintf(stderr, format, arguments);
    va_end(arguments);
    fputs("\nfathom: this is a mistake in Fathom, not in your input; please report it with the "
          "input that led here\n",
          stderr);
    fflush(NULL);
    _Exit(70);
}
