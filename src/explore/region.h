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
 *
 * A region whose contents are mostly read and written in order can go to a file (spill.h), if the
 * run has a folder for that: the file is mapped to the same addresses, so nobody who uses the
 * region notices, and the budget counts it no more. The system writes to the disk what does not
 * fit into the machine's memory, and reads it again.
 */
#ifndef FATHOM_EXPLORE_REGION_H
#define FATHOM_EXPLORE_REGION_H

#include "base/memory.h"

struct region {
    struct memory *memory;
    void *base;   /* NULL while empty */
    size_t bytes; /* usable, all counted by the budget, unless they are in a file */
    bool mapped;
    bool spills; /* may go to a file by itself, as soon as it grows and memory is scarce */
    int file;    /* of a mapped region: its file + 1; 0: it is in memory */
};

void region_init(struct region *region, struct memory *memory);
void region_init_spilling(struct region *region, struct memory *memory);
void region_release(struct region *region);

/* At least `bytes` usable, the new ones zero. False, with the region as it was,
 * when the budget or the machine refuses. */
bool region_grow(struct region *region, size_t bytes);

/* Moves a region to a file, unless it is small. Others may read it meanwhile, and nobody may write
 * to it. False: nothing was moved. */
bool region_spill(struct region *region);

/* The pages of a region in a file that are in memory are left to the system. */
void region_relax(const struct region *region);

/* Room for item `count` of an array that is filled in order: grows by half when
 * needed, by less when the budget is nearly used up. */
bool region_reserve_next(struct region *region, size_t count, size_t item_bytes);

#endif
