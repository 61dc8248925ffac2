/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The node lifecycle controller beyond the recorded runs: its token bucket, the
 * taint manager's schedule, the grace period of each release, and that folding
 * equal nodes into classes changes nothing.
 */
#include "decide/controller/node_lifecycle.h"

#include "decide/controller/random_test.h"
#include "decide/controller/taint_manager.h"
#include "decide/features_fixture.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#define SECONDS(count) ((int64_t)(count)*NANOSECONDS_PER_SECOND)

static void test_tokens(void **state)
{
    (void)state;
    struct taint_limiter limiter = taint_limiter_full(0.1F);
    assert_true(taint_limiter_take(&limiter));
    assert_false(taint_limiter_take(&limiter));
    taint_limiter_age(&limiter, SECONDS(10) - 1000000);
    assert_false(taint_limiter_has_token(&limiter));
    taint_limiter_age(&limiter, 1000000);
    assert_true(taint_limiter_has_token(&limiter));
    /* As a float32, 0.01 is a little less, so 100 s do not suffice. */
    taint_limiter_take(&limiter);
    taint_limiter_change(&limiter, 0.01F);
    taint_limiter_age(&limiter, SECONDS(100));
    assert_false(taint_limiter_has_token(&limiter));
    taint_limiter_age(&limiter, 100000000);
    assert_true(taint_limiter_has_token(&limiter));
}

static void test_changing_the_rate(void **state)
{
    (void)state;
    struct taint_limiter limiter = taint_limiter_full(0.1F);
    taint_limiter_change(&limiter, 0.01F); /* had a token, has one again */
    assert_true(taint_limiter_has_token(&limiter));
    taint_limiter_change(&limiter, 0);
    taint_limiter_age(&limiter, SECONDS(1000));
    assert_false(taint_limiter_has_token(&limiter));
    taint_limiter_change(&limiter, 0.1F); /* gave nothing, so starts empty */
    assert_false(taint_limiter_has_token(&limiter));
    taint_limiter_age(&limiter, SECONDS(10));
    assert_true(taint_limiter_has_token(&limiter));
    taint_limiter_take(&limiter);
    taint_limiter_change(&limiter, 0.1F); /* the same rate: nothing happens */
    taint_limiter_age(&limiter, SECONDS(10));
    assert_true(taint_limiter_has_token(&limiter));
}

static void test_tolerated_seconds(void **state)
{
    (void)state;
    const struct taint taints[] = {{"a", "", TAINT_NO_EXECUTE, TIME_NONE},
                                   {"b", "x", TAINT_NO_EXECUTE, TIME_NONE}};
    const struct toleration forever = {"a", TOLERATION_EXISTS, "", TAINT_NO_EXECUTE, {false, 0}};
    const struct toleration minute = {"b", TOLERATION_EQUAL, "x", TAINT_NO_EXECUTE, {true, 60}};
    const struct toleration late = {"b", TOLERATION_EXISTS, "", TAINT_EFFECT_ANY, {true, 600}};
    const struct toleration negative = {"a", TOLERATION_EXISTS, "", TAINT_NO_EXECUTE, {true, -5}};
    const struct {
        struct toleration tolerations[3];
        uint32_t count;
        uint32_t taint_count;
        int64_t seconds;
    } cases[] = {
        {{forever, minute}, 2, 2, 60},        {{forever, minute, late}, 3, 2, 60},
        {{forever, late, minute}, 3, 2, 600}, /* the first that matches counts */
        {{forever}, 1, 2, NOT_TOLERATED},     {{forever}, 1, 1, TOLERATED_FOREVER},
        {{negative, minute}, 2, 2, 0},        {{minute}, 1, 1, NOT_TOLERATED},
    };
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++)
        assert_int_equal(taint_manager_tolerated_seconds(taints, cases[i].taint_count,
                                                         cases[i].tolerations, cases[i].count),
                         cases[i].seconds);
}

static void test_schedule_stays_when_taints_change(void **state)
{
    (void)state;
    struct taint_eviction eviction = {0};
    bool evict;
    assert_int_equal(taint_manager_update(&eviction, false, 1, 300, &evict),
                     TAINT_MANAGER_SCHEDULED);
    assert_false(evict);
    /* At the same instant a later update still counts. */
    assert_int_equal(taint_manager_update(&eviction, false, 2, 60, &evict),
                     TAINT_MANAGER_SCHEDULED);
    assert_int_equal(eviction.left, SECONDS(60));
    assert_false(taint_manager_age(&eviction, false, SECONDS(59)));
    assert_int_equal(taint_manager_update(&eviction, false, 1, 30, &evict), TAINT_MANAGER_KEPT);
    assert_int_equal(eviction.left, SECONDS(1));
    assert_true(taint_manager_age(&eviction, false, SECONDS(1)));
    assert_int_equal(taint_manager_update(&eviction, false, 1, 30, &evict),
                     TAINT_MANAGER_ALREADY_DONE);
    assert_false(evict);
    assert_false(taint_manager_age(&eviction, false, SECONDS(60)));
    assert_int_equal(taint_manager_update(&eviction, false, 1, NOT_TOLERATED, &evict),
                     TAINT_MANAGER_NOT_TOLERATED);
    assert_true(evict);
    assert_int_equal(taint_manager_update(&eviction, false, 0, 0, &evict), TAINT_MANAGER_NO_TAINTS);
    assert_int_equal(taint_manager_update(&eviction, false, 1, 0, &evict), TAINT_MANAGER_SCHEDULED);
    assert_true(evict);
    assert_int_equal(taint_manager_update(&eviction, false, 1, TOLERATED_FOREVER, &evict),
                     TAINT_MANAGER_FOREVER);
    assert_int_equal(eviction.state, TAINT_EVICTION_NONE);
}

/* From 1.33 on a pod that is still there after its eviction is scheduled again when the
 * taints change. */
static void test_finished_evictions_are_forgotten(void **state)
{
    (void)state;
    struct taint_eviction eviction = {0};
    bool evict;
    taint_manager_update(&eviction, true, 1, 30, &evict);
    assert_true(taint_manager_age(&eviction, true, SECONDS(30)));
    assert_int_equal(taint_manager_update(&eviction, true, 2, 30, &evict), TAINT_MANAGER_SCHEDULED);
    assert_false(evict);
    assert_true(taint_manager_age(&eviction, true, SECONDS(30)));
    taint_manager_update(&eviction, true, 1, 0, &evict);
    assert_true(evict);
    taint_manager_update(&eviction, true, 1, 0, &evict);
    assert_true(evict);
    assert_false(node_lifecycle_default_rules(version(32)).forgets_evictions);
    assert_true(node_lifecycle_default_rules(version(33)).forgets_evictions);
}

/* ---- passes ---- */

enum { NODES_MOST = 48, ZONES = 3 };

struct cluster {
    struct lifecycle_node nodes[NODES_MOST];
    uint32_t count;
    struct lifecycle_zone zones[ZONES];
    struct lifecycle_report reports[NODES_MOST];
};

static struct lifecycle_node ready_node(uint32_t zone)
{
    return (struct lifecycle_node){
        .count = 1,
        .zone = zone,
        .conditions = {STATUS_TRUE, STATUS_FALSE, STATUS_FALSE, STATUS_FALSE, STATUS_ABSENT},
        .has_lease = true,
        .lease_new = true,
    };
}

static void test_grace_period_by_release(void **state)
{
    (void)state;
    static const struct {
        int minor;
        int64_t silent_seconds;
        bool unknown;
    } cases[] = {{26, 40, false}, {26, 45, true},  {31, 45, true},
                 {32, 45, false}, {32, 50, false}, {33, 55, true}};
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        const struct node_lifecycle_rules rules =
            node_lifecycle_default_rules(version(cases[i].minor));
        struct lifecycle_node node = ready_node(0);
        struct lifecycle_zone zone = lifecycle_zone_initial(&rules);
        struct lifecycle_report report;
        node_lifecycle_monitor(&rules, &node, 1, &zone, 1, &report);
        node_lifecycle_age(&node, 1, &zone, 1, SECONDS(cases[i].silent_seconds));
        node_lifecycle_monitor(&rules, &node, 1, &zone, 1, &report);
        assert_int_equal(node.conditions[NODE_READY] == STATUS_UNKNOWN, cases[i].unknown);
        assert_int_equal(report.pods_not_ready, cases[i].unknown);
    }
}

/* Until 1.33 a silent node waited for the next pass. Another one answers, so that the
 * zone is not down. */
static void test_taint_in_the_same_pass(void **state)
{
    (void)state;
    for (int minor = 33; minor <= 34; minor++) {
        const struct node_lifecycle_rules rules = node_lifecycle_default_rules(version(minor));
        struct lifecycle_node nodes[] = {ready_node(0), ready_node(0)};
        struct lifecycle_zone zone = lifecycle_zone_initial(&rules);
        struct lifecycle_report reports[2];
        node_lifecycle_monitor(&rules, nodes, 2, &zone, 1, reports);
        node_lifecycle_age(nodes, 2, &zone, 1, SECONDS(55));
        nodes[1].lease_new = true;
        node_lifecycle_monitor(&rules, nodes, 2, &zone, 1, reports);
        assert_int_equal(nodes[0].conditions[NODE_READY], STATUS_UNKNOWN);
        assert_int_equal(nodes[0].queue == LIFECYCLE_QUEUED, minor == 34);
        assert_int_equal(nodes[1].queue, LIFECYCLE_NOT_QUEUED);
        assert_true(reports[0].pods_not_ready);
        node_lifecycle_monitor(&rules, nodes, 2, &zone, 1, reports);
        assert_int_equal(nodes[0].queue, LIFECYCLE_QUEUED);
    }
}

/* A node that never posted its status has 60 s from its creation. */
static void test_node_that_never_posted(void **state)
{
    (void)state;
    const struct node_lifecycle_rules rules = node_lifecycle_default_rules(version(26));
    struct lifecycle_node node = {.count = 1, .creation_age = SECONDS(30)};
    struct lifecycle_zone zone = lifecycle_zone_initial(&rules);
    struct lifecycle_report report;
    node_lifecycle_monitor(&rules, &node, 1, &zone, 1, &report);
    assert_int_equal(report.made_unknown, 0);
    node_lifecycle_age(&node, 1, &zone, 1, SECONDS(30));
    node_lifecycle_monitor(&rules, &node, 1, &zone, 1, &report);
    assert_int_equal(report.made_unknown, 0);
    node_lifecycle_age(&node, 1, &zone, 1, SECONDS(5));
    node_lifecycle_monitor(&rules, &node, 1, &zone, 1, &report);
    assert_int_equal(report.made_unknown, 15);
    assert_int_equal(report.never_posted, 15);
}

/* When the first node answers after all were silent, all get a new chance. */
static void test_end_of_a_full_disruption(void **state)
{
    (void)state;
    const struct node_lifecycle_rules rules = node_lifecycle_default_rules(version(26));
    struct lifecycle_node nodes[] = {ready_node(0), ready_node(1)};
    struct lifecycle_zone zones[] = {lifecycle_zone_initial(&rules),
                                     lifecycle_zone_initial(&rules)};
    struct lifecycle_report reports[2];
    node_lifecycle_monitor(&rules, nodes, 2, zones, 2, reports);
    node_lifecycle_age(nodes, 2, zones, 2, SECONDS(60));
    node_lifecycle_monitor(&rules, nodes, 2, zones, 2, reports);
    assert_int_equal(zones[0].state, ZONE_FULL_DISRUPTION);
    assert_true(zones[0].limiter.rate == 0 && zones[1].limiter.rate == 0);
    nodes[0].conditions[NODE_READY] = STATUS_TRUE;
    nodes[0].heartbeat = nodes[0].lease_new = true;
    node_lifecycle_monitor(&rules, nodes, 2, zones, 2, reports);
    assert_int_equal(zones[0].state, ZONE_NORMAL);
    assert_int_equal(zones[1].state, ZONE_FULL_DISRUPTION);
    assert_true(zones[0].limiter.rate > 0 && zones[1].limiter.rate > 0);
    assert_false(taint_limiter_has_token(&zones[1].limiter));
    assert_int_equal(nodes[1].probe_age, 0);
}

/* Whatever a kubelet or somebody else does to all nodes of a class. */
static void disturb(struct dice *dice, struct lifecycle_node *node)
{
    if (dice_hit(dice, 2))
        node->lease_new = node->has_lease = true;
    if (dice_hit(dice, 6)) {
        node->heartbeat = true;
        node->conditions[NODE_READY] = dice_hit(dice, 3) ? STATUS_FALSE : STATUS_TRUE;
    }
    if (dice_hit(dice, 9))
        node->conditions[dice_between(dice, 1, 4)] = (enum condition_status)dice_roll(dice, 4);
    if (dice_hit(dice, 15))
        node->no_execute = (uint32_t)dice_roll(dice, 4);
    node->no_schedule = node_lifecycle_no_schedule(node);
}

static bool same_node(const struct lifecycle_node *a, const struct lifecycle_node *b)
{
    return a->zone == b->zone && a->excluded == b->excluded &&
           memcmp(a->conditions, b->conditions, sizeof(a->conditions)) == 0 &&
           a->no_schedule == b->no_schedule && a->no_execute == b->no_execute &&
           a->heartbeat == b->heartbeat && a->has_lease == b->has_lease &&
           a->lease_new == b->lease_new && a->known == b->known &&
           a->ready_saved == b->ready_saved && a->lease_saved == b->lease_saved &&
           a->probe_age == b->probe_age && a->queue == b->queue;
}

static bool same_zone(const struct lifecycle_zone *a, const struct lifecycle_zone *b)
{
    return a->state == b->state && a->limiter.rate == b->limiter.rate &&
           a->limiter.last_age == b->limiter.last_age;
}

/* May a node of this class be the next to get its NoExecute taint? */
static bool may_be_next(const struct lifecycle_node *node, const struct lifecycle_zone *zones)
{
    return node->queue == LIFECYCLE_QUEUED && taint_limiter_has_token(&zones[node->zone].limiter);
}

/* One node of a class is served: it becomes a class of its own. */
static void serve_one(struct dice *dice, struct cluster *folded, struct cluster *unfolded,
                      uint32_t *class_of)
{
    const uint32_t node = (uint32_t)dice_roll(dice, unfolded->count);
    const uint32_t class = class_of[node];
    uint32_t added;
    uint32_t removed;
    const bool candidate = may_be_next(&folded->nodes[class], folded->zones);
    assert_int_equal(candidate, may_be_next(&unfolded->nodes[node], unfolded->zones));
    if (!candidate || folded->count == NODES_MOST)
        return;
    taint_limiter_take(&folded->zones[folded->nodes[class].zone].limiter);
    taint_limiter_take(&unfolded->zones[unfolded->nodes[node].zone].limiter);
    node_lifecycle_taint(&unfolded->nodes[node], &added, &removed);
    const uint32_t split = folded->count++;
    folded->nodes[split] = folded->nodes[class];
    folded->nodes[split].count = 1;
    folded->nodes[class].count--;
    node_lifecycle_taint(&folded->nodes[split], &added, &removed);
    class_of[node] = split;
}

static void fold_once(uint64_t seed, int *tainted)
{
    static struct cluster folded;
    static struct cluster unfolded;
    uint32_t class_of[NODES_MOST] = {0};
    struct dice dice = {seed};
    struct node_lifecycle_rules rules = node_lifecycle_default_rules(version(26));
    rules.large_zone = 8;
    folded.count = (uint32_t)dice_between(&dice, 1, 6);
    unfolded.count = 0;
    for (uint32_t i = 0; i < ZONES; i++)
        folded.zones[i] = unfolded.zones[i] = lifecycle_zone_initial(&rules);
    for (uint32_t i = 0; i < folded.count; i++) {
        struct lifecycle_node node = ready_node((uint32_t)dice_roll(&dice, ZONES));
        node.excluded = dice_hit(&dice, 6);
        node.count = dice_between(&dice, 1, 5);
        folded.nodes[i] = node;
        for (int64_t n = 0; n < node.count; n++) {
            class_of[unfolded.count] = i;
            unfolded.nodes[unfolded.count] = node;
            unfolded.nodes[unfolded.count++].count = 1;
        }
    }
    for (int pass = 0; pass < 40; pass++) {
        for (uint32_t i = 0; i < folded.count; i++) {
            const uint64_t roll = dice_word(&dice);
            struct dice same = {roll};
            disturb(&same, &folded.nodes[i]);
            for (uint32_t n = 0; n < unfolded.count; n++) {
                same = (struct dice){roll};
                if (class_of[n] == i)
                    disturb(&same, &unfolded.nodes[n]);
            }
        }
        node_lifecycle_monitor(&rules, folded.nodes, folded.count, folded.zones, ZONES,
                               folded.reports);
        node_lifecycle_monitor(&rules, unfolded.nodes, unfolded.count, unfolded.zones, ZONES,
                               unfolded.reports);
        for (int i = 0; i < 4; i++)
            serve_one(&dice, &folded, &unfolded, class_of);
        for (uint32_t n = 0; n < unfolded.count; n++)
            if (!same_node(&unfolded.nodes[n], &folded.nodes[class_of[n]]))
                fail_msg("seed %llu, pass %d: node %u differs from its class",
                         (unsigned long long)seed, pass, n);
        for (uint32_t i = 0; i < ZONES; i++)
            if (!same_zone(&folded.zones[i], &unfolded.zones[i]))
                fail_msg("seed %llu, pass %d: zone %u differs", (unsigned long long)seed, pass, i);
        node_lifecycle_age(folded.nodes, folded.count, folded.zones, ZONES, SECONDS(5));
        node_lifecycle_age(unfolded.nodes, unfolded.count, unfolded.zones, ZONES, SECONDS(5));
    }
    for (uint32_t i = 0; i < folded.count; i++)
        *tainted += folded.nodes[i].queue == LIFECYCLE_QUEUE_DONE ? 1 : 0;
}

static void test_folding_changes_nothing(void **state)
{
    (void)state;
    int tainted = 0;
    for (uint64_t seed = 1; seed <= 3000; seed++)
        fold_once(seed, &tainted);
    assert_true(tainted > 300);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_tokens),
        cmocka_unit_test(test_changing_the_rate),
        cmocka_unit_test(test_tolerated_seconds),
        cmocka_unit_test(test_schedule_stays_when_taints_change),
        cmocka_unit_test(test_finished_evictions_are_forgotten),
        cmocka_unit_test(test_taint_in_the_same_pass),
        cmocka_unit_test(test_grace_period_by_release),
        cmocka_unit_test(test_node_that_never_posted),
        cmocka_unit_test(test_end_of_a_full_disruption),
        cmocka_unit_test(test_folding_changes_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
