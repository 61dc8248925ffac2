/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What a verification was made from, so that its input can be found again: the arguments
 * that say what is verified and how, and the files with a hash each. Manifests are not
 * copied: they may be large or confidential.
 */
#ifndef FATHOM_VERIFY_MADE_FROM_H
#define FATHOM_VERIFY_MADE_FROM_H

#include "verify/plan.h"

/* A file that was read, to see later whether it is still the same. */
struct input_file {
    const char *name;
    uint64_t hash;
    bool readable; /* false: standard input */
};

struct made_from {
    struct string_list arguments; /* of the command line: what to verify, and how */
    struct string_list command;   /* the same with limits and what is drawn: to repeat the run */
    uint32_t unit;                /* which of the Checks that these arguments give */
    struct input_file *files;
    uint32_t file_count;
};

struct made_from made_from_plan(struct arena *arena, const struct verify_plan *plan, uint32_t unit,
                                struct string_list arguments);

/* False if the file cannot be read (a second time). */
bool input_file_hash(struct memory *memory, const char *name, uint64_t *hash);

#endif
