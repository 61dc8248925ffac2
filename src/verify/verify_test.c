/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Whole verifications of clusters so small that every state can be counted by
 * hand: the number of states and steps, the scale, and the length of the
 * counterexample.
 */
#include "manifest/manifest.h"
#include "object/admission.h"
#include "verify/verify.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#define GROUP(name, count)                                                           \
    "  - {name: " name ", count: " count ", node: {metadata: {labels: {group: " name \
    "}}, status: {allocatable: {cpu: '4', memory: 16Gi, pods: '110'}}}}\n"
#define CHECK(groups, rest) \
    "apiVersion: fathom/v1\nkind: Check\nmetadata: {name: test}\nspec:\n  nodeGroups:\n" groups rest
#define WEB(replicas, rest)                                                                      \
    "---\napiVersion: apps/v1\nkind: Deployment\nmetadata: {name: web, namespace: default}\n"    \
    "spec:\n  replicas: " replicas                                                               \
    "\n  selector: {matchLabels: {app: web}}\n  template:\n    metadata: {labels: {app: web}}\n" \
    "    spec:\n      containers:\n      - {name: c, image: x, resources: {requests: {cpu: "     \
    "500m, memory: 1Gi}}}\n" rest

#define CONTROLLER(replicas)                                                           \
    "---\napiVersion: v1\nkind: ReplicationController\nmetadata: {name: old}\nspec:\n" \
    "  replicas: " replicas "\n  template:\n    metadata: {labels: {app: old}}\n"      \
    "    spec: {containers: [{name: c, image: x, resources: {requests: {cpu: 500m}}}]}\n"

struct outcome {
    enum verdict verdict;
    uint64_t setups;
    uint64_t states;
    uint64_t transitions;
    uint32_t steps; /* of the first counterexample */
    int32_t nodes;
    int32_t pods;
};

static struct outcome verify(const char *manifests, struct verify_options options)
{
    struct memory memory;
    struct arena arena;
    struct problems problems;
    struct documents documents = {0};
    struct objects objects = {0};
    struct scope scope;
    struct verify_report report;
    const struct scope_options scope_options = {0};
    const struct check *check = NULL;
    memory_init(&memory, SIZE_MAX);
    arena_init(&arena, &memory);
    problems_init(&problems, &arena);
    manifest_parse(&arena, "test.yaml", manifests, strlen(manifests), &documents, &problems);
    object_decode(&arena, &documents, NULL, &objects, &problems);
    objects_admit(&arena, &objects, &(struct admission_options){0}, &problems);
    for (uint32_t i = 0; i < objects.count; i++)
        if (objects.items[i].kind == OBJECT_CHECK)
            check = objects.items[i].as.check;
    const bool built = scope_build(&arena, &objects, check, &scope_options, &scope, &problems);
    for (uint32_t i = 0; i < problems.count; i++)
        print_message("%s\n", problem_format(&arena, &problems.items[i]));
    if (!built || !check) {
        fail_msg("the manifests of the test are wrong");
        return (struct outcome){0};
    }
    options.population.features = features_of_version(26);
    verify_run(&arena, &memory, &scope, check->intents, check->intent_count, &options, &report);
    const struct verify_result *first = &report.results[0];
    const struct outcome outcome = {
        .verdict = first->verdict,
        .setups = report.setups_explored,
        .states = report.states,
        .transitions = report.transitions,
        .steps = first->step_count,
        .nodes = first->setup ? first->setup->total_nodes : 0,
        .pods = first->setup ? first->setup->total_pods : 0,
    };
    verify_release(&report);
    arena_release(&arena);
    assert_int_equal(memory.used_bytes, 0);
    return outcome;
}

static struct verify_options unlimited(void)
{
    return (struct verify_options){.states_most = UINT64_MAX, .time_most_ms = UINT64_MAX};
}

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

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(one_node_is_a_line_of_states),
        cmocka_unit_test(replication_controllers_make_pods_at_once),
        cmocka_unit_test(equal_nodes_are_one_class),
        cmocka_unit_test(ties_between_groups_are_all_explored),
        cmocka_unit_test(readiness_is_seen_when_it_is_asked_for),
        cmocka_unit_test(the_smallest_scale_is_found),
        cmocka_unit_test(limits_leave_it_undecided),
        cmocka_unit_test(any_number_of_threads_finds_the_same),
    };
    return cmocka_run_group_tests_name("verify", tests, NULL, NULL);
}
