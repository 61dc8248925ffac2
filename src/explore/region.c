/* SPDX-License-Identifier: Apache-2.0 */
/* The reservation is PROT_NONE address space, which costs nothing; growing makes
 * more of it usable. 64 GiB is more than any table of 32-bit ids needs. */
#include "explore/region.h"

#include <assert.h>
#include <string.h>
#include <sys/mman.h>

enum { MAPPED_FROM_BYTES = 1 << 20, STEP_BYTES = 2 << 20 };
static const size_t RESERVED_BYTES = (size_t)1 << 36;

void region_init(struct region *region, struct memory *memory)
{
    *region = (struct region){.memory = memory};
}

void region_release(struct region *region)
{
    if (region->mapped) {
        munmap(region->base, RESERVED_BYTES);
        memory_unclaim(region->memory, region->bytes);
    } else {
        memory_release(region->memory, region->base, region->bytes);
    }
    region_init(region, region->memory);
}

static bool grow_on_heap(struct region *region, size_t bytes)
{
    char *block = memory_try_resize(region->memory, region->base, region->bytes, bytes);
    if (!block)
        return false;
    memset(block + region->bytes, 0, bytes - region->bytes);
    region->base = block;
    region->bytes = bytes;
    return true;
}

static bool grow_mapping(struct region *region, size_t bytes)
{
    const size_t rounded = (bytes + STEP_BYTES - 1) / STEP_BYTES * STEP_BYTES;
    if (rounded > RESERVED_BYTES || !memory_try_claim(region->memory, rounded - region->bytes))
        return false;
    if (mprotect((char *)region->base + region->bytes, rounded - region->bytes,
                 PROT_READ | PROT_WRITE) != 0) {
        memory_unclaim(region->memory, rounded - region->bytes);
        return false;
    }
    region->bytes = rounded;
    return true;
}

/* The mapping is aligned to 2 MiB by trimming a reservation that is larger by
 * as much. */
static void *reserve_aligned(void)
{
    char *wide = mmap(NULL, RESERVED_BYTES + STEP_BYTES, PROT_NONE,
                      MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (wide == MAP_FAILED)
        return NULL;
    const size_t before = -(uintptr_t)wide % STEP_BYTES;
    if (before > 0)
        munmap(wide, before);
    munmap(wide + before + RESERVED_BYTES, STEP_BYTES - before);
#ifdef MADV_HUGEPAGE
    madvise(wide + before, RESERVED_BYTES, MADV_HUGEPAGE);
#endif
    return wide + before;
}

static bool move_to_mapping(struct region *region, size_t bytes)
{
    struct region mapping = {.memory = region->memory, .mapped = true};
    mapping.base = reserve_aligned();
    if (!mapping.base)
        return grow_on_heap(region, bytes);
    if (!grow_mapping(&mapping, bytes)) {
        region_release(&mapping);
        return false;
    }
    if (region->base)
        memcpy(mapping.base, region->base, region->bytes);
    region_release(region);
    *region = mapping;
    return true;
}

bool region_grow(struct region *region, size_t bytes)
{
    if (bytes <= region->bytes)
        return true;
    if (region->mapped)
        return grow_mapping(region, bytes);
    if (bytes <= MAPPED_FROM_BYTES)
        return grow_on_heap(region, bytes);
    return move_to_mapping(region, bytes);
}

bool region_reserve_next(struct region *region, size_t count, size_t item_bytes)
{
    assert(item_bytes > 0);
    const size_t least = (count + 1) * item_bytes;
    if (least <= region->bytes)
        return true;
    const size_t generous = least < 256 ? 256 : least + least / 2;
    return region_grow(region, generous) || region_grow(region, least + least / 16) ||
           region_grow(region, least);
}
