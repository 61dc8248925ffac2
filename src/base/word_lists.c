/* SPDX-License-Identifier: Apache-2.0 */
/* Interning: equal lists get the same number, numbers are given in the order of arrival. */
#include "base/word_lists.h"

#include "base/hash.h"
#include "base/vec.h"

#include <string.h>

static void grow(struct arena *arena, struct word_lists *lists)
{
    lists->slot_count = lists->slot_count ? lists->slot_count * 2 : 64;
    lists->slots = ARENA_ARRAY(arena, uint32_t, lists->slot_count);
    for (uint32_t i = 0; i < lists->count; i++) {
        uint32_t at =
            (uint32_t)hash_bytes(lists->items[i].words, lists->items[i].count * sizeof(uint32_t)) &
            (lists->slot_count - 1);
        while (lists->slots[at])
            at = (at + 1) & (lists->slot_count - 1);
        lists->slots[at] = i + 1;
    }
}

uint32_t words_intern(struct arena *arena, struct word_lists *lists, const uint32_t *words,
                      uint32_t count)
{
    if (2 * lists->count >= lists->slot_count)
        grow(arena, lists);
    uint32_t at = (uint32_t)hash_bytes(words, count * sizeof(*words)) & (lists->slot_count - 1);
    while (lists->slots[at]) {
        const struct word_list *known = &lists->items[lists->slots[at] - 1];
        if (known->count == count &&
            (count == 0 || memcmp(known->words, words, count * sizeof(*words)) == 0))
            return lists->slots[at] - 1;
        at = (at + 1) & (lists->slot_count - 1);
    }
    const struct word_list added = {arena_copy(arena, words, count * sizeof(*words)), count};
    VEC_PUSH(arena, lists, added);
    lists->slots[at] = lists->count;
    return lists->count - 1;
}
