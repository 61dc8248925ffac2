/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Comparing what a client sends with a secret. It takes the same time wherever the first difference
 * is, so that nobody can guess a token piece by piece.
 */
#ifndef FATHOM_BASE_SECRET_H
#define FATHOM_BASE_SECRET_H

#include <stdbool.h>
#include <stddef.h>
#include <string.h>

static inline bool secret_is_same(const char *given, const char *secret)
{
    const size_t given_length = strlen(given);
    const size_t length = strlen(secret);
    volatile unsigned char difference = given_length != length;
    for (size_t i = 0; i < length; i++)
        difference |= (unsigned char)((i < given_length ? given[i] : 0) ^ secret[i]);
    return difference == 0;
}

#endif
