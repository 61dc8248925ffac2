/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What is wrong with the user's input, and where.
 *
 * Functions that read input take a `struct problems *` last. They add one
 * problem for each thing that is wrong, go on as far as makes sense (people
 * want all mistakes at once, not one a run), and return false or NULL if
 * anything of theirs was wrong. A successful call adds nothing, so calls chain.
 * The library never prints: `cli/` writes the list, one line each, as
 *
 *     deploy.yaml:14:9: spec.replicas: expected a number, found "three"
 *
 * Limits that are reached (time, memory, states) are verdicts, not problems.
 * A broken invariant is `bug()`: our mistake, exit code 70.
 */
#ifndef FATHOM_BASE_ERROR_H
#define FATHOM_BASE_ERROR_H

#include "base/arena.h"

#include <stdbool.h>

/* A place in the user's files. Line and column count from 1; line 0 means the
 * file as a whole; file NULL means nowhere in particular (the command line). */
struct place {
    const char *file;
    uint32_t line;
    uint32_t column;
};

enum problem_kind { PROBLEM_ERROR, PROBLEM_WARNING };

struct problem {
    enum problem_kind kind;
    bool is_remark; /* a warning of what changes no verdict: no error with --strict either */
    struct place place;
    const char *path;    /* "spec.replicas"; NULL when there is none */
    const char *message; /* a finished sentence without a full stop */
};

struct problems {
    struct arena *arena; /* holds the list and its texts */
    struct problem *items;
    uint32_t count;
    uint32_t capacity;
    uint32_t errors;
    uint32_t errors_most; /* further errors are counted, not kept; 0: keep all */
};

void problems_init(struct problems *problems, struct arena *arena);

__attribute__((format(printf, 4, 5))) void problem_error(struct problems *problems,
                                                         struct place place, const char *path,
                                                         const char *format, ...);
__attribute__((format(printf, 4, 5))) void problem_warning(struct problems *problems,
                                                           struct place place, const char *path,
                                                           const char *format, ...);
/* A warning of what makes no difference, such as a file that is none of ours. */
__attribute__((format(printf, 4, 5))) void problem_remark(struct problems *problems,
                                                          struct place place, const char *path,
                                                          const char *format, ...);

/* In the order in which people read: by file, as the files were first mentioned,
 * then by line and column. What stands at one place keeps its order. */
void problems_sort(struct problems *problems);

/* Warnings that say the same of several places become one, at the first of them, which says how
 * many there are. */
void problems_fold(struct problems *problems);

/* "file:line:column: path: message", without what is not known. */
char *problem_format(struct arena *arena, const struct problem *problem);

/* Ends the process with code 70 and a request to report what happened. */
_Noreturn __attribute__((format(printf, 1, 2))) void bug(const char *format, ...);

#endif
