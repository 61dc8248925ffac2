/* SPDX-License-Identifier: Apache-2.0 */
/* Short lists of words, each stored once and known by a number. */
#ifndef FATHOM_BASE_WORD_LISTS_H
#define FATHOM_BASE_WORD_LISTS_H

#include "base/arena.h"
#include <stdint.h>

/* Short lists of words, each known by a number. */
struct word_lists {
    struct word_list {
        const uint32_t *words;
        uint32_t count;
    } * items;
    uint32_t count;
    uint32_t capacity;
    uint32_t *slots; /* number + 1; 0: free */
    uint32_t slot_count;
};

uint32_t words_intern(struct arena *arena, struct word_lists *lists, const uint32_t *words,
                      uint32_t count);

#endif
