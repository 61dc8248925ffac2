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

static void expect(const struct expectation *cases, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        const struct outcome outcome = verify(cases[i].manifests, unlimited());
        assert_int_equal(outcome.verdict, cases[i].verdict);
        assert_int_equal(outcome.states, cases[i].states);
        assert_int_equal(outcome.transitions, cases[i].transitions);
    }
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

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(one_pod_succeeds_or_fails),
        cmocka_unit_test(pods_one_by_one_or_at_once),
        cmocka_unit_test(a_pod_that_terminates_has_failed),
        cmocka_unit_test(pods_that_the_job_deletes_have_not_failed),
        cmocka_unit_test(completions_follow_the_explored_pods),
        cmocka_unit_test(a_suspended_job_rests),
    };
    return cmocka_run_group_tests_name("job_states", tests, NULL, NULL);
}
