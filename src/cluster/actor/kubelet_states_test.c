/* SPDX-License-Identifier: Apache-2.0 */
/* Whom kubelets admit, in clusters whose states are counted by hand. */
#include "verify/verify_fixture.h"

#define SET(name, cpu, rest)                                                               \
    "---\napiVersion: apps/v1\nkind: ReplicaSet\nmetadata: {name: " name                   \
    ", namespace: default}\nspec:\n  replicas: 1\n  selector: {matchLabels: {app: " name   \
    "}}\n  template:\n    metadata: {labels: {app: " name                                  \
    "}}\n    spec:\n      containers:\n      - {name: c, image: x, resources: {requests: " \
    "{cpu: " cpu "}}}\n" rest

/* Nothing, the set, both pods on the node that they name. */
static void who_fits_is_admitted_at_once(void **state)
{
    (void)state;
    const struct outcome outcome =
        verify(CHECK(GROUP("a", "1"), "  intents: [{name: noOscillation}]\n")
                   WEB("2", "      nodeName: a-1\n"),
               unlimited());
    assert_int_equal(outcome.verdict, VERDICT_HOLDS);
}

/* Nothing, the set, two bound pods, and back to the set. */
static void a_rejected_pod_is_replaced_for_ever(void **state)
{
    (void)state;
    const struct outcome outcome =
        verify(CHECK(GROUP("a", "1"), "  intents: [{name: noEvictionLoop}]\n")
                   WEB("2", "      nodeName: a-1\n      nodeSelector: {group: b}\n"),
               unlimited());
    assert_int_equal(outcome.verdict, VERDICT_HOLDS);
    assert_int_equal(outcome.states, 3);
    assert_int_equal(outcome.transitions, 3);
}

/* The ninth half of a core: eight are admitted as they come, one comes and goes. */
static void the_rest_is_turned_away(void **state)
{
    (void)state;
    const struct outcome outcome =
        verify(CHECK(GROUP("a", "1"), "  intents: [{name: noEvictionLoop}]\n")
                   WEB("9", "      nodeName: a-1\n"),
               unlimited());
    assert_int_equal(outcome.verdict, VERDICT_HOLDS);
    assert_int_equal(outcome.states, 4);
    assert_int_equal(outcome.transitions, 4);
}

/*
 * A pod that names the node asks for all of it, another is put there by the
 * scheduler; the kubelet takes whom it sees first. As (scheduled, named), where
 * each is not there, pending, bound or admitted: (n,n) (p,n) (n,a) (p,a) (b,n)
 * (a,n) (b,b) (a,b) (b,a). In (p,a) the scheduler tries in vain.
 */
static void a_named_node_is_a_race(void **state)
{
    (void)state;
    const struct outcome outcome =
        verify(CHECK(GROUP("a", "1"), "  intents: [{name: noEvictionLoop}]\n")
                   SET("web", "500m", "") SET("named", "4", "      nodeName: a-1\n"),
               unlimited());
    assert_int_equal(outcome.verdict, VERDICT_HOLDS);
    assert_int_equal(outcome.states, 9);
    assert_int_equal(outcome.transitions, 13);
}

/* The same, and the named pod is critical: the kubelet kills the other for it. */
static void a_critical_pod_drives_others_out(void **state)
{
    (void)state;
    const struct outcome outcome =
        verify(CHECK(GROUP("a", "1"),
                     "  intents: [{name: neverPreempted, workload: ReplicaSet/default/web}]\n")
                   SET("web", "500m", "")
                       SET("named", "4",
                           "      nodeName: a-1\n      priorityClassName: system-node-critical\n"),
               unlimited());
    assert_int_equal(outcome.verdict, VERDICT_VIOLATED);
    /* create web, bind, admit, create named, and it is admitted in web's place */
    assert_int_equal(outcome.steps, 5);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(who_fits_is_admitted_at_once),
        cmocka_unit_test(a_rejected_pod_is_replaced_for_ever),
        cmocka_unit_test(the_rest_is_turned_away),
        cmocka_unit_test(a_named_node_is_a_race),
        cmocka_unit_test(a_critical_pod_drives_others_out),
    };
    return cmocka_run_group_tests_name("kubelet_states", tests, NULL, NULL);
}
