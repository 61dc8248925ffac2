/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A zeroed block of memory that grows, counted by a budget.
 *
 * It starts on the heap, so that thousands of tiny runs cost microseconds, and
 * moves once, when it passes a megabyte, into a large reservation of address
 * space. From then on it grows where it is, in steps of 2 MiB: nothing is
 * copied, peak memory is the block itself, and the kernel can back it with huge
 * pages, which random access to a big table needs.
 *
 * The base address may change in region_grow and only there.
 */
#ifndef FATHOM_EXPLORE_REGION_H
#define FATHOM_EXPLORE_REGION_H

#include "base/memory.h"

struct region {
    struct memory *memory;
    void *base;   /* NULL while empty */
    size_t bytes; /* usable, all counted by the budget */
    bool mapped;
};

void region_init(struct region *region, struct memory *memory);
void region_release(struct region *region);

/* At least `bytes` usable, the new ones zero. False, with the region as it was,
 * when the budget or the machine refuses. */
bool region_grow(struct region *region, size_t bytes);

/* Room for item `count` of an array that is filled in order: grows by half when
 * needed, by less when the budget is nearly used up. */
bool region_reserve_next(struct region *region, size_t count, size_t item_bytes);

#endif
