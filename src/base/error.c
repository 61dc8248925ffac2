/* SPDX-License-Identifier: Apache-2.0 */
#include "base/error.h"

#include "base/blame.h"
#include "base/map.h"
#include "base/vec.h"

#include <stdatomic.h>
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

void problem_remark(struct problems *problems, struct place place, const char *path,
                    const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    add(problems, PROBLEM_WARNING, place, path, format, arguments);
    va_end(arguments);
    problems->items[problems->count - 1].is_remark = true;
}

void problems_fold(struct problems *problems)
{
    struct map firsts; /* text -> place among those that are kept, plus 1 */
    uint32_t *more = ARENA_ARRAY(problems->arena, uint32_t, problems->count + 1);
    uint32_t kept = 0;
    map_init(&firsts, problems->arena);
    for (uint32_t i = 0; i < problems->count; i++) {
        const struct problem *problem = &problems->items[i];
        if (problem->kind == PROBLEM_WARNING) {
            struct map_entry *first = map_put(
                &firsts, arena_printf(problems->arena, "%s: %s", problem->path ? problem->path : "",
                                      problem->message));
            if (first->value) {
                more[(uintptr_t)first->value - 1]++;
                continue;
            }
            first->value = (void *)(uintptr_t)(kept + 1);
        }
        problems->items[kept++] = *problem;
    }
    problems->count = kept;
    for (uint32_t i = 0; i < kept; i++)
        if (more[i] > 0)
            problems->items[i].message = arena_printf(problems->arena, "%s (and %u more)",
                                                      problems->items[i].message, more[i]);
}

struct ranked_problem {
    uintptr_t file_rank;
    uint32_t index;
    struct problem problem;
};

static int compare_ranked(const void *left, const void *right)
{
    const struct ranked_problem *a = left;
    const struct ranked_problem *b = right;
    if (a->file_rank != b->file_rank)
        return a->file_rank < b->file_rank ? -1 : 1;
    if (a->problem.place.line != b->problem.place.line)
        return a->problem.place.line < b->problem.place.line ? -1 : 1;
    if (a->problem.place.column != b->problem.place.column)
        return a->problem.place.column < b->problem.place.column ? -1 : 1;
    return a->index < b->index ? -1 : 1;
}

void problems_sort(struct problems *problems)
{
    struct map ranks;
    map_init(&ranks, problems->arena);
    struct ranked_problem *ranked =
        ARENA_ARRAY(problems->arena, struct ranked_problem, problems->count);
    for (uint32_t i = 0; i < problems->count; i++) {
        const char *file = problems->items[i].place.file;
        struct map_entry *entry = map_put(&ranks, file ? file : "");
        if (!entry->value)
            entry->value = (void *)(uintptr_t)ranks.count;
        ranked[i] = (struct ranked_problem){(uintptr_t)entry->value, i, problems->items[i]};
    }
    if (problems->count > 1)
        qsort(ranked, problems->count, sizeof(*ranked), compare_ranked);
    for (uint32_t i = 0; i < problems->count; i++)
        problems->items[i] = ranked[i].problem;
}

char *problem_format(struct arena *arena, const struct problem *problem)
{
    const char *where = "";
    if (problem->place.file && problem->place.line)
        where = arena_printf(arena, "%s:%u:%u: ", problem->place.file, problem->place.line,
                             problem->place.column);
    else if (problem->place.file)
        where = arena_printf(arena, "%s: ", *problem->place.file ? problem->place.file : "\"\"");
    return arena_printf(
        arena, "%s%s%s%s%s", where, problem->kind == PROBLEM_WARNING ? "warning: " : "",
        problem->path ? problem->path : "", problem->path ? ": " : "", problem->message);
}

/* Read by whichever thread finds the mistake. */
static _Atomic(const char *) blamed;

void bug_blame(const char *input)
{
    atomic_store(&blamed, input);
}

void bug(const char *format, ...)
{
    va_list arguments;
    const char *input = atomic_load(&blamed);
    if (input) {
        fprintf(stderr, "fathom: %s: is damaged\n", input);
        fflush(NULL);
        _Exit(2);
    }
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
