/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Whom a kubelet evicts, by vectors computed by hand; those of upstream's
 * helpers_test.go name their test.
 */
#include "decide/controller/kubelet.h"

#include "decide/controller/random_test.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#define MI(count) ((int64_t)(count) << 20)

enum { LOW = -1, DEFAULT = 0, HIGH = 1, PODS_MOST = 12 };

static struct kubelet_eviction_pod memory_pod(int32_t priority, int64_t requested, int64_t used)
{
    return (struct kubelet_eviction_pod){.count = 1,
                                         .priority = priority,
                                         .measured = true,
                                         .memory_requested = MI(requested),
                                         .memory_used = MI(used)};
}

/* Evicts one after the other, and writes down whom: "pod 3 or 4" is "34". */
static void check_order(enum kubelet_signal signal, struct kubelet_eviction_pod *pods,
                        uint32_t count, const char *expected)
{
    char found[64] = "";
    size_t length = 0;
    bool victims[PODS_MOST];
    while (kubelet_victims(signal, pods, count, victims)) {
        if (length > 0)
            found[length++] = ' ';
        for (uint32_t i = 0; i < count; i++)
            if (victims[i]) {
                found[length++] = (char)('1' + i);
                pods[i].count = 0;
            }
    }
    found[length] = '\0';
    assert_string_equal(found, expected);
}

static void test_order_of_memory(void **state)
{
    (void)state;
    /* TestOrderedByExceedsRequestMemory */
    struct kubelet_eviction_pod exceeds[] = {memory_pod(-1, 200, 199), memory_pod(1, 100, 101)};
    check_order(KUBELET_MEMORY_AVAILABLE, exceeds, 2, "2 1");
    /* TestOrderedByMemory */
    struct kubelet_eviction_pod usage[] = {
        memory_pod(DEFAULT, 0, 500),    memory_pod(DEFAULT, 0, 300),
        memory_pod(DEFAULT, 100, 800),  memory_pod(DEFAULT, 100, 300),
        memory_pod(DEFAULT, 1024, 800), memory_pod(DEFAULT, 1024, 200),
    };
    check_order(KUBELET_ALLOCATABLE_MEMORY_AVAILABLE, usage, 6, "3 1 2 4 5 6");
    /* TestOrderedByPriorityMemory */
    struct kubelet_eviction_pod priorities[] = {
        memory_pod(LOW, 0, 500),     memory_pod(LOW, 0, 50),      memory_pod(HIGH, 100, 600),
        memory_pod(HIGH, 100, 150),  memory_pod(LOW, 1024, 800),  memory_pod(LOW, 1024, 200),
        memory_pod(HIGH, 1024, 800), memory_pod(HIGH, 1024, 200),
    };
    check_order(KUBELET_MEMORY_AVAILABLE, priorities, 8, "1 2 3 4 5 6 7 8");
    /* Exactly what it requested is not more than that; equals go in any order. */
    struct kubelet_eviction_pod equals[] = {memory_pod(0, 100, 100), memory_pod(0, 200, 200),
                                            memory_pod(9, 0, 1)};
    check_order(KUBELET_MEMORY_AVAILABLE, equals, 3, "3 12");
}

static void test_order_without_measurements(void **state)
{
    (void)state;
    struct kubelet_eviction_pod pods[] = {memory_pod(LOW, 0, 500), memory_pod(HIGH, 0, 0),
                                          memory_pod(DEFAULT, 0, 0)};
    pods[1].measured = false;
    pods[2].measured = false;
    check_order(KUBELET_MEMORY_AVAILABLE, pods, 3, "3 2 1");
}

static void test_order_of_disk_and_processes(void **state)
{
    (void)state;
    /* TestOrderedByExceedsRequestDisk */
    struct kubelet_eviction_pod disk[] = {
        {.count = 1,
         .measured = true,
         .priority = -1,
         .disk_requested = MI(200),
         .disk_used = MI(199)},
        {.count = 1,
         .measured = true,
         .priority = 1,
         .disk_requested = MI(100),
         .disk_used = MI(101)},
    };
    check_order(KUBELET_NODEFS_AVAILABLE, disk, 2, "2 1");
    /* Inodes: whoever uses any exceeds; bytes requested of the disk count. */
    struct kubelet_eviction_pod inodes[] = {
        {.count = 1, .measured = true, .inodes_used = 500, .disk_requested = 400},
        {.count = 1, .measured = true, .inodes_used = 200},
        {.count = 1, .measured = true, .priority = -5},
    };
    check_order(KUBELET_NODEFS_INODES_FREE, inodes, 3, "2 1 3");
    /* TestOrderedByPriorityProcess */
    struct kubelet_eviction_pod processes[] = {
        {.count = 1, .measured = true, .priority = LOW, .processes = 20},
        {.count = 1, .measured = true, .priority = LOW, .processes = 6},
        {.count = 1, .measured = true, .priority = HIGH, .processes = 20},
        {.count = 1, .measured = true, .priority = HIGH, .processes = 5},
        {.count = 1, .measured = false, .priority = HIGH},
    };
    check_order(KUBELET_PID_AVAILABLE, processes, 5, "1 2 5 3 4");
}

static void test_critical_pods_stay(void **state)
{
    (void)state;
    struct kubelet_eviction_pod pods[] = {memory_pod(0, 0, 900), memory_pod(0, 0, 100)};
    bool victims[2];
    pods[0].critical = true;
    check_order(KUBELET_MEMORY_AVAILABLE, pods, 2, "2");
    pods[1].critical = true;
    pods[1].count = 1;
    assert_false(kubelet_victims(KUBELET_MEMORY_AVAILABLE, pods, 2, victims));
}

/* The victims are those that a sort by upstream's comparisons may put first;
 * classes with counts choose among the same pods as one by one. */
static void test_victims_of_random_nodes(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= 5000; seed++) {
        struct dice dice = {seed};
        struct kubelet_eviction_pod pods[PODS_MOST];
        struct kubelet_eviction_pod twice[2 * PODS_MOST];
        bool victims[PODS_MOST];
        bool again[2 * PODS_MOST];
        const uint32_t count = (uint32_t)dice_between(&dice, 1, PODS_MOST);
        const enum kubelet_signal signal =
            (enum kubelet_signal)dice_roll(&dice, KUBELET_SIGNAL_COUNT);
        for (uint32_t i = 0; i < count; i++) {
            pods[i] = (struct kubelet_eviction_pod){.count = (uint32_t)dice_roll(&dice, 3),
                                                    .priority = (int32_t)dice_roll(&dice, 2),
                                                    .critical = dice_hit(&dice, 5),
                                                    .measured = !dice_hit(&dice, 6),
                                                    .memory_used = dice_roll(&dice, 3),
                                                    .memory_requested = dice_roll(&dice, 3),
                                                    .disk_used = dice_roll(&dice, 3),
                                                    .disk_requested = dice_roll(&dice, 3),
                                                    .inodes_used = dice_roll(&dice, 3),
                                                    .processes = dice_roll(&dice, 3)};
            const size_t first = 2 * (size_t)i;
            twice[first] = pods[i];
            twice[first + 1] = pods[i];
            twice[first].count = pods[i].count > 0;
            twice[first + 1].count = pods[i].count > 1;
        }
        const bool found = kubelet_victims(signal, pods, count, victims);
        bool same = found == kubelet_victims(signal, twice, 2 * count, again);
        for (uint32_t i = 0; found && i < count; i++) {
            same &= victims[i] == again[2 * (size_t)i] &&
                    (victims[i] && pods[i].count > 1) == again[2 * (size_t)i + 1];
            same &= !victims[i] || (pods[i].count > 0 && !pods[i].critical);
        }
        if (!same)
            fail_msg("seed %llu", (unsigned long long)seed);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_order_of_memory),
        cmocka_unit_test(test_order_without_measurements),
        cmocka_unit_test(test_order_of_disk_and_processes),
        cmocka_unit_test(test_critical_pods_stay),
        cmocka_unit_test(test_victims_of_random_nodes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
