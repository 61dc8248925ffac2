/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Memory that is counted, bounded and can be made to fail.
 *
 * Every byte that Fathom keeps passes through a `struct memory`: it knows how
 * much is in use, what the most was, and what the user allows (`--memory`).
 * There are two ways to ask:
 *
 *   memory_try_allocate  returns NULL when the budget or the machine is
 *                        exhausted. For the state store, where "full" is a
 *                        verdict and not a failure.
 *   memory_allocate      never returns NULL. When it cannot be served it calls
 *                        the budget's `exhausted` hook, which must not return;
 *                        without a hook the process ends with a message. A
 *                        budget that may be overdrawn serves it beyond the
 *                        limit, so that the next memory_try_allocate is the
 *                        one to be refused.
 *
 * Sizes are passed back on release, so the count is exact and costs nothing.
 * The counters are atomic: one budget may serve several threads. A budget owns
 * nothing; whoever allocated a block releases it through the same budget.
 */
#ifndef FATHOM_BASE_MEMORY_H
#define FATHOM_BASE_MEMORY_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct memory {
    atomic_size_t used_bytes;
    atomic_size_t peak_bytes;
    size_t limit_bytes;         /* SIZE_MAX: no limit */
    bool may_overdraw;          /* memory_allocate may pass the limit */
    atomic_uint_fast64_t calls; /* allocations so far */
    uint_fast64_t fail_at_call; /* fault injection: this call and all later fail; 0: never */
    void (*exhausted)(void *context, size_t wanted_bytes);
    void *exhausted_context;
    struct spill *spill; /* where large blocks may go instead (spill.h); NULL: nowhere */
};

void memory_init(struct memory *memory, size_t limit_bytes);

void *memory_try_allocate(struct memory *memory, size_t bytes);
void *memory_try_allocate_zeroed(struct memory *memory, size_t bytes);
void *memory_try_resize(struct memory *memory, void *block, size_t old_bytes, size_t new_bytes);

void *memory_allocate(struct memory *memory, size_t bytes);
void *memory_allocate_zeroed(struct memory *memory, size_t bytes);
void *memory_resize(struct memory *memory, void *block, size_t old_bytes, size_t new_bytes);
void memory_release(struct memory *memory, void *block, size_t bytes);

/* Has memory_allocate passed the limit? Whoever builds something large asks this now and then. */
bool memory_is_over(const struct memory *memory);
/* What may still be taken before that; 0 if it has. */
size_t memory_left(const struct memory *memory);

/* Counts bytes that the caller gets elsewhere (a mapping) against the budget,
 * as an allocation would; false when the budget does not allow them. */
bool memory_try_claim(struct memory *memory, size_t bytes);
void memory_unclaim(struct memory *memory, size_t bytes);

#endif
