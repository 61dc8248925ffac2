/* SPDX-License-Identifier: Apache-2.0 */
#include "decide/size_region.h"

#include <string.h>

struct size_region size_region_all(void)
{
    return (struct size_region){.tracked = true};
}

struct size_region size_region_point(const char *why)
{
    return (struct size_region){.tracked = true, .point = true, .why = why};
}

static struct size_slab *find(struct size_region *region, uint32_t groups)
{
    for (uint32_t i = 0; i < region->slab_count; i++)
        if (region->slabs[i].groups == groups)
            return &region->slabs[i];
    return NULL;
}

void size_region_narrow(struct size_region *region, uint32_t groups, int64_t least, int64_t most)
{
    if (region->point || groups == 0)
        return;
    struct size_slab *slab = find(region, groups);
    if (!slab && region->slab_count == SIZE_SLABS_MOST) {
        /* What cannot be written down must not be claimed. */
        region->point = true;
        region->why = "too many conditions on the numbers of nodes";
        return;
    }
    if (!slab) {
        slab = &region->slabs[region->slab_count++];
        *slab = (struct size_slab){groups, 0, SIZE_UNBOUNDED};
    }
    slab->least = least > slab->least ? least : slab->least;
    slab->most = most < slab->most ? most : slab->most;
}

void size_region_join(struct size_region *region, const struct size_region *other)
{
    if (!other->tracked)
        return;
    if (!region->tracked) {
        *region = *other;
        return;
    }
    region->why = region->why ? region->why : other->why;
    region->point |= other->point;
    for (uint32_t i = 0; i < other->slab_count; i++)
        size_region_narrow(region, other->slabs[i].groups, other->slabs[i].least,
                           other->slabs[i].most);
}

struct size_slab size_region_bounds(const struct size_region *region, uint32_t groups)
{
    struct size_slab bounds = {groups, 0, SIZE_UNBOUNDED};
    int64_t least = 0;
    for (uint32_t i = 0; i < region->slab_count; i++) {
        const struct size_slab *slab = &region->slabs[i];
        if (slab->groups == groups)
            bounds = *slab;
        if ((slab->groups & ~groups) == 0 && (slab->groups & (slab->groups - 1)) == 0)
            least += slab->least;
    }
    bounds.least = bounds.least > least ? bounds.least : least;
    return bounds;
}

int64_t size_sum(const int32_t *nodes, uint32_t groups)
{
    int64_t sum = 0;
    for (uint32_t g = 0; groups >> g > 0; g++)
        sum += groups >> g & 1 ? nodes[g] : 0;
    return sum;
}

bool size_region_has(const struct size_region *region, const int32_t *explored,
                     const int32_t *nodes, uint32_t group_count)
{
    if (memcmp(explored, nodes, group_count * sizeof(*nodes)) == 0)
        return true;
    if (!region->tracked || region->point)
        return false;
    for (uint32_t i = 0; i < region->slab_count; i++) {
        const int64_t sum = size_sum(nodes, region->slabs[i].groups);
        if (sum < region->slabs[i].least || sum > region->slabs[i].most)
            return false;
    }
    return true;
}
