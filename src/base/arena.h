/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Arena: memory with one lifetime.
 *
 * Things that live equally long are allocated from one arena and released with
 * it in one call; nothing in it is freed alone. A pointer into an arena never
 * outlives it. `arena_mark` and `arena_rewind` give scratch space inside a
 * longer life: everything allocated since the mark is gone after the rewind.
 *
 * Allocation never fails (see memory.h for what happens when memory is
 * exhausted). An arena belongs to one thread at a time.
 */
#ifndef FATHOM_BASE_ARENA_H
#define FATHOM_BASE_ARENA_H

#include "base/memory.h"

#include <stdarg.h>
#include <stdint.h>

struct arena_block;

struct arena {
    struct memory *memory;
    struct arena_block *block; /* the newest; older ones hang behind it */
    char *next;                /* free space in the newest block */
    char *end;
    size_t total_bytes; /* handed out, for statistics */
};

struct arena_mark {
    struct arena_block *block;
    char *next;
};

void arena_init(struct arena *arena, struct memory *memory);
void arena_release(struct arena *arena);

/* Takes over all that another arena of the same memory holds; that one is empty then. Marks of both
 * are void. */
void arena_join(struct arena *arena, struct arena *other);

/* Zeroed, aligned for any type. */
__attribute__((returns_nonnull)) void *arena_allocate(struct arena *arena, size_t bytes);
/* Where the newest block has no room. */
__attribute__((returns_nonnull)) void *arena_allocate_further(struct arena *arena, size_t bytes,
                                                              size_t alignment);
/* Not zeroed; `alignment` is a power of two of at most 16. */
__attribute__((returns_nonnull)) static inline void *
arena_allocate_raw(struct arena *arena, size_t bytes, size_t alignment)
{
    const size_t padding = (size_t)(-(uintptr_t)arena->next & (alignment - 1));
    if ((size_t)(arena->end - arena->next) < padding + bytes || !arena->next)
        return arena_allocate_further(arena, bytes, alignment);
    char *start = arena->next + padding;
    arena->next = start + bytes;
    arena->total_bytes += bytes;
    return start;
}
__attribute__((returns_nonnull)) void *arena_copy(struct arena *arena, const void *bytes,
                                                  size_t count);

char *arena_strndup(struct arena *arena, const char *text, size_t length);
char *arena_strdup(struct arena *arena, const char *text);
__attribute__((format(printf, 2, 3))) char *arena_printf(struct arena *arena, const char *format,
                                                         ...);
char *arena_vprintf(struct arena *arena, const char *format, va_list arguments);

/* Makes room for so many bytes at once. Called before a mark that is rewound to
 * again and again, it avoids that a block is allocated and freed each time. */
void arena_reserve(struct arena *arena, size_t bytes);

/* The bytes of all blocks of the arena, used or not. */
size_t arena_bytes(const struct arena *arena);

struct arena_mark arena_mark(const struct arena *arena);
void arena_rewind(struct arena *arena, struct arena_mark mark);

/* One or `count` zeroed values of a type. */
#define ARENA_NEW(arena, type)          ((type *)arena_allocate((arena), sizeof(type)))
#define ARENA_ARRAY(arena, type, count) ((type *)arena_allocate((arena), sizeof(type) * (count)))

/* "no node", "1 node", "12 nodes" */
const char *count_words(struct arena *arena, uint64_t count, const char *noun);

#endif
