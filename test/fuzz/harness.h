/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What every fuzz harness is made of. A harness is one file TARGET_fuzz.c with
 *
 *     void fuzz_one(struct arena *arena, const char *bytes, size_t count)
 *
 * a line in meson.build, and a few small seeds in corpus/TARGET/. It checks
 * properties with FUZZ_REQUIRE; memory errors and undefined behaviour are
 * found by the sanitizers, leaks by the memory's own count.
 */
#ifndef FATHOM_TEST_FUZZ_HARNESS_H
#define FATHOM_TEST_FUZZ_HARNESS_H

#include "base/arena.h"

#include <stdio.h>
#include <stdlib.h>

void fuzz_one(struct arena *arena, const char *bytes, size_t count);

/* Holds in every build, unlike assert. */
#define FUZZ_REQUIRE(condition)                                                            \
    do {                                                                                   \
        if (!(condition)) {                                                                \
            fprintf(stderr, "%s:%d: does not hold: %s\n", __FILE__, __LINE__, #condition); \
            abort();                                                                       \
        }                                                                                  \
    } while (0)

#endif
