/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Whole verifications of clusters so small that every state can be counted by
 * hand: the number of states and steps, the scale, and the length of the
 * counterexample.
 */
#include "verify/verify_fixture.h"

#define CONTROLLER(replicas)                                                           \
    "---\napiVersion: v1\nkind: ReplicationController\nmetadata: {name: old}\nspec:\n" \
    "  replicas: " replicas "\n  template:\n    metadata: {labels: {app: old}}\n"      \
    "    spec: {containers: [{name: c, image: x, resources: {requests: {cpu: 500m}}}]}\n"

/* Nothing, the set, two waiting, one placed, two placed. */
static void one_node_is_a_line_of_states(void **state)
{
    (void)state;
    const struct outcome outcome = verify(
        CHECK(GROUP("a", "1"), "  intents: [{name: podsSchedulable}]\n") WEB("2", ""), unlimited());
    assert_int_equal(outcome.verdict, VERDICT_HOLDS);
    assert_int_equal(outcome.states, 5);
    assert_int_equal(outcome.transitions, 4);
}

/* A ReplicationController is its own set: nothing, two waiting, one placed, two. */
static void replication_controllers_make_pods_at_once(void **state)
{
    (void)state;
    const struct outcome outcome =
        verify(CHECK(GROUP("a", "1"), "  intents: [{name: podsSchedulable}]\n") CONTROLLER("2"),
               unlimited());
    assert_int_equal(outcome.verdict, VERDICT_HOLDS);
    assert_int_equal(outcome.states, 4);
    assert_int_equal(outcome.transitions, 3);
}

/* Two nodes of a group are alike: which is filled first is no difference. */
static void equal_nodes_are_one_class(void **state)
{
    (void)state;
    const struct outcome outcome = verify(
        CHECK(GROUP("a", "2"), "  intents: [{name: podsSchedulable}]\n") WEB("2", ""), unlimited());
    assert_int_equal(outcome.states, 5);
    assert_int_equal(outcome.transitions, 4);
}

/* Two groups that only their label tells apart: both orders are explored. */
static void ties_between_groups_are_all_explored(void **state)
{
    (void)state;
    const struct outcome outcome =
        verify(CHECK(GROUP("a", "1") GROUP("b", "1"), "  intents: [{name: podsSchedulable}]\n")
                   WEB("2", ""),
               unlimited());
    assert_int_equal(outcome.states, 6);
    assert_int_equal(outcome.transitions, 6);
}

/* Ready pods are told from starting ones as soon as an intent counts them: per
 * node nothing, starting or ready; both nodes alike; and one pod or two waiting. */
static void readiness_is_seen_when_it_is_asked_for(void **state)
{
    (void)state;
    const struct outcome outcome = verify(
        CHECK(GROUP("a", "2"),
              "  intents: [{name: replicasAtLeast, workload: Deployment/default/web, value: 1}]\n")
            WEB("2", ""),
        unlimited());
    /* start, set, 2 waiting; 1 waiting x {s, r}; none waiting x {ss, sr, rr}.
     * The monitor remembers that a pod was ready once: it tells no two apart. */
    assert_int_equal(outcome.verdict, VERDICT_HOLDS);
    assert_int_equal(outcome.states, 8);
    assert_int_equal(outcome.transitions, 8);
}

/* Sizes grow one by one, and the first setup that fails ends the search: set,
 * pod, binding. */
static void the_smallest_scale_is_found(void **state)
{
    (void)state;
    const struct outcome outcome =
        verify(CHECK(GROUP("a", "{min: 1, max: 2}"),
                     "  workloads: [{name: Deployment/default/web, replicas: {min: 1, max: 3}}]\n"
                     "  intents: [{name: neverOn, nodeSelector: {group: a}}]\n") WEB("1", ""),
               unlimited());
    assert_int_equal(outcome.verdict, VERDICT_VIOLATED);
    assert_int_equal(outcome.setups, 1);
    assert_int_equal(outcome.nodes, 1);
    assert_int_equal(outcome.pods, 1);
    assert_int_equal(outcome.steps, 3);
}

static void limits_leave_it_undecided(void **state)
{
    (void)state;
    struct verify_options options = unlimited();
    options.states_most = 3;
    assert_int_equal(verify(CHECK(GROUP("a", "1"), "  intents: [{name: podsSchedulable}]\n")
                                WEB("2", ""),
                            options)
                         .verdict,
                     VERDICT_UNDECIDED);
    options = unlimited();
    options.time_most_ms = 0;
    assert_int_equal(verify(CHECK(GROUP("a", "1"), "  intents: [{name: podsSchedulable}]\n")
                                WEB("2", ""),
                            options)
                         .verdict,
                     VERDICT_UNDECIDED);
}

/* Three intents that fail at different sizes, so that outcomes which were
 * obtained too early have to be thrown away. */
static void any_number_of_threads_finds_the_same(void **state)
{
    (void)state;
    static const char manifests[] =
        CHECK(GROUP("a", "{min: 0, max: 3}") GROUP("b", "{min: 0, max: 3}"),
              "  workloads: [{name: Deployment/default/web, replicas: {min: 1, max: 12}}]\n"
              "  intents:\n  - {name: neverOn, nodeSelector: {group: b}}\n"
              "  - {name: replicasAtMost, value: 5}\n  - {name: converges}\n") WEB("1", "");
    struct verify_options options = unlimited();
    for (int exhaustive = 0; exhaustive < 2; exhaustive++)
        for (int limited = 0; limited < 2; limited++) {
            options.exhaustive = exhaustive;
            options.states_most = limited ? 1500 : UINT64_MAX;
            options.jobs = 1;
            const struct outcome one = verify(manifests, options);
            assert_true(one.setups > 20);
            for (options.jobs = 2; options.jobs <= 5; options.jobs++) {
                const struct outcome many = verify(manifests, options);
                assert_int_equal(many.verdict, one.verdict);
                assert_int_equal(many.setups, one.setups);
                assert_int_equal(many.states, one.states);
                assert_int_equal(many.transitions, one.transitions);
                assert_int_equal(many.steps, one.steps);
            }
        }
}

#define NODE(name, label)                                     \
    "---\napiVersion: v1\nkind: Node\nmetadata: {name: " name \
    ", labels: {kubernetes.io/hostname: "                     \
    "" name ", disk: " label "}}\nstatus: {allocatable: {cpu: '4', memory: 16Gi, pods: '110'}}\n"
#define STARTING(start, intents)                                                         \
    "apiVersion: fathom/v1\nkind: Check\nmetadata: {name: test}\nspec:\n  start: " start \
    "\n  intents: [{name: " intents "}]\n"
#define SET_OF_WEB(replicas)                                                                      \
    "---\napiVersion: apps/v1\nkind: ReplicaSet\nmetadata:\n  name: web-abc\n  namespace: "       \
    "default\n"                                                                                   \
    "  ownerReferences: [{apiVersion: apps/v1, kind: Deployment, name: web, uid: u, controller: " \
    "true}]\nspec:\n  replicas: " replicas                                                        \
    "\n  selector: {matchLabels: {app: web, pod-template-hash: abc}}\n  template:\n"              \
    "    metadata: {labels: {app: web, pod-template-hash: abc}}\n    spec:\n      containers:\n"  \
    "      - {name: c, image: x, resources: {requests: {cpu: 500m, memory: 1Gi}}}\n"
#define POD_OF_WEB(name, spec, ready)                                                        \
    "---\napiVersion: v1\nkind: Pod\nmetadata:\n  name: " name                               \
    "\n  namespace: default\n  labels: {app: web, pod-template-hash: abc}\n"                 \
    "  ownerReferences: [{apiVersion: apps/v1, kind: ReplicaSet, name: web-abc, uid: u, "    \
    "controller: true}]\nspec:\n" spec                                                       \
    "  containers: [{name: c, image: x, resources: {requests: {cpu: 500m, memory: 1Gi}}}]\n" \
    "status: {conditions: [{type: Ready, status: '" ready "'}]}\n"

/* As equal_nodes_are_one_class: a label that nobody reads is no difference. */
static void node_objects_alike_are_one_class(void **state)
{
    (void)state;
    const struct outcome outcome = verify(STARTING("empty", "podsSchedulable") NODE("n1", "ssd")
                                              NODE("n2", "hdd") WEB("2", ""),
                                          unlimited());
    assert_int_equal(outcome.states, 5);
    assert_int_equal(outcome.transitions, 4);
}

/* Everything is as it should be: nothing moves. */
static void the_present_may_be_at_rest(void **state)
{
    (void)state;
    const struct outcome outcome =
        verify(STARTING("observed", "converges") NODE("n1", "ssd") NODE("n2", "ssd") WEB("2", "")
                   SET_OF_WEB("2") POD_OF_WEB("a", "  nodeName: n1\n", "True")
                       POD_OF_WEB("b", "  nodeName: n1\n", "True"),
               unlimited());
    assert_int_equal(outcome.verdict, VERDICT_HOLDS);
    assert_int_equal(outcome.setups, 1);
    assert_int_equal(outcome.states, 1);
    assert_int_equal(outcome.transitions, 0);
}

/* One is not ready, one waits: each goes its way, in any order with the other.
 * (starting, ready) x (waiting, starting, ready). */
static void the_present_goes_on(void **state)
{
    (void)state;
    const struct outcome outcome =
        verify(STARTING("observed", "converges") NODE("n1", "ssd") WEB("2", "") SET_OF_WEB("2")
                   POD_OF_WEB("a", "  nodeName: n1\n", "False") POD_OF_WEB("b", "", "False"),
               unlimited());
    assert_int_equal(outcome.verdict, VERDICT_HOLDS);
    assert_int_equal(outcome.states, 5); /* which of two is ready is no difference */
}

/* As one_node_is_a_line_of_states, and a step that begins. */
static void a_settled_start_is_one_step_more(void **state)
{
    (void)state;
    const struct outcome outcome =
        verify(STARTING("settled", "podsSchedulable") NODE("n1", "ssd") WEB("2", ""), unlimited());
    assert_int_equal(outcome.verdict, VERDICT_HOLDS);
    assert_int_equal(outcome.states, 6);
    assert_int_equal(outcome.transitions, 5);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(one_node_is_a_line_of_states),
        cmocka_unit_test(replication_controllers_make_pods_at_once),
        cmocka_unit_test(equal_nodes_are_one_class),
        cmocka_unit_test(ties_between_groups_are_all_explored),
        cmocka_unit_test(node_objects_alike_are_one_class),
        cmocka_unit_test(the_present_may_be_at_rest),
        cmocka_unit_test(the_present_goes_on),
        cmocka_unit_test(a_settled_start_is_one_step_more),
        cmocka_unit_test(readiness_is_seen_when_it_is_asked_for),
        cmocka_unit_test(the_smallest_scale_is_found),
        cmocka_unit_test(limits_leave_it_undecided),
        cmocka_unit_test(any_number_of_threads_finds_the_same),
    };
    return cmocka_run_group_tests_name("verify", tests, NULL, NULL);
}
