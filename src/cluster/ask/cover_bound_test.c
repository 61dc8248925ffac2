/* SPDX-License-Identifier: Apache-2.0 */
/* The bound, against numbers worked out by hand and against all ways to put a few pods on nodes. */
#include "base/hash.h"
#include "cluster/ask/cover_bound.h"

#include <setjmp.h>
#include <stdarg.h>
#include <string.h>

#include <cmocka.h>

enum { PODS_MOST = 7, RESOURCES = 2 };

struct cover_test {
    struct memory memory;
    struct arena arena;
    int64_t sizes[PODS_MOST][RESOURCES];
    struct cover_pods pods[PODS_MOST];
    uint32_t count;
};

static void add(struct cover_test *test, uint64_t count, int64_t first, int64_t second)
{
    int64_t *sizes = test->sizes[test->count];
    sizes[0] = first;
    sizes[1] = second;
    test->pods[test->count++] = (struct cover_pods){sizes, count};
}

static uint64_t bound(struct cover_test *test, int64_t first, int64_t second)
{
    const int64_t thresholds[RESOURCES] = {first, second};
    return cover_bound(&test->arena, test->pods, test->count, thresholds, RESOURCES);
}

static void begin(struct cover_test *test)
{
    *test = (struct cover_test){0};
    memory_init(&test->memory, SIZE_MAX);
    arena_init(&test->arena, &test->memory);
}

static void equal_pods_fill_nodes_in_whole_numbers(void **state)
{
    struct cover_test test;
    (void)state;
    begin(&test);
    add(&test, 30, 500, 0);
    assert_int_equal(bound(&test, 500, INT64_MAX), 30);
    assert_int_equal(bound(&test, 501, INT64_MAX), 15);
    assert_int_equal(bound(&test, 1000, INT64_MAX), 15);
    assert_int_equal(bound(&test, 1001, INT64_MAX), 10);
    assert_int_equal(bound(&test, 15000, INT64_MAX), 1);
    assert_int_equal(bound(&test, 15001, INT64_MAX), 0);
    arena_release(&test.arena);
}

static void small_pods_do_not_count_like_large_ones(void **state)
{
    struct cover_test test;
    (void)state;
    begin(&test);
    add(&test, 4, 900, 0);
    add(&test, 10, 10, 0);
    /* Two large ones, or one with the small ones, of which there are only 100 of the 101. */
    assert_int_equal(bound(&test, 1001, INT64_MAX), 2);
    /* One that fills a node by itself. */
    add(&test, 1, 2000, 0);
    assert_int_equal(bound(&test, 1001, INT64_MAX), 3);
    arena_release(&test.arena);
}

static void a_pod_counts_for_one_resource(void **state)
{
    struct cover_test test;
    (void)state;
    begin(&test);
    add(&test, 12, 500, 50);
    assert_int_equal(bound(&test, 1001, 101), 4);
    arena_release(&test.arena);
    /* Some fill nodes with the one, and others with the other. */
    begin(&test);
    add(&test, 4, 500, 0);
    add(&test, 4, 0, 50);
    assert_int_equal(bound(&test, 1000, 100), 4);
    arena_release(&test.arena);
}

static void a_pod_fills_no_more_than_its_node(void **state)
{
    struct cover_test test;
    (void)state;
    begin(&test);
    add(&test, 1, 3003, 0);
    assert_int_equal(bound(&test, 1001, INT64_MAX), 1);
    arena_release(&test.arena);
}

/* The large one fills a node; of the others three are needed. */
static void the_number_may_be_that_of_smaller_pods(void **state)
{
    struct cover_test test;
    (void)state;
    begin(&test);
    add(&test, 1, 9, 0);
    add(&test, 18, 4, 0);
    assert_int_equal(bound(&test, 10, INT64_MAX), 7);
    arena_release(&test.arena);
}

/* Half of a node for want of one resource, and half of it for want of the other. */
static void halves_of_two_resources_are_no_whole(void **state)
{
    struct cover_test test;
    (void)state;
    begin(&test);
    add(&test, 1, 500, 0);
    add(&test, 1, 0, 50);
    assert_int_equal(bound(&test, 1000, 100), 0);
    arena_release(&test.arena);
}

/* ---- all ways ---- */

/* So many nodes can be full if each pod from this one on is put on a node or nowhere. `on` has what
 * is on each node. */
static uint64_t fill(const struct cover_test *test, const int64_t *thresholds, uint32_t pod,
                     int64_t (*on)[RESOURCES], uint32_t nodes)
{
    uint64_t best = 0;
    if (pod == test->count) {
        for (uint32_t n = 0; n < nodes; n++)
            best += on[n][0] >= thresholds[0] || on[n][1] >= thresholds[1];
        return best;
    }
    for (uint32_t n = 0; n <= nodes; n++) {
        int64_t next[PODS_MOST + 1][RESOURCES];
        memcpy(next, on, sizeof(next));
        for (uint32_t r = 0; r < RESOURCES; r++)
            next[n][r] = (n < nodes ? on[n][r] : 0) + test->sizes[pod][r];
        const uint64_t found = fill(test, thresholds, pod + 1, next, n < nodes ? nodes : nodes + 1);
        if (found > best)
            best = found;
    }
    return best;
}

static void no_way_fills_more_nodes(void **state)
{
    uint32_t exact = 0;
    (void)state;
    for (uint64_t seed = 1; seed <= 3000; seed++) {
        struct cover_test test;
        int64_t on[PODS_MOST + 1][RESOURCES] = {0};
        uint64_t dice = hash_word(seed);
        begin(&test);
        while (test.count < 2 + seed % (PODS_MOST - 2)) {
            dice = hash_word(dice);
            add(&test, 1, (int64_t)(dice % 7), (int64_t)(dice / 7 % 4));
        }
        const int64_t thresholds[] = {1 + (int64_t)(dice / 28 % 9), 1 + (int64_t)(dice / 252 % 6)};
        const uint64_t found = fill(&test, thresholds, 0, on, 0);
        const uint64_t most = bound(&test, thresholds[0], thresholds[1]);
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
        cmocka_unit_test(equal_pods_fill_nodes_in_whole_numbers),
        cmocka_unit_test(small_pods_do_not_count_like_large_ones),
        cmocka_unit_test(a_pod_counts_for_one_resource),
        cmocka_unit_test(a_pod_fills_no_more_than_its_node),
        cmocka_unit_test(the_number_may_be_that_of_smaller_pods),
        cmocka_unit_test(halves_of_two_resources_are_no_whole),
        cmocka_unit_test(no_way_fills_more_nodes),
    };
    return cmocka_run_group_tests_name("cover_bound", tests, NULL, NULL);
}
