/* SPDX-License-Identifier: Apache-2.0 */
#include "base/vec.h"

#include <assert.h>
#include <string.h>

void *vec_grow(struct arena *arena, void *items, uint32_t *capacity, size_t item_bytes)
{
    assert(*capacity <= UINT32_MAX / 2);
    const uint32_t wanted = *capacity < 4 ? 4 : *capacity * 2;
    void *moved = arena_allocate_raw(arena, wanted * item_bytes, 16);
    if (*capacity > 0)
        memcpy(moved, items, *capacity * item_bytes);
    *capacity = wanted;
    return moved;
}
