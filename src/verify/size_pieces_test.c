/* SPDX-License-Identifier: Apache-2.0 */
/* The sizes that no region has, against a list of all small sizes. */
#include "verify/size_pieces.h"

#include "base/memory.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

enum { GROUPS = 3, MOST = 9, REGIONS = 12, ROUNDS = 400 };

struct fixture {
    struct memory memory;
    struct arena arena;
    struct size_pieces pieces;
};

static void begin(struct fixture *fixture, int64_t least, int64_t most)
{
    struct size_slab bounds[GROUPS];
    memory_init(&fixture->memory, SIZE_MAX);
    arena_init(&fixture->arena, &fixture->memory);
    for (uint32_t g = 0; g < GROUPS; g++)
        bounds[g] = (struct size_slab){UINT32_C(1) << g, least, most};
    size_pieces_begin(&fixture->pieces, &fixture->arena, bounds, GROUPS);
}

static uint32_t draw(uint64_t *seed, uint32_t below)
{
    *seed = *seed * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (uint32_t)(*seed >> 33) % below;
}

/* A region with the size in it. */
static struct size_region region_around(uint64_t *seed, const int32_t *nodes)
{
    struct size_region region = size_region_all();
    for (uint32_t slabs = draw(seed, 4); slabs > 0; slabs--) {
        const uint32_t groups = 1 + draw(seed, (1 << GROUPS) - 1);
        const int64_t sum = size_sum(nodes, groups);
        const int64_t below = draw(seed, 3);
        const int64_t most = draw(seed, 3) == 0 ? SIZE_UNBOUNDED : sum + draw(seed, 3);
        size_region_narrow(&region, groups, sum > below ? sum - below : 0, most);
    }
    return region;
}

struct listed {
    int32_t nodes[GROUPS];
    bool covered;
};

static uint32_t list_sizes(struct listed *listed)
{
    uint32_t count = 0;
    for (int32_t a = 0; a <= MOST; a++)
        for (int32_t b = 0; b <= MOST; b++)
            for (int32_t c = 0; c <= MOST; c++)
                listed[count++] = (struct listed){{a, b, c}, a + b + c == 0};
    return count;
}

/* The least number of nodes that is not covered; -1: all are. */
static int64_t least_total(const struct listed *listed, uint32_t count)
{
    int64_t least = -1;
    for (uint32_t i = 0; i < count; i++) {
        const int64_t total = size_sum(listed[i].nodes, (1 << GROUPS) - 1);
        if (!listed[i].covered && (least < 0 || total < least))
            least = total;
    }
    return least;
}

static void cover_by_chance(uint64_t seed)
{
    static struct listed listed[(MOST + 1) * (MOST + 1) * (MOST + 1)];
    const uint32_t count = list_sizes(listed);
    struct fixture fixture;
    begin(&fixture, 0, MOST);
    for (uint32_t r = 0; r < REGIONS; r++) {
        int32_t nodes[GROUPS];
        const struct size_piece *first = size_pieces_first(&fixture.pieces);
        const int64_t least = least_total(listed, count);
        assert_false(fixture.pieces.gave_up);
        assert_int_equal(first ? first->total : -1, least);
        if (!first)
            break;
        for (uint32_t g = 0; g < GROUPS; g++)
            nodes[g] = (int32_t)first->nodes[g];
        const struct size_region region = region_around(&seed, nodes);
        size_pieces_cover(&fixture.pieces, &region, nodes);
        for (uint32_t i = 0; i < count; i++)
            listed[i].covered |= size_region_has(&region, nodes, listed[i].nodes, GROUPS);
    }
    arena_release(&fixture.arena);
}

static void pieces_are_what_is_left(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= ROUNDS; seed++)
        cover_by_chance(seed);
}

/* Zones of a cluster with a soft constraint by host name: one of them is looked at up to some
 * number of nodes, and all of them together beyond another. */
static void far_sizes_are_found(void **state)
{
    enum { FAR = 1000000 };
    struct fixture fixture;
    struct size_region region = size_region_all();
    const int32_t explored[GROUPS] = {1, 1, 1};
    (void)state;
    begin(&fixture, 1, SIZE_UNBOUNDED);
    size_region_narrow(&region, 7, 0, FAR);
    size_pieces_cover(&fixture.pieces, &region, explored);
    assert_int_equal(size_pieces_first(&fixture.pieces)->total, FAR + 1);
    region = size_region_all();
    size_region_narrow(&region, 1, FAR + 1, SIZE_UNBOUNDED);
    size_pieces_cover(&fixture.pieces, &region, explored);
    assert_int_equal(size_pieces_first(&fixture.pieces)->total, FAR + 1);
    region = size_region_all();
    size_region_narrow(&region, 6, FAR / 2, SIZE_UNBOUNDED);
    size_pieces_cover(&fixture.pieces, &region, explored);
    assert_int_equal(size_pieces_first(&fixture.pieces)->total, FAR + 1);
    assert_in_range(size_pieces_first(&fixture.pieces)->nodes[0], FAR / 2 + 1, FAR);
    assert_false(fixture.pieces.gave_up);
    arena_release(&fixture.arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(pieces_are_what_is_left),
        cmocka_unit_test(far_sizes_are_found),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
