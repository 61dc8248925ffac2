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
        cmocka_unit_test(a_suspended_job_rests),
    };
    return cmocka_run_group_tests_name("job_states", tests, NULL, NULL);
}
