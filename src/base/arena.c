/* SPDX-License-Identifier: Apache-2.0 */
/* A chain of blocks, each twice the last up to a limit; the newest serves.
 * A request larger than a block gets a block of its own. */
#include "base/arena.h"

#include <assert.h>
#include <inttypes.h>
#include <stdalign.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

struct arena_block {
    struct arena_block *older;
    size_t bytes; /* of the whole block, this header included */
    alignas(16) char space[];
};

enum { BLOCK_BYTES_FIRST = 4 << 10, BLOCK_BYTES_MOST = 1 << 20 };

void arena_init(struct arena *arena, struct memory *memory)
{
    assert(memory);
    *arena = (struct arena){.memory = memory};
}

static void drop_newest(struct arena *arena)
{
    struct arena_block *block = arena->block;
    arena->block = block->older;
    memory_release(arena->memory, block, block->bytes);
}

void arena_release(struct arena *arena)
{
    while (arena->block)
        drop_newest(arena);
    *arena = (struct arena){.memory = arena->memory};
}

void arena_join(struct arena *arena, struct arena *other)
{
    struct arena_block **oldest = &arena->block;
    assert(arena->memory == other->memory);
    while (*oldest)
        oldest = &(*oldest)->older;
    *oldest = other->block;
    if (arena->block == other->block) {
        arena->next = other->next;
        arena->end = other->end;
    }
    arena->total_bytes += other->total_bytes;
    *other = (struct arena){.memory = other->memory};
}

static void add_block(struct arena *arena, size_t wanted_bytes)
{
    size_t bytes = BLOCK_BYTES_FIRST;
    if (arena->block)
        bytes = arena->block->bytes < BLOCK_BYTES_MOST / 2 ? arena->block->bytes * 2
                                                           : (size_t)BLOCK_BYTES_MOST;
    if (bytes < wanted_bytes + sizeof(struct arena_block) + 16)
        bytes = wanted_bytes + sizeof(struct arena_block) + 16;
    struct arena_block *block = memory_allocate(arena->memory, bytes);
    block->older = arena->block;
    block->bytes = bytes;
    arena->block = block;
    arena->next = block->space;
    arena->end = (char *)block + bytes;
}

void *arena_allocate_further(struct arena *arena, size_t bytes, size_t alignment)
{
    assert(alignment > 0 && alignment <= 16 && (alignment & (alignment - 1)) == 0);
    add_block(arena, bytes);
    const size_t padding = (size_t)(-(uintptr_t)arena->next & (alignment - 1));
    char *start = arena->next + padding;
    arena->next = start + bytes;
    arena->total_bytes += bytes;
    assert(arena->next <= arena->end);
    return start;
}

void *arena_allocate(struct arena *arena, size_t bytes)
{
    return memset(arena_allocate_raw(arena, bytes, 16), 0, bytes);
}

void *arena_copy(struct arena *arena, const void *bytes, size_t count)
{
    void *copy = arena_allocate_raw(arena, count, 16);
    if (count > 0)
        memcpy(copy, bytes, count);
    return copy;
}

char *arena_strndup(struct arena *arena, const char *text, size_t length)
{
    char *copy = arena_allocate_raw(arena, length + 1, 1);
    if (length > 0)
        memcpy(copy, text, length);
    copy[length] = '\0';
    return copy;
}

char *arena_strdup(struct arena *arena, const char *text)
{
    return arena_strndup(arena, text, strlen(text));
}

char *arena_vprintf(struct arena *arena, const char *format, va_list arguments)
{
    char most[128]; /* is enough for most, so that they are written once */
    va_list again;
    va_copy(again, arguments);
    const int length = vsnprintf(most, sizeof(most), format, arguments);
    assert(length >= 0);
    char *text = arena_allocate_raw(arena, (size_t)length + 1, 1);
    if ((size_t)length < sizeof(most))
        memcpy(text, most, (size_t)length + 1);
    else
        vsnprintf(text, (size_t)length + 1, format, again);
    va_end(again);
    return text;
}

char *arena_printf(struct arena *arena, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    char *text = arena_vprintf(arena, format, arguments);
    va_end(arguments);
    return text;
}

void arena_reserve(struct arena *arena, size_t bytes)
{
    if (!arena->block || (size_t)(arena->end - arena->next) < bytes)
        add_block(arena, bytes);
}

size_t arena_bytes(const struct arena *arena)
{
    size_t bytes = 0;
    for (const struct arena_block *block = arena->block; block; block = block->older)
        bytes += block->bytes;
    return bytes;
}

struct arena_mark arena_mark(const struct arena *arena)
{
    return (struct arena_mark){.block = arena->block, .next = arena->next};
}

void arena_rewind(struct arena *arena, struct arena_mark mark)
{
    while (arena->block != mark.block)
        drop_newest(arena);
    arena->next = mark.next;
    arena->end = mark.block ? (char *)mark.block + mark.block->bytes : NULL;
}

const char *count_words(struct arena *arena, uint64_t count, const char *noun)
{
    if (count == 0)
        return arena_printf(arena, "no %s", noun);
    return arena_printf(arena, "%" PRIu64 " %s%s", count, noun, count == 1 ? "" : "s");
}
