/* SPDX-License-Identifier: Apache-2.0 */
/* Jobs so small that their states can be counted by hand. */
#include "verify/verify_fixture.h"

#define CONVERGES CHECK(GROUP("a", "1"), "  intents: [{name: converges}]\n")
#define JOB(spec, outcome)                                                                    \
    "---\napiVersion: batch/v1\nkind: Job\nmetadata: {name: pi, namespace: default}\nspec:\n" \
    "  " spec "\n  template:\n    metadata: {annotations: {fathom.dev/outcome: " outcome      \
    "}}\n    spec:\n      restartPolicy: Never\n"                                             \
    "      containers: [{name: c, image: x, resources: {requests: {cpu: 500m}}}]\n"

struct expectation {
    const char *manifests;
    enum verdict verdict;
    uint32_t states;
    uint32_t transitions;
};

static void expect_at(int minor, const struct expectation *cases, size_t count)
{
    struct verify_options options = unlimited();
    options.population.features = features_of_version(minor);
    for (size_t i = 0; i < count; i++) {
        const struct outcome outcome = verify(cases[i].manifests, options);
        assert_int_equal(outcome.verdict, cases[i].verdict);
        assert_int_equal(outcome.states, cases[i].states);
        assert_int_equal(outcome.transitions, cases[i].transitions);
    }
}

static void expect(const struct expectation *cases, size_t count)
{
    expect_at(FEATURES_MINOR_FIRST, cases, count);
}

static void one_pod_succeeds_or_fails(void **state)
{
    (void)state;
    static const struct expectation cases[] = {
        /* Nothing, waiting, starting, running, done, complete. */
        {CONVERGES JOB("backoffLimit: 0", "succeeds"), VERDICT_HOLDS, 6, 5},
        /* The same, but in the end the Job has failed. */
        {CONVERGES JOB("backoffLimit: 0", "fails"), VERDICT_VIOLATED, 6, 5},
        /* From running on both ways. */
        {CONVERGES JOB("backoffLimit: 0", "either"), VERDICT_VIOLATED, 8, 7},
        /* A failure is forgiven: nothing; waiting, starting, running; failed; the
         * three again; failed twice, and the Job has; or done after none or one
         * failure, and both are complete, which remembers no failures. */
        {CONVERGES JOB("backoffLimit: 1", "either"), VERDICT_VIOLATED, 13, 13},
    };
    expect(cases, sizeof(cases) / sizeof(*cases));
}

static void pods_one_by_one_or_at_once(void **state)
{
    (void)state;
    static const struct expectation cases[] = {
        /* Nothing; waiting, starting, running, done; the four again; complete. */
        {CONVERGES JOB("completions: 2", "succeeds"), VERDICT_HOLDS, 10, 9},
        /* Nothing; two pods in six ways; the one that is left in three; all done;
         * complete. */
        {CONVERGES JOB("completions: 2\n  parallelism: 2", "succeeds"), VERDICT_HOLDS, 12, 14},
        /* Which index is which makes no difference. */
        {CONVERGES JOB("completions: 2\n  parallelism: 2\n  completionMode: Indexed", "succeeds"),
         VERDICT_HOLDS, 12, 14},
        /* Any success ends a queue of work, once both pods are done: as before, but the
         * pod that is left need not have been started by then, and is not made anew. */
        {CONVERGES JOB("parallelism: 2", "succeeds"), VERDICT_HOLDS, 12, 14},
    };
    expect(cases, sizeof(cases) / sizeof(*cases));
}

/* Who is told to go has failed already: nothing, waiting, starting, running, done,
 * complete, with two nodes or one; starting or running on the dead one; terminating there
 * for ever, of a Job that goes on and of one that has failed. Five steps with two nodes,
 * five with one; a node fails in eight ways, for of two it may be that of the pod; two
 * evictions, and the end of the Job. */
static void a_pod_that_terminates_has_failed(void **state)
{
    (void)state;
    const struct outcome outcome =
        verify(CHECK(GROUP("a", "2"), "  events: [{name: nodeFailure}]\n"
                                      "  intents: [{name: replicasAtMost, value: 1}]\n")
                   JOB("backoffLimit: 0", "succeeds"),
               unlimited());
    assert_int_equal(outcome.verdict, VERDICT_HOLDS);
    assert_int_equal(outcome.states, 16);
    assert_int_equal(outcome.transitions, 21);
}

/* Pods that the Job itself deletes have not. One failure would be
 * the end of this Job; pods are deleted while they wait, start and run. */
static void pods_that_the_job_deletes_have_not_failed(void **state)
{
    (void)state;
    static const char *const limits[] = {
        CHECK(GROUP("a", "1"), "  events: [{name: scale, workload: Job/default/pi, to: [1]}]\n"
                               "  intents: [{name: converges}]\n")
            JOB("backoffLimit: 0\n  completions: 3\n  parallelism: 2", "succeeds"),
        CHECK(GROUP("a", "2"), "  events: [{name: scale, workload: Job/default/pi, to: [1]}]\n"
                               "  intents: [{name: converges}]\n")
            JOB("backoffLimit: 0\n  completions: 3\n  parallelism: 2", "succeeds"),
    };
    for (size_t i = 0; i < sizeof(limits) / sizeof(*limits); i++)
        assert_int_equal(verify(limits[i], unlimited()).verdict, VERDICT_HOLDS);
}

/* A Job that does all its work at once does twice as much with twice the pods: 6 states
 * for one, 12 for two. */
static void completions_follow_the_explored_pods(void **state)
{
    (void)state;
    const struct outcome outcome =
        verify(CHECK(GROUP("a", "1"),
                     "  workloads: [{name: Job/default/pi, replicas: {min: 1, max: 2}}]\n"
                     "  intents: [{name: converges}]\n") JOB("backoffLimit: 0", "succeeds"),
               unlimited());
    assert_int_equal(outcome.verdict, VERDICT_HOLDS);
    assert_int_equal(outcome.setups, 2);
    assert_int_equal(outcome.states, 18);
}

/* A suspended Job wants no pods and has none. */
static void a_suspended_job_rests(void **state)
{
    (void)state;
    static const struct expectation cases[] = {
        {CONVERGES JOB("suspend: true", "succeeds"), VERDICT_HOLDS, 1, 0},
    };
    expect(cases, 1);
}

#define POLICY(rules) "backoffLimit: 0\n  podFailurePolicy: {rules: [" rules "]}"

/* The exit code is any that makes a difference to the policy. */
static void a_policy_looks_at_exit_codes(void **state)
{
    (void)state;
    static const struct expectation cases[] = {
        /* Nothing, waiting, starting, running; failed, or failed for the whole Job; it has
         * failed. */
        {CONVERGES JOB(POLICY("{action: FailJob, onExitCodes: {operator: In, values: [42]}}"),
                       "fails"),
         VERDICT_VIOLATED, 7, 7},
        /* No other code is left. */
        {CONVERGES JOB(POLICY("{action: FailJob, onExitCodes: {operator: In, values: [42]}}, "
                              "{action: FailJob, onExitCodes: {operator: NotIn, values: [42]}}"),
                       "fails"),
         VERDICT_VIOLATED, 6, 5},
        /* Such a container is not there. */
        {CONVERGES JOB(POLICY("{action: FailJob, onExitCodes: {containerName: d, operator: In, "
                              "values: [42]}}"),
                       "fails"),
         VERDICT_VIOLATED, 6, 5},
        /* What is ignored leaves a pod that has failed, and that is all: nothing, waiting,
         * starting, running, and the same again for ever. */
        {CONVERGES JOB(POLICY("{action: Ignore, onExitCodes: {operator: NotIn, values: [1]}}, "
                              "{action: Ignore, onExitCodes: {operator: In, values: [1]}}"),
                       "fails"),
         VERDICT_VIOLATED, 8, 8},
        /* Pods that do not fail have no exit code. */
        {CONVERGES JOB(POLICY("{action: FailJob, onExitCodes: {operator: NotIn, values: [1]}}"),
                       "succeeds"),
         VERDICT_HOLDS, 6, 5},
    };
    expect_at(26, cases, sizeof(cases) / sizeof(*cases));
    expect_at(36, cases, sizeof(cases) / sizeof(*cases));
}

/* A container that is started again has not failed. */
static void containers_may_start_again(void **state)
{
    (void)state;
#define RESTARTING                                                                                \
    CONVERGES                                                                                     \
    "---\napiVersion: batch/v1\nkind: Job\nmetadata: {name: pi, namespace: default}\nspec:\n"     \
    "  " POLICY(                                                                                  \
        "{action: FailJob, onExitCodes: {operator: In, values: [42]}}") "\n  template:\n"         \
                                                                        "    metadata: "          \
                                                                        "{annotations: "          \
                                                                        "{fathom.dev/outcome: "   \
                                                                        "fails}}\n    spec:\n"    \
                                                                        "      restartPolicy: "   \
                                                                        "Never\n      "           \
                                                                        "containers: [{name: c, " \
                                                                        "image: x, "              \
                                                                        "restartPolicy: Never, "  \
                                                                        "restartPolicyRules: "    \
                                                                        "[{action: Restart, "     \
                                                                        "exitCodes: {operator: "  \
                                                                        "In, values: [42]}}]}]\n"
    static const struct expectation before[] = {{RESTARTING, VERDICT_VIOLATED, 7, 7}};
    static const struct expectation since[] = {{RESTARTING, VERDICT_VIOLATED, 6, 5}};
    expect_at(34, before, 1);
    expect_at(35, since, 1);
}

#define INDEXED(completions, parallelism, policy)                                          \
    "completionMode: Indexed\n  completions: " completions "\n  parallelism: " parallelism \
    "\n  " policy

static void indexes_have_limits(void **state)
{
    (void)state;
    static const struct expectation cases[] = {
        /* Nothing; waiting, starting, running; failed once; the three again; the index has failed,
         * and so has the Job. */
        {CONVERGES JOB(INDEXED("1", "1", "backoffLimitPerIndex: 1"), "fails"), VERDICT_VIOLATED, 10,
         9},
        /* The Job as a whole forgives less. */
        {CONVERGES JOB(INDEXED("1", "1", "backoffLimitPerIndex: 1\n  backoffLimit: 0"), "fails"),
         VERDICT_VIOLATED, 6, 5},
        /* A policy can give an index up at once: two more steps, of the first pod and, to where its
         * last failure leads anyway, of the second one. */
        {CONVERGES JOB(INDEXED("1", "1",
                               "backoffLimitPerIndex: 1\n  podFailurePolicy: {rules: [{action: "
                               "FailIndex, onExitCodes: {operator: In, values: [3]}}]}"),
                       "fails"),
         VERDICT_VIOLATED, 10, 11},
        /* The second index comes after the first one has failed, unless one is too many: nothing;
         * waiting, starting, running; the index has failed; the three again; both have; so has the
         * Job. */
        {CONVERGES JOB(INDEXED("2", "1", "backoffLimitPerIndex: 0"), "fails"), VERDICT_VIOLATED, 10,
         9},
        {CONVERGES JOB(INDEXED("2", "1", "backoffLimitPerIndex: 0\n  maxFailedIndexes: 0"),
                       "fails"),
         VERDICT_VIOLATED, 6, 5},
        /* Which index is which makes no difference, as long as they have failed as often. */
        {CONVERGES JOB(INDEXED("2", "2", "backoffLimitPerIndex: 3"), "succeeds"), VERDICT_HOLDS, 12,
         14},
    };
    expect_at(29, cases, sizeof(cases) / sizeof(*cases));
    expect_at(36, cases, sizeof(cases) / sizeof(*cases));
    /* Before, a Job has one limit. */
    static const struct expectation before[] = {
        {CONVERGES JOB(INDEXED("2", "1", "backoffLimitPerIndex: 0\n  backoffLimit: 0"), "fails"),
         VERDICT_VIOLATED, 6, 5},
    };
    expect_at(28, before, 1);
}

static void some_indexes_are_enough(void **state)
{
    (void)state;
    static const struct expectation cases[] = {
        /* Nothing; waiting, starting, running, done; complete. */
        {CONVERGES JOB(INDEXED("2", "1", "successPolicy: {rules: [{succeededIndexes: '0'}]}"),
                       "succeeds"),
         VERDICT_HOLDS, 6, 5},
        {CONVERGES JOB(INDEXED("2", "1", "successPolicy: {rules: [{succeededCount: 1}]}"),
                       "succeeds"),
         VERDICT_HOLDS, 6, 5},
        /* The first index is not the one that counts. */
        {CONVERGES JOB(INDEXED("3", "1", "successPolicy: {rules: [{succeededIndexes: '1'}]}"),
                       "succeeds"),
         VERDICT_HOLDS, 10, 9},
        {CONVERGES JOB(INDEXED("3", "1",
                               "successPolicy: {rules: [{succeededIndexes: '0-1', "
                               "succeededCount: 2}]}"),
                       "succeeds"),
         VERDICT_HOLDS, 10, 9},
    };
    expect_at(31, cases, sizeof(cases) / sizeof(*cases));
    expect_at(36, cases, sizeof(cases) / sizeof(*cases));
    static const struct expectation before[] = {
        {CONVERGES JOB(INDEXED("2", "1", "successPolicy: {rules: [{succeededIndexes: '0'}]}"),
                       "succeeds"),
         VERDICT_HOLDS, 10, 9},
    };
    expect_at(30, before, 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(one_pod_succeeds_or_fails),
        cmocka_unit_test(pods_one_by_one_or_at_once),
        cmocka_unit_test(a_pod_that_terminates_has_failed),
        cmocka_unit_test(pods_that_the_job_deletes_have_not_failed),
        cmocka_unit_test(completions_follow_the_explored_pods),
        cmocka_unit_test(a_suspended_job_rests),
        cmocka_unit_test(a_policy_looks_at_exit_codes),
        cmocka_unit_test(containers_may_start_again),
        cmocka_unit_test(indexes_have_limits),
        cmocka_unit_test(some_indexes_are_enough),
    };
    return cmocka_run_group_tests_name("job_states", tests, NULL, NULL);
}
