/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Libraries that are loaded when they are first needed. A library that brings a
 * TLS library with it takes longer to load than many commands take in all, so the
 * few commands that need one look its functions up themselves:
 *
 *     #define FUNCTIONS(each) each(easy_init) each(easy_perform)
 *     #define MEMBER(name)    __typeof__(curl_##name) *name;
 *     #define ROW(name)       {"curl_" #name, offsetof(struct curl, name)},
 *     struct curl { FUNCTIONS(MEMBER) };
 */
#ifndef FATHOM_BASE_LATE_LIBRARY_H
#define FATHOM_BASE_LATE_LIBRARY_H

#include <stdbool.h>
#include <stddef.h>

struct late_function {
    const char *name;
    size_t offset; /* of its pointer in the table */
};

/* A shared object. NULL, and `*why` a sentence that is valid until the next call, if it cannot be
 * loaded. */
void *late_library_open(const char *file, const char **why);

/* Fills `table`. False, and `*why` a constant sentence, if the library is not there
 * or lacks a function. It stays loaded. */
bool late_library_load(const char *file, const struct late_function *functions, size_t count,
                       void *table, const char **why);

#endif
