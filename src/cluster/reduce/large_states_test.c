/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Clusters with more nodes than fit into twelve bits and more replicas than fit
 * into sixteen, so regular that their states can be counted by hand all the same.
 */
#include "verify/verify_fixture.h"

#define SMALL_PODS(replicas)                                                                  \
    "---\napiVersion: apps/v1\nkind: Deployment\nmetadata: {name: web, namespace: default}\n" \
    "spec:\n  replicas: " replicas "\n  selector: {matchLabels: {app: web}}\n  template:\n"   \
    "    metadata: {labels: {app: web}}\n"                                                    \
    "    spec: {containers: [{name: c, image: x, resources: {requests: {cpu: 10m}}}]}\n"

#define AUTOSCALED(least, most)                                                             \
    "---\napiVersion: autoscaling/v2\nkind: HorizontalPodAutoscaler\n"                      \
    "metadata: {name: web, namespace: default}\nspec:\n  scaleTargetRef: {apiVersion: "     \
    "apps/v1, kind: Deployment, name: web}\n  minReplicas: " least "\n  maxReplicas: " most \
    "\n  metrics: [{type: Resource, resource: {name: cpu, target: {type: Utilization, "     \
    "averageUtilization: 100}}}]\n"

/* Nothing, the set, two bursts of 500 and 100, and each pod placed: it does not
 * matter which of the emptiest nodes takes it. */
static void thousands_of_nodes_are_one_count(void **state)
{
    (void)state;
    const struct outcome outcome =
        verify(CHECK(GROUP("a", "5000"),
                     "  intents: [{name: podsSchedulable}, {name: converges}]\n") SMALL_PODS("600"),
               unlimited());
    assert_int_equal(outcome.verdicts[0], VERDICT_HOLDS);
    assert_int_equal(outcome.verdicts[1], VERDICT_HOLDS);
    assert_int_equal(outcome.states, 2 + 2 + 600);
    assert_int_equal(outcome.transitions, 1 + 2 + 600);
}

/* 5,000 nodes with 14 pods each; one of them fails, its pods are evicted, made
 * anew and placed. Up to then the states are a line. From then on they count how
 * many of the 14 are evicted, and how many of these are placed again: those that
 * wait to be made are made at once. */
static void tens_of_thousands_of_replicas_are_counted(void **state)
{
    (void)state;
    const struct outcome outcome = verify(
        CHECK(GROUP("a", "5000"), "  scale: {mode: exact}\n"
                                  "  events: [{name: nodeFailure, after: settled}]\n"
                                  "  intents: [{name: podsSchedulable}, {name: converges}]\n")
            SMALL_PODS("70000") AUTOSCALED("70000", "140000"),
        unlimited());
    const int line = 2 + 70000 / 500 + 70000;
    const int missing = 14; /* evicted, and not yet made again */
    const int failed = 15 * (15 + 1) / 2;
    assert_int_equal(outcome.verdicts[0], VERDICT_HOLDS);
    assert_int_equal(outcome.verdicts[1], VERDICT_HOLDS);
    assert_int_equal(outcome.states, line + failed + missing * (missing + 1) / 2);
}

/* The bound lies beyond 16 bits, and is passed by one. */
static void large_bounds_are_passed_by_one(void **state)
{
    (void)state;
    const char *const bounds[] = {
        CHECK(
            GROUP("a", "1"),
            "  scale: {mode: exact}\n"
            "  events: [{name: scale, workload: Deployment/default/web, to: [70000], after: "
            "settled}]\n"
            "  intents: [{name: replicasAtMost, workload: Deployment/default/web, value: 70000}]\n")
            SMALL_PODS("1"),
        CHECK(
            GROUP("a", "1"),
            "  scale: {mode: exact}\n"
            "  events: [{name: scale, workload: Deployment/default/web, to: [70001], after: "
            "settled}]\n"
            "  intents: [{name: replicasAtMost, workload: Deployment/default/web, value: 70000}]\n")
            SMALL_PODS("1"),
    };
    assert_int_equal(verify(bounds[0], unlimited()).verdict, VERDICT_HOLDS);
    assert_int_equal(verify(bounds[1], unlimited()).verdict, VERDICT_VIOLATED);
}

/* The autoscaler raises 66,000 replicas to 70,000 and leaves it at that. */
static void large_numbers_do_not_swing(void **state)
{
    (void)state;
    const struct outcome outcome = verify(
        CHECK(GROUP("a", "5000"), "  scale: {mode: exact}\n  intents: [{name: noReplicaSwing}]\n")
            SMALL_PODS("66000") AUTOSCALED("70000", "140000"),
        unlimited());
    assert_int_equal(outcome.verdict, VERDICT_HOLDS);
    assert_int_equal(outcome.states, 2 + 66000 / 500 + 66000 + 2 + 4000 / 500 + 4000);
}

/* What no state can hold is never taken for explored. */
static void too_much_is_undecided(void **state)
{
    (void)state;
    const struct outcome outcome =
        verify(CHECK(GROUP("a", "1"),
                     "  scale: {mode: exact}\n"
                     "  events: [{name: scale, workload: Deployment/default/web, to: [100000000], "
                     "after: settled}]\n"
                     "  intents: [{name: neverPreempted}]\n") SMALL_PODS("3"),
               unlimited());
    assert_int_equal(outcome.verdicts[0], VERDICT_UNDECIDED);
}

/* As many kinds of nodes as a state has room for: there is none for a node that
 * differs from the other of its kind. What comes next is not known then, and neither
 * is that nothing does. */
static void too_many_kinds_are_undecided(void **state)
{
    (void)state;
    enum { KINDS = 8188 };
    struct memory memory;
    struct text manifests;
    memory_init(&memory, SIZE_MAX);
    text_init(&manifests, &memory);
    text_append_string(&manifests, "apiVersion: fathom/v1\nkind: Check\nmetadata: {name: t}\n"
                                   "spec:\n  scale: {mode: exact}\n  nodeGroups:\n");
    for (int i = 0; i < KINDS; i++)
        text_printf(&manifests,
                    "  - {name: g%d, count: 2, node: {metadata: {labels: {kind: k%d}}, status: "
                    "{allocatable: {cpu: '4', pods: '9'}}}}\n",
                    i, i);
    text_append_string(&manifests,
                       "  intents: [{name: converges}, {name: podsSchedulable, mode: eventually}, "
                       "{name: balanced, topologyKey: kind}]\n" SMALL_PODS("2"));
    const struct outcome outcome = verify(text_content(&manifests), unlimited());
    for (int i = 0; i < 3; i++)
        assert_int_equal(outcome.verdicts[i], VERDICT_UNDECIDED);
    text_release(&manifests);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(thousands_of_nodes_are_one_count),
        cmocka_unit_test(tens_of_thousands_of_replicas_are_counted),
        cmocka_unit_test(large_bounds_are_passed_by_one),
        cmocka_unit_test(large_numbers_do_not_swing),
        cmocka_unit_test(too_much_is_undecided),
        cmocka_unit_test(too_many_kinds_are_undecided),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
