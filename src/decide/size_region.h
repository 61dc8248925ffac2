/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A region of cluster sizes: for which numbers of nodes, by group, one exploration speaks.
 *
 * A region is a conjunction of slabs. A slab says of some groups that they have at least and at
 * most so many nodes together. A slab of one group is a plain interval.
 */
#ifndef FATHOM_DECIDE_SIZE_REGION_H
#define FATHOM_DECIDE_SIZE_REGION_H

#include <stdbool.h>
#include <stdint.h>

enum { SIZE_GROUPS_MOST = 16, SIZE_SLABS_MOST = 40 };

#define SIZE_UNBOUNDED INT64_MAX

struct size_slab {
    uint32_t groups; /* bits: these groups together */
    int64_t least;
    int64_t most; /* SIZE_UNBOUNDED: any number */
};

struct size_region {
    bool tracked; /* false: nothing is known of other sizes than the explored one */
    bool point;   /* true if it is the explored size alone */
    uint32_t slab_count;
    struct size_slab slabs[SIZE_SLABS_MOST];
    const char *why; /* what keeps it to one number of nodes, or from being tracked; NULL */
};

/* All sizes. */
struct size_region size_region_all(void);
/* The explored size alone, for this reason. */
struct size_region size_region_point(const char *why);

/* Only those of its sizes in which the groups have so many nodes together are left. */
void size_region_narrow(struct size_region *region, uint32_t groups, int64_t least, int64_t most);
/* Only those sizes that are in both are left. */
void size_region_join(struct size_region *region, const struct size_region *other);

/* The bounds of these groups together, as far as one slab says them, or, of the least, those of
 * each group. */
struct size_slab size_region_bounds(const struct size_region *region, uint32_t groups);

/* Is the size in the region of an exploration of the size `explored`? */
bool size_region_has(const struct size_region *region, const int32_t *explored,
                     const int32_t *nodes, uint32_t group_count);

/* The nodes of these groups together. */
int64_t size_sum(const int32_t *nodes, uint32_t groups);

#endif
