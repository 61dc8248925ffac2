/* SPDX-License-Identifier: Apache-2.0 */
/* StatefulSets so small that their states can be counted by hand. */
#include "verify/verify_fixture.h"

#define STATEFUL(replicas, rest)                                                              \
    "---\napiVersion: apps/v1\nkind: StatefulSet\nmetadata: {name: db, namespace: default}\n" \
    "spec:\n  replicas: " replicas "\n  serviceName: db\n" rest                               \
    "  selector: {matchLabels: {app: db}}\n  template:\n    metadata: {labels: {app: db}}\n"  \
    "    spec: {containers: [{name: c, image: x, resources: {requests: {cpu: 500m}}}]}\n"

/* One pod after the other: each waits, starts, is ready. */
static void ordered_pods_are_a_line_of_states(void **state)
{
    (void)state;
    const struct outcome outcome = verify(
        CHECK(GROUP("a", "1"), "  intents: [{name: converges}]\n") STATEFUL("2", ""), unlimited());
    assert_int_equal(outcome.verdict, VERDICT_HOLDS);
    assert_int_equal(outcome.states, 7);
    assert_int_equal(outcome.transitions, 6);
}

/* Both are made at once, and each waits, starts and is ready on its own: three
 * times three states and the beginning; two times three steps in each direction
 * and the first. db-0 is not db-1, but two equal nodes are still alike: the
 * second pod takes the other node, and which that is makes no difference. */
static void ordinals_are_told_apart_and_nodes_are_not(void **state)
{
    (void)state;
    static const char *const nodes[] = {
        CHECK(GROUP("a", "1"), "  intents: [{name: converges}]\n")
            STATEFUL("2", "  podManagementPolicy: Parallel\n"),
        CHECK(GROUP("a", "2"), "  intents: [{name: converges}]\n")
            STATEFUL("2", "  podManagementPolicy: Parallel\n"),
        CHECK(GROUP("a", "5"), "  intents: [{name: converges}]\n")
            STATEFUL("2", "  podManagementPolicy: Parallel\n"),
    };
    for (size_t i = 0; i < sizeof(nodes) / sizeof(*nodes); i++) {
        const struct outcome outcome = verify(nodes[i], unlimited());
        assert_int_equal(outcome.verdict, VERDICT_HOLDS);
        assert_int_equal(outcome.states, 10);
        assert_int_equal(outcome.transitions, 13);
    }
}

/* Seven states to the first rest; then the user asks for one: db-1 is told to go,
 * terminates, is gone. It is never db-0. */
static void the_highest_ordinal_goes_first(void **state)
{
    (void)state;
    const struct outcome outcome = verify(
        CHECK(GROUP("a", "1"), "  events: [{name: scale, workload: StatefulSet/default/db, "
                               "to: [1], after: settled}]\n"
                               "  intents: [{name: converges}, {name: replicasAtLeast, "
                               "workload: StatefulSet/default/db, value: 1}]\n") STATEFUL("2", ""),
        unlimited());
    assert_int_equal(outcome.verdict, VERDICT_HOLDS);
    assert_int_equal(outcome.states, 10);
    assert_int_equal(outcome.transitions, 9);
}

/* A pod that cannot leave a dead node keeps its name: db-0 waits, starts, is
 * ready; in each of these one of two nodes may fail (if it is there: the taint
 * manager tells it to go, and it never does). */
static void a_dead_node_keeps_its_ordinal(void **state)
{
    (void)state;
    const struct outcome outcome =
        verify(CHECK(GROUP("a", "2"), "  events: [{name: nodeFailure}]\n"
                                      "  intents: [{name: converges}]\n") STATEFUL("1", ""),
               unlimited());
    /* nothing, waiting; starting, ready; the same four beside a dead node, and
     * starting, ready or terminating on it. */
    assert_int_equal(outcome.verdict, VERDICT_VIOLATED);
    assert_int_equal(outcome.states, 11);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(ordered_pods_are_a_line_of_states),
        cmocka_unit_test(ordinals_are_told_apart_and_nodes_are_not),
        cmocka_unit_test(the_highest_ordinal_goes_first),
        cmocka_unit_test(a_dead_node_keeps_its_ordinal),
    };
    return cmocka_run_group_tests_name("stateful_states", tests, NULL, NULL);
}
