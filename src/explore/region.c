/* SPDX-License-Identifier: Apache-2.0 */
/* The reservation is PROT_NONE address space, which costs nothing; growing makes
 * more of it usable. 64 GiB is more than any table of 32-bit ids needs. */
#include "explore/region.h"

#include "base/spill.h"

#include <assert.h>
#include <string.h>
#include <sys/mman.h>

enum {
    MAPPED_FROM_BYTES = 1 << 20,
    STEP_BYTES = 2 << 20,
    FILE_STEP_BYTES = 8 << 20,
    SCARCE_PART = 4, /* memory is scarce when less than this part of it is left */
};
static const size_t RESERVED_BYTES = (size_t)1 << 36;

void region_init(struct region *region, struct memory *memory)
{
    *region = (struct region){.memory = memory};
}

void region_init_spilling(struct region *region, struct memory *memory)
{
    *region = (struct region){.memory = memory, .spills = true};
}

void region_release(struct region *region)
{
    if (region->mapped)
        munmap(region->base, RESERVED_BYTES);
    if (region->file > 0)
        spill_close(region->memory->spill, region->file - 1, region->bytes);
    else if (region->mapped)
        memory_unclaim(region->memory, region->bytes);
    else
        memory_release(region->memory, region->base, region->bytes);
    *region = (struct region){.memory = region->memory, .spills = region->spills};
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

/* Bytes `from` to `to` - 1 of the file take the place of what is mapped there. */
static bool map_file(const struct region *region, int file, size_t from, size_t to)
{
    return mmap((char *)region->base + from, to - from, PROT_READ | PROT_WRITE,
                MAP_SHARED | MAP_FIXED, file, (off_t)from) != MAP_FAILED;
}

void region_relax(const struct region *region)
{
    if (region->file > 0)
        madvise(region->base, region->bytes, MADV_DONTNEED);
}

static bool grow_file(struct region *region, size_t bytes)
{
    const size_t rounded = (bytes + FILE_STEP_BYTES - 1) / FILE_STEP_BYTES * FILE_STEP_BYTES;
    const size_t now = region->bytes;
    if (rounded > RESERVED_BYTES ||
        !spill_reserve(region->memory->spill, region->file - 1, now, rounded))
        return false;
    /* What was reserved is counted, also if it cannot be mapped: spill_close gives it back. */
    region->bytes = rounded;
    if (!map_file(region, region->file - 1, now, rounded)) {
        atomic_fetch_sub(&region->memory->spill->bytes, rounded - now);
        region->bytes = now;
        return false;
    }
    region_relax(region);
    return true;
}

bool region_spill(struct region *region)
{
    struct spill *spill = region->memory->spill;
    if (!spill || !region->mapped || region->file > 0)
        return false;
    const int file = spill_open(spill);
    if (file < 0)
        return false;
    if (region->bytes > 0 && !spill_reserve(spill, file, 0, region->bytes)) {
        spill_close(spill, file, 0);
        return false;
    }
    if (region->bytes > 0 && (!spill_write(spill, file, region->base, region->bytes) ||
                              !map_file(region, file, 0, region->bytes))) {
        spill_close(spill, file, region->bytes);
        return false;
    }
    region->file = file + 1;
    memory_unclaim(region->memory, region->bytes);
    return true;
}

static bool is_scarce(const struct memory *memory, size_t more)
{
    const size_t left = memory_left(memory);
    return left < more || left - more < memory->limit_bytes / SCARCE_PART;
}

/* False: it stays in memory. */
static bool go_to_file(struct region *region, size_t bytes)
{
    return region->spills && region->memory->spill &&
           is_scarce(region->memory, bytes - region->bytes) && region_spill(region);
}

static bool grow_mapping(struct region *region, size_t bytes)
{
    if (region->file > 0 || go_to_file(region, bytes))
        return grow_file(region, bytes);
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
    struct region mapping = {.memory = region->memory, .mapped = true, .spills = region->spills};
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
    if (region->file > 0)
        return region_grow(region, least); /* a file grows by large steps in any case */
    const size_t generous = least < 256 ? 256 : least + least / 2;
    return region_grow(region, generous) || region_grow(region, least + least / 16) ||
           region_grow(region, least);
}
