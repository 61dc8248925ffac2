/* SPDX-License-Identifier: Apache-2.0 */
/* The map of sizes against one that is made cluster by cluster. */
#include "report/heatmap_cells.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

enum { GROUPS = 3, SETUPS = 5, ROUNDS = 300, REPLICAS_MOST = 2 };

static struct setup_group groups[GROUPS];
static struct setup_workload workload;
static int32_t nodes[SETUPS][GROUPS];
static int32_t replicas[SETUPS];
static struct setup setups[SETUPS];
static struct size_region regions[SETUPS];
static uint8_t verdicts[SETUPS];

static uint32_t below(uint32_t *seed, uint32_t count)
{
    *seed = *seed * 1664525U + 1013904223U;
    return (*seed >> 16) % count;
}

static void make_groups(uint32_t *seed)
{
    for (uint32_t g = 0; g < GROUPS; g++) {
        groups[g] = (struct setup_group){.name = "group", .open = g == 0 || below(seed, 2) == 0};
        groups[g].least = (int32_t)below(seed, 2);
        groups[g].most = groups[g].least + (int32_t)below(seed, 3);
    }
}

/* Regions are not apart here: the first setup that speaks of a size is asked. */
static void make_setup(uint32_t s, uint32_t *seed)
{
    int32_t total = 0;
    for (uint32_t g = 0; g < GROUPS; g++) {
        const uint32_t room = groups[g].open ? 3 : (uint32_t)(groups[g].most - groups[g].least);
        nodes[s][g] = groups[g].least + (int32_t)below(seed, room + 1);
        total += nodes[s][g];
    }
    replicas[s] = 1 + (int32_t)below(seed, REPLICAS_MOST);
    setups[s] = (struct setup){.nodes = nodes[s],
                               .replicas = &replicas[s],
                               .total_nodes = total,
                               .total_pods = replicas[s]};
    verdicts[s] = below(seed, 3) == 0 ? VERDICT_VIOLATED : VERDICT_HOLDS;
    regions[s] = size_region_all();
    if (below(seed, 2) == 0)
        size_region_narrow(&regions[s], 1U << below(seed, GROUPS), (int64_t)below(seed, 3),
                           SIZE_UNBOUNDED);
    if (below(seed, 2) == 0)
        size_region_narrow(&regions[s], (1U << GROUPS) - 1, 0, (int64_t)below(seed, 7));
    if (below(seed, 4) == 0)
        regions[s] = size_region_point("for this test");
}

/* Of one cluster: by the first setup that speaks of it. */
static uint8_t expected_of(const int32_t *cluster, int32_t pods)
{
    for (uint32_t s = 0; s < SETUPS; s++)
        if (replicas[s] == pods && size_region_has(&regions[s], nodes[s], cluster, GROUPS))
            return verdicts[s] == VERDICT_HOLDS ? CELL_HOLDS : CELL_VIOLATED;
    return CELL_NONE;
}

static bool is_possible(const int32_t *cluster)
{
    for (uint32_t g = 0; g < GROUPS; g++)
        if (cluster[g] < groups[g].least || (!groups[g].open && cluster[g] > groups[g].most))
            return false;
    return true;
}

/* Every cluster of so many nodes. */
static uint8_t expected_at(int32_t total, int32_t pods, bool *explored)
{
    bool seen[CELL_VIOLATED + 1] = {false};
    *explored = false;
    for (int32_t a = 0; a <= total; a++)
        for (int32_t b = 0; a + b <= total; b++) {
            const int32_t cluster[GROUPS] = {a, b, total - a - b};
            if (is_possible(cluster))
                seen[expected_of(cluster, pods)] = true;
        }
    for (uint32_t s = 0; s < SETUPS; s++) {
        if (setups[s].total_nodes != total || replicas[s] != pods)
            continue;
        *explored = true;
        seen[verdicts[s] == VERDICT_HOLDS ? CELL_HOLDS : CELL_VIOLATED] = true;
    }
    if (seen[CELL_VIOLATED])
        return CELL_VIOLATED;
    if (seen[CELL_HOLDS])
        return seen[CELL_NONE] ? CELL_UNDECIDED : CELL_HOLDS;
    return CELL_NONE;
}

static void compare(struct arena *arena, const struct report *report)
{
    const struct heatmap map = heatmap_of(arena, report, 0);
    bool beyond = false;
    for (int32_t pods = map.pods_least; pods <= map.pods_most; pods++)
        for (int32_t total = map.nodes_least; total <= map.nodes_most; total++) {
            bool explored;
            const uint8_t expected = expected_at(total, pods, &explored);
            const struct heatmap_cell *cell = heatmap_cell_at(&map, total, pods);
            assert_int_equal(cell->verdict, expected);
            assert_int_equal(cell->explored, explored);
            beyond = beyond || (expected != CELL_NONE && !explored);
        }
    assert_int_equal(map.beyond, beyond);
}

static void sizes_that_nobody_explored_are_told_from_others(void **state)
{
    struct scope scope = {
        .groups = groups, .group_count = GROUPS, .workloads = &workload, .workload_count = 1};
    struct verify_report found = {.result_count = 1,
                                  .setups = {.items = setups, .count = SETUPS},
                                  .setups_explored = SETUPS,
                                  .verdicts = verdicts,
                                  .sizes = {.open = true, .regions = regions}};
    const struct report report = {.scope = &scope, .found = &found};
    struct memory memory;
    struct arena arena;
    uint32_t seed = 1;
    (void)state;
    memory_init(&memory, SIZE_MAX);
    arena_init(&arena, &memory);
    for (uint32_t round = 0; round < ROUNDS; round++) {
        make_groups(&seed);
        for (uint32_t s = 0; s < SETUPS; s++)
            make_setup(s, &seed);
        compare(&arena, &report);
    }
    arena_release(&arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sizes_that_nobody_explored_are_told_from_others),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
