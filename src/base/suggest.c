/* SPDX-License-Identifier: Apache-2.0 */
/* The optimal string alignment distance, by the usual table of prefixes. Three
 * rows of it are alive at a time. */
#include "base/suggest.h"

#include <ctype.h>
#include <stdint.h>
#include <string.h>

enum { WORD_BYTES_MOST = 64 };

static size_t least(size_t a, size_t b)
{
    return a < b ? a : b;
}

static int lower_case(char c)
{
    return tolower((unsigned char)c);
}

size_t suggest_distance(const char *from, const char *to)
{
    const size_t rows = strlen(from);
    const size_t columns = strlen(to);
    if (rows > WORD_BYTES_MOST || columns > WORD_BYTES_MOST)
        return SIZE_MAX;
    size_t table[3][WORD_BYTES_MOST + 1] = {{0}};
    for (size_t j = 0; j <= columns; j++)
        table[0][j] = j;
    for (size_t i = 1; i <= rows; i++) {
        size_t *row = table[i % 3];
        const size_t *above = table[(i + 2) % 3];
        const size_t *two_above = table[(i + 1) % 3];
        row[0] = i;
        for (size_t j = 1; j <= columns; j++) {
            const size_t differ = lower_case(from[i - 1]) != lower_case(to[j - 1]);
            row[j] = least(least(above[j], row[j - 1]) + 1, above[j - 1] + differ);
            if (i > 1 && j > 1 && lower_case(from[i - 1]) == lower_case(to[j - 2]) &&
                lower_case(from[i - 2]) == lower_case(to[j - 1]))
                row[j] = least(row[j], two_above[j - 2] + 1);
        }
    }
    return table[rows % 3][columns];
}

void suggestion_offer(struct suggestion *suggestion, const char *known)
{
    if (!*suggestion->word)
        return;
    const size_t edits = suggest_distance(suggestion->word, known);
    const size_t allowed = strlen(suggestion->word) / 3;
    if (edits > (allowed ? allowed : 1))
        return;
    if (!suggestion->nearest || edits < suggestion->edits) {
        suggestion->nearest = known;
        suggestion->edits = edits;
    }
}
