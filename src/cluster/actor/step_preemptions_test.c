/* SPDX-License-Identifier: Apache-2.0 */
/* Others preempt pods of a lower priority, as often as they like, but not for ever. */
#include "cluster/explored_fixture.h"
#include "cluster/others.h"

#define ASKS(intent)                                                         \
    CLUSTER(NODES("a", "2", "", ROOMY), "  intents: [{name: " intent "}]\n") \
    DEPLOYMENT("web", "app: web", "")

static enum verdict verdict_of(const char *manifests, uint64_t preempted_from, bool pools,
                               unsigned *hindered)
{
    const struct others others = {
        .pools = pools, .leave_drained_nodes = true, .preempted_from = preempted_from};
    const struct population_options how = {
        .others = &others, .reductions = REDUCTIONS_OF_LARGE, .features = features_of_version(26)};
    const struct explored explored = explore_first_setup(manifests, &how, false);
    *hindered = explored.findings.hindered & HINDERED_BY_PREEMPTION;
    return explored.first;
}

static void pods_of_a_lower_priority_are_preempted(void **state)
{
    unsigned hindered;
    (void)state;
    for (int pools = 0; pools < 2; pools++) {
        assert_int_equal(verdict_of(ASKS("neverPreempted"), 0, pools, &hindered), VERDICT_HOLDS);
        assert_int_equal(hindered, 0);
        assert_int_equal(verdict_of(ASKS("neverPreempted"), priority_rank(0), pools, &hindered),
                         VERDICT_HOLDS);
        assert_int_equal(hindered, 0);
        assert_int_equal(verdict_of(ASKS("neverPreempted"), priority_rank(1), pools, &hindered),
                         VERDICT_VIOLATED);
        assert_int_equal(hindered, HINDERED_BY_PREEMPTION);
        assert_int_equal(
            verdict_of(ASKS("replicasAtLeast, value: 1"), priority_rank(1), pools, &hindered),
            VERDICT_VIOLATED);
    }
}

static void they_come_back_in_the_end(void **state)
{
    static const char *const cases[] = {ASKS("converges"), ASKS("noEvictionLoop"),
                                        ASKS("noOscillation"), ASKS("podsSchedulable")};
    unsigned hindered;
    (void)state;
    for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++)
        for (int pools = 0; pools < 2; pools++)
            assert_int_equal(verdict_of(cases[i], priority_rank(1), pools, &hindered),
                             VERDICT_HOLDS);
}

/* No run has to take such a step: one in which a pod waits for ever is fair. */
static void they_need_not_come(void **state)
{
    unsigned hindered;
    (void)state;
    assert_int_equal(
        verdict_of(CLUSTER(NODES("a", "1", "", ROOMY), "  intents: [{name: converges}]\n")
                       WORKLOAD("Deployment", "web", "app: web", "cpu: 3", "")
                           WORKLOAD("Deployment", "api", "app: api", "cpu: 3", ""),
                   priority_rank(1), false, &hindered),
        VERDICT_VIOLATED);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(pods_of_a_lower_priority_are_preempted),
        cmocka_unit_test(they_come_back_in_the_end),
        cmocka_unit_test(they_need_not_come),
    };
    return cmocka_run_group_tests_name("preemptions", tests, NULL, NULL);
}
