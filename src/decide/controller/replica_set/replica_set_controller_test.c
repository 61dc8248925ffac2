/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What the recorded syncs do not show: that folding equal pods into classes
 * never changes which removals are possible, and the small rules at their
 * borders.
 */
#include "base/hash.h"
#include "decide/claim.h"
#include "decide/controller/replica_set/replica_set_controller.h"
#include "decide/features_fixture.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

enum { CLASSES_MOST = 4, WAYS_MOST = 4096 };

/* Removals as numbers: the amounts of the classes, four bits each. */
struct ways {
    const uint32_t *class_of; /* of an individual; NULL: amounts are by class already */
    uint32_t count;
    uint32_t found_count;
    uint32_t found[WAYS_MOST];
};

static void note(void *context, const uint32_t *amounts)
{
    struct ways *ways = context;
    uint32_t way = 0;
    for (uint32_t i = 0; i < ways->count; i++)
        way += amounts[i] << (4 * (ways->class_of ? ways->class_of[i] : i));
    for (uint32_t i = 0; i < ways->found_count; i++)
        if (ways->found[i] == way)
            return;
    assert_true(ways->found_count < WAYS_MOST);
    ways->found[ways->found_count++] = way;
}

static uint32_t next(uint64_t *seed, uint32_t below)
{
    *seed += UINT64_C(0x9e3779b97f4a7c15);
    return (uint32_t)(hash_word(*seed) % below);
}

static struct replica_set_pod_class random_class(uint64_t *seed)
{
    struct replica_set_pod_class class = {
        .count = 1 + next(seed, 3),
        .phase = next(seed, 4) == 0 ? POD_PENDING : POD_RUNNING,
        .assigned = next(seed, 4) != 0,
        .deletion_cost = (int32_t)next(seed, 2),
        .node_crowd = next(seed, 2),
        .ready_age = AGE_NONE,
        .creation_age = (int64_t)(7 * (1 + next(seed, 3)) + next(seed, 2)) * NANOSECONDS_PER_SECOND,
        .restarts = (int32_t)next(seed, 2),
    };
    class.ready = class.assigned && class.phase == POD_RUNNING && next(seed, 2);
    if (class.ready)
        class.ready_age = class.creation_age;
    return class;
}

static bool same_ways(const struct ways *a, const struct ways *b)
{
    if (a->found_count != b->found_count)
        return false;
    for (uint32_t i = 0; i < a->found_count; i++) {
        uint32_t j = 0;
        while (j < b->found_count && b->found[j] != a->found[i])
            j++;
        if (j == b->found_count)
            return false;
    }
    return true;
}

static void folding_keeps_every_removal(void **state)
{
    (void)state;
    struct memory memory;
    struct arena arena;
    static struct ways folded, plain;
    memory_init(&memory, SIZE_MAX);
    arena_init(&arena, &memory);
    for (uint64_t first = 1; first <= 3000; first++) {
        uint64_t seed = first;
        struct replica_set_pod_class classes[CLASSES_MOST];
        struct replica_set_pod_class pods[CLASSES_MOST * 3];
        uint32_t class_of[CLASSES_MOST * 3];
        const uint32_t count = 1 + next(&seed, CLASSES_MOST);
        uint32_t pod_count = 0;
        for (uint32_t i = 0; i < count; i++) {
            classes[i] = random_class(&seed);
            for (uint32_t p = 0; p < classes[i].count; p++) {
                pods[pod_count] = classes[i];
                pods[pod_count].count = 1;
                class_of[pod_count++] = i;
            }
        }
        const uint32_t removed = next(&seed, pod_count + 1);
        folded = (struct ways){.count = count};
        plain = (struct ways){.count = pod_count, .class_of = class_of};
        const uint64_t ways =
            replica_set_each_removal(&arena, classes, count, removed, note, &folded);
        replica_set_each_removal(&arena, pods, pod_count, removed, note, &plain);
        if (!same_ways(&folded, &plain) || ways != folded.found_count || ways == 0)
            fail_msg("seed %llu: %u ways folded, %u plain", (unsigned long long)first,
                     folded.found_count, plain.found_count);
    }
    arena_release(&arena);
}

static void creation_starts_slowly(void **state)
{
    (void)state;
    static const struct {
        int32_t replicas;
        int32_t burst;
        int64_t allowed;
        int32_t calls;
        int32_t created;
    } cases[] = {
        {0, 500, -1, 0, 0},  {1, 500, -1, 1, 1},     {7, 500, -1, 7, 7},  {600, 500, -1, 500, 500},
        {600, 0, -1, 0, 0},  {100, 500, 0, 1, 0},    {100, 500, 1, 3, 1}, {100, 500, 2, 3, 2},
        {100, 500, 3, 7, 3}, {100, 500, 20, 31, 20}, {5, 500, 4, 5, 4},
    };
    for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
        const struct replica_set_decision decision =
            replica_set_sync(&(struct replica_set_facts_in){.replicas = cases[i].replicas,
                                                            .burst = cases[i].burst,
                                                            .creations_allowed = cases[i].allowed});
        assert_int_equal(decision.create_calls, cases[i].calls);
        assert_int_equal(decision.created, cases[i].created);
        assert_int_equal(decision.failure, cases[i].created < cases[i].calls
                                               ? REPLICA_SET_FAILED_CREATE
                                               : REPLICA_SET_NO_FAILURE);
    }
}

static void deletion_costs_are_written_strictly(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        int32_t cost;
    } cases[] = {
        {"10", 10},        {"-10", -10},
        {"0", 0},          {"+10", 0},
        {"010", 0},        {"1.5", 0},
        {"", 0},           {"-", 0},
        {"x", 0},          {"2147483647", INT32_MAX},
        {"2147483648", 0}, {"99999999999", 0},
    };
    for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
        struct label label = {"controller.kubernetes.io/pod-deletion-cost", cases[i].text};
        const struct labels labels = {&label, 1};
        assert_int_equal(replica_set_deletion_cost(&labels), cases[i].cost);
    }
    assert_int_equal(replica_set_deletion_cost(&(struct labels){0}), 0);
}

static void available_means_ready_for_longer(void **state)
{
    (void)state;
    const int64_t second = NANOSECONDS_PER_SECOND;
    for (int minor = FEATURES_MINOR_FIRST; minor <= FEATURES_MINOR_LAST; minor++) {
        const struct features *features = version(minor);
        assert_true(pod_is_available(features, true, 0, 0));
        assert_false(pod_is_available(features, false, 100 * second, 0));
        assert_false(pod_is_available(features, true, 10 * second - 1, 10));
        assert_true(pod_is_available(features, true, 10 * second + 1, 10));
        assert_false(pod_is_available(features, true, AGE_NONE, 10));
    }
    assert_false(pod_is_available(version(33), true, 10 * second, 10));
    assert_true(pod_is_available(version(34), true, 10 * second, 10));
}

/* It removes as many as it should, and keeps none that goes before one of them. */
static bool removal_possible(const struct replica_set_pod_class *classes, const uint32_t *amounts,
                             uint32_t removed)
{
    uint32_t sum = 0;
    for (uint32_t a = 0; a < CLASSES_MOST; a++) {
        sum += amounts[a];
        for (uint32_t b = 0; amounts[a] < classes[a].count && b < CLASSES_MOST; b++)
            if (amounts[b] > 0 && replica_set_compare(&classes[a], &classes[b], NULL) < 0)
                return false;
    }
    return sum == removed;
}

/* Counts through all amounts; false after the last. */
static bool next_amounts(const struct replica_set_pod_class *classes, uint32_t *amounts)
{
    for (uint32_t i = 0; i < CLASSES_MOST; i++) {
        if (amounts[i] < classes[i].count) {
            amounts[i]++;
            return true;
        }
        amounts[i] = 0;
    }
    return false;
}

/* A way to remove pods is possible if and only if it keeps none that goes
 * before one that it removes: all ways, tried one by one. */
static void removals_by_definition(void **state)
{
    (void)state;
    struct memory memory;
    struct arena arena;
    memory_init(&memory, SIZE_MAX);
    arena_init(&arena, &memory);
    for (uint64_t start = 1; start <= 2000; start++) {
        uint64_t seed = start;
        struct replica_set_pod_class classes[CLASSES_MOST];
        struct ways ways = {.count = CLASSES_MOST};
        uint32_t total = 0;
        for (uint32_t i = 0; i < CLASSES_MOST; i++) {
            classes[i] = random_class(&seed);
            if (start % 2) /* alike but for ages and restarts, where ties are */
                classes[i] = (struct replica_set_pod_class){
                    .count = classes[i].count,
                    .phase = POD_RUNNING,
                    .assigned = true,
                    .ready = true,
                    .ready_age = classes[i].creation_age,
                    .creation_age = classes[i].creation_age,
                    .restarts = classes[i].restarts,
                };
            total += classes[i].count;
        }
        const uint32_t removed = 1 + next(&seed, total - 1);
        replica_set_each_removal(&arena, classes, CLASSES_MOST, removed, note, &ways);
        uint32_t expected = 0;
        uint32_t amounts[CLASSES_MOST] = {0};
        do
            expected += removal_possible(classes, amounts, removed);
        while (next_amounts(classes, amounts));
        if (expected != ways.found_count)
            fail_msg("seed %llu: %u ways instead of %u", (unsigned long long)start,
                     ways.found_count, expected);
    }
    arena_release(&arena);
}

/* The rules in their order: each case differs in one thing, and the first goes. */
static void ranking_rules(void **state)
{
    (void)state;
    const int64_t second = NANOSECONDS_PER_SECOND;
    const struct replica_set_pod_class base = {.count = 1,
                                               .phase = POD_RUNNING,
                                               .assigned = true,
                                               .ready = true,
                                               .ready_age = 100 * second,
                                               .creation_age = 200 * second};
    struct replica_set_pod_class sooner[] = {base, base, base, base, base, base, base, base, base};
    static const enum removal_rule rules[] = {
        REMOVAL_NOT_ASSIGNED,  REMOVAL_PHASE,        REMOVAL_NOT_READY,
        REMOVAL_DELETION_COST, REMOVAL_CROWDED_NODE, REMOVAL_READY_TIME,
        REMOVAL_RESTARTS,      REMOVAL_RESTARTS,     REMOVAL_AGE,
    };
    sooner[0].assigned = false;
    sooner[1].phase = POD_PENDING;
    sooner[2].ready = false;
    sooner[3].deletion_cost = -1;
    sooner[4].node_crowd = 2;
    sooner[5].ready_age = 10 * second;
    sooner[6].restarts = 1;
    sooner[7].sidecar_restarts = 1; /* from 1.32 on */
    sooner[8].creation_age = 20 * second;
    for (size_t i = 0; i < sizeof(rules) / sizeof(*rules); i++) {
        enum removal_rule rule;
        assert_true(replica_set_compare(&sooner[i], &base, &rule) < 0);
        assert_int_equal(rule, rules[i]);
        assert_true(replica_set_compare(&base, &sooner[i], NULL) > 0);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(ranking_rules),
        cmocka_unit_test(removals_by_definition),
        cmocka_unit_test(folding_keeps_every_removal),
        cmocka_unit_test(creation_starts_slowly),
        cmocka_unit_test(deletion_costs_are_written_strictly),
        cmocka_unit_test(available_means_ready_for_longer),
    };
    return cmocka_run_group_tests_name("replica set", tests, NULL, NULL);
}
