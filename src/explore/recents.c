/* SPDX-License-Identifier: Apache-2.0 */
#include "explore/recents.h"

enum { BITS_FIRST = 6, BITS_MOST = 14, BITS_STEP = 2 };

static size_t bytes_of(uint32_t bits)
{
    return sizeof(struct recent) << bits;
}

bool recents_init(struct recents *recents, struct memory *memory)
{
    *recents = (struct recents){.bits = BITS_FIRST};
    recents->entries = memory_try_allocate_zeroed(memory, bytes_of(BITS_FIRST));
    return recents->entries != NULL;
}

void recents_release(struct recents *recents, struct memory *memory)
{
    memory_release(memory, recents->entries, bytes_of(recents->bits));
}

void recents_enlarge(struct recents *recents, struct memory *memory)
{
    recents->misses = 0;
    if (recents->bits >= BITS_MOST)
        return;
    const uint32_t bits = recents->bits + BITS_STEP;
    struct recent *entries = memory_try_allocate_zeroed(memory, bytes_of(bits));
    if (!entries)
        return;
    memory_release(memory, recents->entries, bytes_of(recents->bits));
    recents->entries = entries;
    recents->bits = bits;
}
