/* SPDX-License-Identifier: Apache-2.0 */
/* Pods of DaemonSets, in clusters whose states are counted by hand. */
#include "verify/verify_fixture.h"

#define AGENT(cpu, rest)                                                                       \
    "---\napiVersion: apps/v1\nkind: DaemonSet\nmetadata: {name: agent, namespace: default}\n" \
    "spec:\n  selector: {matchLabels: {app: agent}}\n  template:\n    metadata: {labels: "     \
    "{app: agent}}\n    spec:\n      containers:\n      - {name: c, image: x, resources: "     \
    "{requests: {cpu: " cpu "}}}\n" rest
#define TAINTED(name)                                                              \
    "  - {name: " name                                                             \
    ", count: 1, node: {spec: {taints: [{key: k, value: v, effect: NoSchedule}]}," \
    " status: {allocatable: {cpu: '4', memory: 16Gi, pods: '110'}}}}\n"

static struct outcome explore(const char *manifests, uint64_t states, uint64_t transitions)
{
    const struct outcome outcome = verify(manifests, unlimited());
    assert_int_equal(outcome.states, states);
    assert_int_equal(outcome.transitions, transitions);
    return outcome;
}

/* Nothing, both pods waiting, one placed, both placed: the nodes are alike. */
static void nodes_with_their_pods_are_one_class(void **state)
{
    (void)state;
    explore(CHECK(GROUP("a", "2"), "  intents: [{name: podsSchedulable}]\n") AGENT("1", ""), 4, 3);
}

/* The same with readiness. As (node, node), each waiting, starting or ready:
 * nothing, (w,w), (w,s), (w,r), (s,s), (s,r), (r,r). */
static void pods_become_ready_in_any_order(void **state)
{
    (void)state;
    assert_int_equal(
        explore(CHECK(GROUP("a", "2"), "  intents: [{name: converges}]\n") AGENT("1", ""), 7, 7)
            .verdict,
        VERDICT_HOLDS);
}

/* Four nodes: as many states as there are numbers of placed pods, and the start. */
static void states_grow_with_the_nodes_only(void **state)
{
    (void)state;
    explore(CHECK(GROUP("a", "4"), "  intents: [{name: podsSchedulable}]\n") AGENT("1", ""), 6, 5);
}

/* A taint keeps the pod away, and the set wants none there. */
static void tainted_nodes_get_none(void **state)
{
    (void)state;
    assert_int_equal(
        explore(CHECK(TAINTED("a"), "  intents: [{name: converges}]\n") AGENT("1", ""), 1, 0)
            .verdict,
        VERDICT_HOLDS);
}

/* A pod that waits for a full node holds nothing: created, tried in vain. */
static void a_pod_that_does_not_fit_waits(void **state)
{
    (void)state;
    const struct outcome outcome =
        explore(CHECK(GROUP("a", "1"), "  intents: [{name: converges}]\n") AGENT("5", ""), 2, 2);
    assert_int_equal(outcome.verdict, VERDICT_VIOLATED);
}

/* It is tried on its own node alone: the other would have room. Pods of the set
 * and of web compete for the small node; web may go to either. */
static void a_pod_waits_for_its_own_node(void **state)
{
    (void)state;
    const struct outcome outcome =
        verify(CHECK(GROUP("a", "2"),
                     "  intents: [{name: podsSchedulable, workload: DaemonSet/default/agent}]\n")
                   WEB("1", "") AGENT("4", ""),
               unlimited());
    assert_int_equal(outcome.verdict, VERDICT_VIOLATED);
}

/* Two sets wait on one node: nothing, one of them waiting, both, and the same
 * again while they are placed: (n,n) (w,n) (n,w) (w,w) (p,n) (n,p) (p,w) (w,p) (p,p). */
static void several_sets_wait_on_one_node(void **state)
{
    (void)state;
    explore(CHECK(GROUP("a", "1"), "  intents: [{name: podsSchedulable}]\n") AGENT(
                "1",
                "") "---\napiVersion: apps/v1\nkind: DaemonSet\nmetadata: {name: other, namespace: "
                    "default}\nspec:\n  selector: {matchLabels: {app: other}}\n  template:\n"
                    "    metadata: {labels: {app: other}}\n    spec: {containers: [{name: c, "
                    "image: x}]}\n",
            9, 12);
}

/*
 * A node whose disk is full for ever: nothing, waiting and placed, each before and
 * after; placed, the pod is evicted and terminates; from then on the next one
 * waits, is bound and turned away.
 */
static void pressure_turns_pods_away_for_ever(void **state)
{
    (void)state;
    const struct outcome outcome =
        verify(CHECK(GROUP("a", "1"),
                     "  events: [{name: nodePressure, condition: DiskPressure, atMost: 1}]\n"
                     "  intents: [{name: podsSchedulable}]\n") AGENT("1", ""),
               unlimited());
    assert_int_equal(outcome.verdict, VERDICT_HOLDS);
    assert_int_equal(outcome.states, 8);
    assert_int_equal(outcome.transitions, 10);
}

/* For a while: the same, and from each of the five states under pressure that
 * there are the way back. The pod that is bound then is admitted after all. */
static void pressure_passes(void **state)
{
    (void)state;
    const struct outcome outcome = verify(
        CHECK(
            GROUP("a", "1"),
            "  events: [{name: nodePressure, condition: DiskPressure, atMost: 1, recovers: true}]\n"
            "  intents: [{name: noEvictionLoop}]\n") AGENT("1", ""),
        unlimited());
    assert_int_equal(outcome.verdict, VERDICT_HOLDS);
    /* before: n w p; under pressure: n w b p t; after: n w b p t */
    assert_int_equal(outcome.states, 13);
    /* 5 before, 5 on and 5 back under pressure, after: n-w w-p b-p t-n */
    assert_int_equal(outcome.transitions, 5 + 5 + 5 + 4);
}

/* With clocks nodes that are lost have templates of their own. */
static void pods_stay_on_lost_nodes(void **state)
{
    (void)state;
    const struct outcome outcome =
        verify(CHECK(GROUP("a", "2"),
                     "  time: clocked\n  events: [{name: nodeFailure, atMost: 1, recovers: true}]\n"
                     "  intents: [{name: converges}, {name: neverEvicted}]\n") AGENT("1", ""),
               unlimited());
    assert_int_equal(outcome.verdict, VERDICT_HOLDS);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(nodes_with_their_pods_are_one_class),
        cmocka_unit_test(pods_become_ready_in_any_order),
        cmocka_unit_test(states_grow_with_the_nodes_only),
        cmocka_unit_test(tainted_nodes_get_none),
        cmocka_unit_test(a_pod_that_does_not_fit_waits),
        cmocka_unit_test(a_pod_waits_for_its_own_node),
        cmocka_unit_test(several_sets_wait_on_one_node),
        cmocka_unit_test(pressure_turns_pods_away_for_ever),
        cmocka_unit_test(pressure_passes),
        cmocka_unit_test(pods_stay_on_lost_nodes),
    };
    return cmocka_run_group_tests_name("daemon_states", tests, NULL, NULL);
}
