/* SPDX-License-Identifier: Apache-2.0 */
/*
 * "Did you mean ...?": the known word that is nearest to a misspelt one.
 *
 * Nearness counts letters that are added, left out, replaced or swapped with
 * their neighbour; case does not count. Only a word that is near enough to be
 * a slip (one edit for every three letters, at least one) is suggested, since a
 * wild guess is worse than none.
 */
#ifndef FATHOM_BASE_SUGGEST_H
#define FATHOM_BASE_SUGGEST_H

#include <stddef.h>

/* `nearest` starts out NULL; offer every known word once, then look at it. */
struct suggestion {
    const char *word;
    const char *nearest;
    size_t edits;
};

/* The first of equally near words stays. */
void suggestion_offer(struct suggestion *suggestion, const char *known);

/* Edits that lead from one word to the other; SIZE_MAX for words over 64 bytes. */
size_t suggest_distance(const char *from, const char *to);

#endif
