/* SPDX-License-Identifier: Apache-2.0 */
/* StatefulSets so small that their states can be counted by hand. */
#include "verify/verify_fixture.h"

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

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

/* db-1 finds no node, and is gone as soon as it is not wanted any more: nothing; db-0 in
 * three states; db-1 waits beside it, wanted or not; db-0 alone. */
static void a_pod_that_waits_is_deleted_at_once(void **state)
{
    (void)state;
    const struct outcome outcome = verify(
        CHECK("  - {name: a, count: 1, node: {status: {allocatable: {cpu: 500m, pods: "
              "'110'}}}}\n",
              "  events: [{name: scale, workload: StatefulSet/default/db, to: [1], after: "
              "settled}]\n  intents: [{name: replicasAtMost, value: 2}]\n") STATEFUL("2", ""),
        unlimited());
    assert_int_equal(outcome.verdict, VERDICT_HOLDS);
    assert_int_equal(outcome.states, 7);
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

/* Of two pods the first is not ready any more when its node is down, so that the second
 * is not created. Seven states with the only node, the same without it (nobody is evicted
 * when all nodes are gone). Six steps on the way up; the node fails in each of the seven;
 * then db-0 may still be created, and twice the scheduler finds no node for a pod. */
static void a_pod_on_a_dead_node_is_not_ready(void **state)
{
    (void)state;
    const struct outcome outcome = verify(
        CHECK(GROUP("a", "1"), "  events: [{name: nodeFailure}]\n"
                               "  intents: [{name: replicasAtMost, value: 2}]\n") STATEFUL("2", ""),
        unlimited());
    assert_int_equal(outcome.verdict, VERDICT_HOLDS);
    assert_int_equal(outcome.states, 14);
    assert_int_equal(outcome.transitions, 16);
}

/* ---- updates ---- */

/* The verification of one pod on one node while another manifest is applied. */
static struct outcome verify_update(const char *spec, const char *new_template, const char *event)
{
    static const char set[] =
        "---\napiVersion: apps/v1\nkind: StatefulSet\nmetadata: {name: db, namespace: default}\n"
        "spec:\n  serviceName: db\n%s  selector: {matchLabels: {app: db}}\n  template:\n"
        "    metadata: {labels: {app: db}%s\n    spec: {containers: [{name: c, image: x}]}\n";
    char path[] = "/tmp/fathom-stateful-XXXXXX";
    char before[1024];
    char after[1024];
    char manifests[4096];
    const int file = mkstemp(path);
    assert_true(file >= 0);
    const int length = snprintf(after, sizeof(after), set, spec, new_template);
    assert_int_equal(write(file, after, (size_t)length), length);
    close(file);
    snprintf(before, sizeof(before), set, spec, "}");
    snprintf(manifests, sizeof(manifests),
             "%s  events: [{name: apply, manifests: [%s], after: settled%s}]\n"
             "  intents: [{name: converges}]\n%s",
             CHECK(GROUP("a", "1"), ""), path, event, before);
    const struct outcome outcome = verify(manifests, unlimited());
    unlink(path);
    return outcome;
}

/* Nothing, waiting, starting, ready; applied; terminating, gone; waiting, starting and
 * ready as the new revision. That is the current one as soon as it is created: Kubernetes
 * 1.26 holds that all pods are updated when there are none. */
static void an_update_replaces_the_pod(void **state)
{
    (void)state;
    const struct outcome outcome = verify_update("", ", annotations: {version: two}}", "");
    assert_int_equal(outcome.verdict, VERDICT_HOLDS);
    assert_int_equal(outcome.states, 10);
    assert_int_equal(outcome.transitions, 9);
}

/* The first four, and applied: that is all that is wanted. */
static void a_pod_below_the_partition_stays(void **state)
{
    (void)state;
    static const char *const specs[] = {
        "  updateStrategy: {rollingUpdate: {partition: 1}}\n",
        "  updateStrategy: {type: OnDelete}\n",
    };
    for (size_t i = 0; i < sizeof(specs) / sizeof(*specs); i++) {
        const struct outcome outcome = verify_update(specs[i], ", annotations: {v: two}}", "");
        assert_int_equal(outcome.verdict, VERDICT_HOLDS);
        assert_int_equal(outcome.states, 5);
        assert_int_equal(outcome.transitions, 4);
    }
}

/* Nothing, waiting, starting, ready; applied, terminating, gone, waiting, starting; in
 * each of these five the user takes it back. Back in time the old pod stays, or comes
 * again: terminating, gone, waiting, starting, ready. Too late the broken pod waits or
 * starts, for ever. */
static void a_broken_revision_blocks_its_rollback(void **state)
{
    (void)state;
    const struct outcome outcome =
        verify_update("", ", annotations: {fathom.dev/never-ready: 'true'}}", ", recovers: true");
    assert_int_equal(outcome.verdict, VERDICT_VIOLATED);
    assert_int_equal(outcome.states, 16);
    assert_int_equal(outcome.transitions, 18);
}

/* With Parallel the broken pod goes: at once while it waits, otherwise it terminates;
 * and then it is gone while its revision is still the current one. */
static void a_parallel_set_rolls_back(void **state)
{
    (void)state;
    const struct outcome outcome =
        verify_update("  podManagementPolicy: Parallel\n",
                      ", annotations: {fathom.dev/never-ready: 'true'}}", ", recovers: true");
    assert_int_equal(outcome.verdict, VERDICT_HOLDS);
    assert_int_equal(outcome.states, 18);
    assert_int_equal(outcome.transitions, 22);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(ordered_pods_are_a_line_of_states),
        cmocka_unit_test(ordinals_are_told_apart_and_nodes_are_not),
        cmocka_unit_test(the_highest_ordinal_goes_first),
        cmocka_unit_test(a_pod_that_waits_is_deleted_at_once),
        cmocka_unit_test(a_dead_node_keeps_its_ordinal),
        cmocka_unit_test(a_pod_on_a_dead_node_is_not_ready),
        cmocka_unit_test(an_update_replaces_the_pod),
        cmocka_unit_test(a_pod_below_the_partition_stays),
        cmocka_unit_test(a_broken_revision_blocks_its_rollback),
        cmocka_unit_test(a_parallel_set_rolls_back),
    };
    return cmocka_run_group_tests_name("stateful_states", tests, NULL, NULL);
}
