/* SPDX-License-Identifier: Apache-2.0 */
/* Counted allocation over malloc. The count is raised before the block is
 * taken and lowered again when it cannot be had, so that two threads can never
 * pass the limit together. */
#include "base/memory.h"

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>

void memory_init(struct memory *memory, size_t limit_bytes)
{
    *memory = (struct memory){.limit_bytes = limit_bytes};
}

static bool claim(struct memory *memory, size_t bytes, size_t limit_bytes)
{
    const uint_fast64_t call = atomic_fetch_add(&memory->calls, 1) + 1;
    if (memory->fail_at_call != 0 && call >= memory->fail_at_call)
        return false;
    const size_t before = atomic_fetch_add(&memory->used_bytes, bytes);
    if (bytes > limit_bytes || before > limit_bytes - bytes) {
        atomic_fetch_sub(&memory->used_bytes, bytes);
        return false;
    }
    const size_t now = before + bytes;
    size_t peak = atomic_load(&memory->peak_bytes);
    while (now > peak && !atomic_compare_exchange_weak(&memory->peak_bytes, &peak, now))
        ;
    return true;
}

bool memory_try_claim(struct memory *memory, size_t bytes)
{
    return claim(memory, bytes, memory->limit_bytes);
}

void memory_unclaim(struct memory *memory, size_t bytes)
{
    assert(atomic_load(&memory->used_bytes) >= bytes);
    atomic_fetch_sub(&memory->used_bytes, bytes);
}

static void *allocate(struct memory *memory, size_t bytes, size_t limit_bytes)
{
    assert(bytes > 0);
    if (!claim(memory, bytes, limit_bytes))
        return NULL;
    void *block = malloc(bytes);
    if (!block)
        memory_unclaim(memory, bytes);
    return block;
}

void *memory_try_allocate(struct memory *memory, size_t bytes)
{
    return allocate(memory, bytes, memory->limit_bytes);
}

static void *allocate_zeroed(struct memory *memory, size_t bytes, size_t limit_bytes)
{
    assert(bytes > 0);
    if (!claim(memory, bytes, limit_bytes))
        return NULL;
    void *block = calloc(1, bytes);
    if (!block)
        memory_unclaim(memory, bytes);
    return block;
}

void *memory_try_allocate_zeroed(struct memory *memory, size_t bytes)
{
    return allocate_zeroed(memory, bytes, memory->limit_bytes);
}

static void *resize(struct memory *memory, void *block, size_t old_bytes, size_t new_bytes,
                    size_t limit_bytes)
{
    assert(new_bytes > 0);
    if (!block)
        return allocate(memory, new_bytes, limit_bytes);
    if (new_bytes > old_bytes && !claim(memory, new_bytes - old_bytes, limit_bytes))
        return NULL;
    void *moved = realloc(block, new_bytes);
    if (!moved) {
        if (new_bytes > old_bytes)
            memory_unclaim(memory, new_bytes - old_bytes);
        return NULL;
    }
    if (new_bytes < old_bytes)
        memory_unclaim(memory, old_bytes - new_bytes);
    return moved;
}

void *memory_try_resize(struct memory *memory, void *block, size_t old_bytes, size_t new_bytes)
{
    return resize(memory, block, old_bytes, new_bytes, memory->limit_bytes);
}

bool memory_is_over(const struct memory *memory)
{
    return atomic_load(&memory->used_bytes) > memory->limit_bytes;
}

size_t memory_left(const struct memory *memory)
{
    const size_t used = atomic_load(&memory->used_bytes);
    return used < memory->limit_bytes ? memory->limit_bytes - used : 0;
}

static size_t limit_of_needs(const struct memory *memory)
{
    return memory->may_overdraw ? SIZE_MAX : memory->limit_bytes;
}

/* The one place where a lack of memory ends the process. */
static _Noreturn void give_up(struct memory *memory, size_t wanted_bytes)
{
    if (memory->exhausted)
        memory->exhausted(memory->exhausted_context, wanted_bytes);
    fprintf(stderr, "fathom: out of memory: %zu bytes wanted, %zu in use\n", wanted_bytes,
            atomic_load(&memory->used_bytes));
    _Exit(3);
}

void *memory_allocate(struct memory *memory, size_t bytes)
{
    void *block = allocate(memory, bytes, limit_of_needs(memory));
    if (!block)
        give_up(memory, bytes);
    return block;
}

void *memory_allocate_zeroed(struct memory *memory, size_t bytes)
{
    void *block = allocate_zeroed(memory, bytes, limit_of_needs(memory));
    if (!block)
        give_up(memory, bytes);
    return block;
}

void *memory_resize(struct memory *memory, void *block, size_t old_bytes, size_t new_bytes)
{
    void *moved = resize(memory, block, old_bytes, new_bytes, limit_of_needs(memory));
    if (!moved)
        give_up(memory, new_bytes);
    return moved;
}

void memory_release(struct memory *memory, void *block, size_t bytes)
{
    if (!block)
        return;
    memory_unclaim(memory, bytes);
    free(block);
}
