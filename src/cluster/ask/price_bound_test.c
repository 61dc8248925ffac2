/* SPDX-License-Identifier: Apache-2.0 */
/* Bounds by hand, and against all ways to fill nodes. */
#include "cluster/ask/price_bound.h"

#include "base/hash.h"
#include "base/memory.h"

/* cmocka.h needs these first. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

enum { RESOURCES = 2, PODS_MOST = 6, NODES_MOST = 4 };

struct price_test {
    struct memory memory;
    struct arena arena;
    int64_t sizes[PODS_MOST][RESOURCES];
    struct cover_pods pods[PODS_MOST];
    uint32_t pod_count;
    int64_t thresholds[NODES_MOST][RESOURCES];
    struct priced_nodes nodes[NODES_MOST];
    uint32_t node_count;
};

static void begin(struct price_test *test)
{
    *test = (struct price_test){0};
    memory_init(&test->memory, SIZE_MAX);
    arena_init(&test->arena, &test->memory);
}

static void add_pods(struct price_test *test, uint64_t count, int64_t cpu, int64_t memory)
{
    int64_t *sizes = test->sizes[test->pod_count];
    sizes[0] = cpu;
    sizes[1] = memory;
    test->pods[test->pod_count++] = (struct cover_pods){sizes, count};
}

static void add_nodes(struct price_test *test, uint64_t count, int64_t cpu, int64_t memory)
{
    int64_t *thresholds = test->thresholds[test->node_count];
    thresholds[0] = cpu;
    thresholds[1] = memory;
    test->nodes[test->node_count++] = (struct priced_nodes){thresholds, count};
}

static uint64_t bound(struct price_test *test)
{
    return price_bound(&test->arena, test->pods, test->pod_count, test->nodes, test->node_count,
                       RESOURCES);
}

static void the_cheapest_nodes_are_filled_first(void **state)
{
    struct price_test test;
    (void)state;
    begin(&test);
    assert_int_equal(bound(&test), 0);
    add_pods(&test, 10, 100, 0);
    add_nodes(&test, 1, 600, INT64_MAX);
    add_nodes(&test, 2, 300, INT64_MAX);
    add_nodes(&test, 1, 400, INT64_MAX);
    assert_int_equal(bound(&test), 3);
    add_pods(&test, 6, 100, 0);
    assert_int_equal(bound(&test), 4);
    arena_release(&test.arena);
}

/* Each pod could fill one node by one resource and another one by the other, but it is on one. */
static void a_pod_pays_once(void **state)
{
    struct price_test test;
    (void)state;
    begin(&test);
    add_pods(&test, 2, 50, 50);
    add_nodes(&test, 1, 100, 100);
    add_nodes(&test, 1, 110, 110);
    assert_int_equal(bound(&test), 1);
    arena_release(&test.arena);
}

/* The pods of much memory are on one node, and those of much CPU on the other. */
static void nodes_are_filled_by_different_resources(void **state)
{
    struct price_test test;
    (void)state;
    begin(&test);
    add_pods(&test, 1, 1, 100);
    add_pods(&test, 1, 110, 1);
    add_nodes(&test, 1, 100, 100);
    add_nodes(&test, 1, 110, 110);
    assert_int_equal(bound(&test), 2);
    arena_release(&test.arena);
}

static void a_pod_pays_for_one_node(void **state)
{
    struct price_test test;
    (void)state;
    begin(&test);
    add_pods(&test, 1, 1000, 0);
    add_nodes(&test, 3, 100, INT64_MAX);
    assert_int_equal(bound(&test), 1);
    arena_release(&test.arena);
}

/* Whichever node sets the prices. */
static void the_best_prices_count(void **state)
{
    for (int i = 0; i < 2; i++) {
        struct price_test test;
        (void)state;
        begin(&test);
        add_pods(&test, 1, 0, 90);
        add_nodes(&test, 1, i ? 100 : 1000, i ? 1000 : 100);
        add_nodes(&test, 1, i ? 1000 : 100, i ? 100 : 1000);
        assert_int_equal(bound(&test), 0);
        arena_release(&test.arena);
    }
}

/* What matters to some nodes only may fill those for nothing, as far as prices go. */
static void what_has_no_price_costs_nothing(void **state)
{
    struct price_test test;
    (void)state;
    begin(&test);
    add_pods(&test, 1, 10, 0);
    add_nodes(&test, 1, 100, INT64_MAX);
    add_nodes(&test, 1, INT64_MAX, 100);
    assert_int_equal(bound(&test), 1);
    add_nodes(&test, 1, INT64_MAX, INT64_MAX);
    assert_int_equal(bound(&test), 1);
    arena_release(&test.arena);
}

/* ---- all ways ---- */

/* So many nodes can be full if each pod from this one on is put on a node or nowhere. */
static uint64_t fill(const struct price_test *test, uint32_t pod, int64_t (*on)[RESOURCES])
{
    uint64_t best = 0;
    if (pod == test->pod_count) {
        for (uint32_t n = 0; n < test->node_count; n++)
            best += on[n][0] >= test->thresholds[n][0] || on[n][1] >= test->thresholds[n][1];
        return best;
    }
    for (uint32_t n = 0; n <= test->node_count; n++) {
        int64_t next[NODES_MOST + 1][RESOURCES];
        memcpy(next, on, sizeof(next));
        for (uint32_t r = 0; r < RESOURCES; r++)
            next[n][r] += test->sizes[pod][r];
        const uint64_t found = fill(test, pod + 1, next);
        best = found > best ? found : best;
    }
    return best;
}

static void no_way_fills_more_nodes(void **state)
{
    uint32_t exact = 0;
    (void)state;
    for (uint64_t seed = 1; seed <= 3000; seed++) {
        struct price_test test;
        int64_t on[NODES_MOST + 1][RESOURCES] = {0};
        uint64_t dice = hash_word(seed);
        begin(&test);
        while (test.pod_count < 2 + seed % (PODS_MOST - 1)) {
            dice = hash_word(dice);
            add_pods(&test, 1, (int64_t)(dice % 7), (int64_t)(dice / 7 % 4));
        }
        while (test.node_count < NODES_MOST) {
            dice = hash_word(dice);
            const bool one = dice % 8 == 0;
            add_nodes(&test, 1, 1 + (int64_t)(dice / 8 % 9),
                      one ? INT64_MAX : 1 + (int64_t)(dice / 72 % 6));
        }
        const uint64_t found = fill(&test, 0, on);
        const uint64_t most = bound(&test);
        if (most < found)
            fail_msg("seed %llu: %llu nodes are full, and the bound is %llu",
                     (unsigned long long)seed, (unsigned long long)found, (unsigned long long)most);
        exact += most == found;
        arena_release(&test.arena);
    }
    assert_true(exact > 1500);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_cheapest_nodes_are_filled_first),
        cmocka_unit_test(a_pod_pays_once),
        cmocka_unit_test(nodes_are_filled_by_different_resources),
        cmocka_unit_test(a_pod_pays_for_one_node),
        cmocka_unit_test(the_best_prices_count),
        cmocka_unit_test(what_has_no_price_costs_nothing),
        cmocka_unit_test(no_way_fills_more_nodes),
    };
    return cmocka_run_group_tests_name("price_bound", tests, NULL, NULL);
}
