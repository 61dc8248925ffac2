/* SPDX-License-Identifier: Apache-2.0 */
/* The scheduling queue: order, backoff, and which events end which wait. */
#include "manifest/manifest.h"
#include "scheduler_queue/queue.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#define POD(name, spec)                                                          \
    "{apiVersion: v1, kind: Pod, metadata: {name: " name ", labels: {app: " name \
    "}}, spec: {containers: [{name: c, image: i}]" spec "}}\n---\n"

enum { LOW, OTHER_LOW, HIGH, NEAR_LOW, GATED, POD_COUNT };

struct fixture {
    struct memory memory;
    struct arena arena;
    struct catalog *catalog;
    struct queue queue;
    uint32_t pods[POD_COUNT];
};

static void fixture_init(struct fixture *fixture, int minor)
{
    static const char manifest[] = POD("low", "") POD("other-low", "") POD("high", ", priority: 9")
        POD("near-low", ", affinity: {podAffinity: "
                        "{requiredDuringSchedulingIgnoredDuringExecution: [{topologyKey: zone, "
                        "labelSelector: {matchLabels: {app: low}}}]}}")
            POD("gated", ", schedulingGates: [{name: example.org/wait}]");
    struct documents documents = {0};
    struct objects objects = {0};
    struct problems problems;
    memory_init(&fixture->memory, SIZE_MAX);
    arena_init(&fixture->arena, &fixture->memory);
    problems_init(&problems, &fixture->arena);
    assert_true(
        manifest_parse(&fixture->arena, "case", manifest, strlen(manifest), &documents, &problems));
    assert_true(object_decode(&fixture->arena, &documents, NULL, &objects, &problems));
    struct features features = features_of_version(minor);
    fixture->catalog = catalog_create(&fixture->arena, &features);
    for (uint32_t i = 0; i < POD_COUNT; i++)
        fixture->pods[i] = catalog_add_pod(fixture->catalog, objects.items[i].as.pod);
    queue_init(&fixture->queue, fixture->catalog);
}

static void fixture_release(struct fixture *fixture)
{
    arena_release(&fixture->arena);
}

static void expect_next(struct fixture *fixture, uint32_t pod)
{
    struct queue_run popped;
    assert_true(queue_pop(&fixture->queue, &popped));
    assert_int_equal(popped.pod, fixture->pods[pod]);
}

static void expect_none(struct fixture *fixture)
{
    struct queue_run popped;
    assert_false(queue_pop(&fixture->queue, &popped));
}

static uint32_t bit(const struct plugin *plugin)
{
    return UINT32_C(1) << plugin_number(plugin);
}

static void test_priority_then_arrival(void **state)
{
    (void)state;
    struct fixture fixture;
    fixture_init(&fixture, 26);
    queue_push(&fixture.queue, fixture.pods[OTHER_LOW], 1);
    queue_push(&fixture.queue, fixture.pods[LOW], 2);
    queue_push(&fixture.queue, fixture.pods[HIGH], 1);
    assert_int_equal(fixture.queue.runs.count, 3);
    expect_next(&fixture, HIGH);
    expect_next(&fixture, OTHER_LOW);
    expect_next(&fixture, LOW);
    expect_next(&fixture, LOW);
    expect_none(&fixture);
    fixture_release(&fixture);
}

static void test_backoff_doubles_up_to_a_limit(void **state)
{
    (void)state;
    static const int64_t expected[] = {1000, 1000, 2000, 4000, 8000, 10000, 10000};
    struct fixture fixture;
    fixture_init(&fixture, 26);
    for (uint32_t i = 0; i < sizeof(expected) / sizeof(expected[0]); i++)
        assert_int_equal(queue_backoff_ms(&fixture.queue, i), expected[i]);
    fixture_release(&fixture);
}

/* Fails once because of `plugin`, long enough ago that backoff is over. */
static void fail_once(struct fixture *fixture, uint32_t pod, uint32_t plugins)
{
    struct queue_run popped;
    queue_push(&fixture->queue, fixture->pods[pod], 1);
    assert_true(queue_pop(&fixture->queue, &popped));
    assert_int_equal(popped.attempts, 1);
    queue_park(&fixture->queue, &popped, plugins, false);
    queue_elapse(&fixture->queue, 1000);
    expect_none(fixture);
}

static void test_events_end_the_wait_of_those_they_help(void **state)
{
    (void)state;
    const struct {
        const struct plugin *plugin;
        uint32_t event;
        bool helps;
    } cases[] = {
        {&plugin_node_resources_fit, EVENT_POD_DELETE, true},
        {&plugin_node_resources_fit, EVENT_NODE_ADD, true},
        {&plugin_node_resources_fit, EVENT_NODE_ALLOCATABLE, true},
        {&plugin_node_resources_fit, EVENT_STORAGE, false},
        {&plugin_taint_toleration, EVENT_NODE_TAINT, true},
        {&plugin_taint_toleration, EVENT_POD_DELETE, false},
        {&plugin_node_unschedulable, EVENT_NODE_TAINT, true},
        {&plugin_node_unschedulable, EVENT_NODE_LABEL, false},
        {&plugin_pod_topology_spread, EVENT_POD_DELETE, true},
        {&plugin_pod_topology_spread, EVENT_NODE_LABEL, true},
        {&plugin_pod_topology_spread, EVENT_NODE_TAINT, false},
        {&plugin_node_affinity, EVENT_NODE_LABEL, true},
        {&plugin_volume_binding, EVENT_STORAGE, true},
        {&plugin_volume_binding, EVENT_POD_DELETE, false},
    };
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        struct fixture fixture;
        fixture_init(&fixture, 26);
        fail_once(&fixture, LOW, bit(cases[i].plugin));
        assert_int_equal(queue_event(&fixture.queue, cases[i].event), cases[i].helps);
        if (cases[i].helps)
            expect_next(&fixture, LOW);
        else
            expect_none(&fixture);
        fixture_release(&fixture);
    }
}

static void test_after_an_error_any_event_helps(void **state)
{
    (void)state;
    struct fixture fixture;
    fixture_init(&fixture, 26);
    fail_once(&fixture, LOW, 0);
    assert_int_equal(queue_event(&fixture.queue, EVENT_STORAGE), 1);
    expect_next(&fixture, LOW);
    fixture_release(&fixture);
}

static void test_an_event_does_not_shorten_backoff(void **state)
{
    (void)state;
    struct fixture fixture;
    struct queue_run popped;
    fixture_init(&fixture, 26);
    queue_push(&fixture.queue, fixture.pods[LOW], 1);
    assert_true(queue_pop(&fixture.queue, &popped));
    queue_park(&fixture.queue, &popped, bit(&plugin_node_resources_fit), false);
    queue_elapse(&fixture.queue, 400);
    assert_int_equal(queue_event(&fixture.queue, EVENT_POD_DELETE), 1);
    expect_none(&fixture);
    queue_elapse(&fixture.queue, 599);
    expect_none(&fixture);
    queue_elapse(&fixture.queue, 1);
    expect_next(&fixture, LOW);
    fixture_release(&fixture);
}

static void test_a_move_meanwhile_only_backs_off(void **state)
{
    (void)state;
    struct fixture fixture;
    struct queue_run popped;
    fixture_init(&fixture, 26);
    queue_push(&fixture.queue, fixture.pods[LOW], 1);
    assert_true(queue_pop(&fixture.queue, &popped));
    queue_park(&fixture.queue, &popped, bit(&plugin_node_resources_fit), true);
    expect_none(&fixture);
    queue_elapse(&fixture.queue, 1000);
    expect_next(&fixture, LOW);
    fixture_release(&fixture);
}

static void test_five_minutes_end_every_wait(void **state)
{
    (void)state;
    struct fixture fixture;
    fixture_init(&fixture, 26);
    fail_once(&fixture, LOW, bit(&plugin_taint_toleration));
    queue_elapse(&fixture.queue, 298999);
    expect_none(&fixture);
    queue_elapse(&fixture.queue, 1);
    expect_next(&fixture, LOW);
    fixture_release(&fixture);
}

static void test_a_failed_pod_goes_behind_those_that_wait(void **state)
{
    (void)state;
    struct fixture fixture;
    fixture_init(&fixture, 26);
    fail_once(&fixture, LOW, 0);
    queue_push(&fixture.queue, fixture.pods[OTHER_LOW], 1);
    queue_event(&fixture.queue, EVENT_NODE_ADD);
    expect_next(&fixture, LOW); /* it failed before the other came */
    expect_next(&fixture, OTHER_LOW);
    fixture_release(&fixture);
}

static void test_a_bound_pod_ends_the_wait_of_those_that_want_it(void **state)
{
    (void)state;
    struct fixture fixture;
    fixture_init(&fixture, 26);
    fail_once(&fixture, NEAR_LOW, bit(&plugin_inter_pod_affinity));
    fail_once(&fixture, OTHER_LOW, bit(&plugin_pod_topology_spread));
    const struct pod_class *other = fixture.catalog->pods.items[fixture.pods[OTHER_LOW]];
    const struct pod_class *low = fixture.catalog->pods.items[fixture.pods[LOW]];
    assert_int_equal(queue_pod_assigned(&fixture.queue, other, EVENT_POD_ADD), 0);
    assert_int_equal(queue_pod_assigned(&fixture.queue, low, EVENT_POD_ADD), 1);
    expect_next(&fixture, NEAR_LOW);
    expect_none(&fixture);
    fixture_release(&fixture);
}

static void test_gates(void **state)
{
    (void)state;
    struct fixture fixture;
    fixture_init(&fixture, 27);
    queue_push(&fixture.queue, fixture.pods[GATED], 1);
    queue_event(&fixture.queue, EVENT_NODE_ADD);
    expect_none(&fixture);
    fixture_release(&fixture);
    fixture_init(&fixture, 26);
    queue_push(&fixture.queue, fixture.pods[GATED], 1);
    expect_next(&fixture, GATED); /* the gate of gates is off: the field is dropped */
    fixture_release(&fixture);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_priority_then_arrival),
        cmocka_unit_test(test_backoff_doubles_up_to_a_limit),
        cmocka_unit_test(test_events_end_the_wait_of_those_they_help),
        cmocka_unit_test(test_after_an_error_any_event_helps),
        cmocka_unit_test(test_an_event_does_not_shorten_backoff),
        cmocka_unit_test(test_a_move_meanwhile_only_backs_off),
        cmocka_unit_test(test_five_minutes_end_every_wait),
        cmocka_unit_test(test_a_failed_pod_goes_behind_those_that_wait),
        cmocka_unit_test(test_a_bound_pod_ends_the_wait_of_those_that_want_it),
        cmocka_unit_test(test_gates),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
