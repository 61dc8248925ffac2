/* SPDX-License-Identifier: Apache-2.0 */
/* Verdicts, and what is measured, are the same whether states say which pods terminate, wait or are
 * lost, or not. */
#include "cluster/explored_fixture.h"

#define CHECK_OF(events, intent)                                       \
    CLUSTER(NODES("a", "3", "metadata: {labels: {zone: z}}, ", ROOMY), \
            "  events: [" events "]\n  intents: [" intent "]\n")
#define CONVERGES "{name: converges}"
#define DRAIN     "{name: maintenance}"
#define FAILURE   "{name: nodeFailure}"
#define SCALE     "{name: scale, workload: Deployment/default/web, to: [2, 0]}"
#define WEB       DEPLOYMENT("web", "app: web, tier: front", "")
#define DRAINED   CHECK_OF(DRAIN ", " SCALE, CONVERGES) WEB
static struct others known = {.pools = true, .leave_drained_nodes = true};
static struct others unknown = {.pools = true, .unknown = true};

static struct population_options beside(const struct others *others)
{
    return (struct population_options){.others = others, .reductions = REDUCTIONS_OF_LARGE};
}

static struct explored explore(const char *manifests, const struct others *others, bool every_order)
{
    struct population_options how = beside(others);
    how.every_order = every_order;
    return explore_manifests(manifests, how);
}

static void verdicts_are_the_same(void **state)
{
#define ON(intent) CHECK_OF(DRAIN ", " FAILURE ", " SCALE, intent) WEB BUDGET("b", "app: web")
    static const char *const cases[] = {
        ON(CONVERGES),
        ON("{name: neverEvicted}"),
        ON("{name: noEvictionLoop}"),
        ON("{name: noOscillation}"),
        ON("{name: drainCompletes}"),
        ON("{name: podsSchedulable}"),
        ON("{name: podsSchedulable, mode: eventually}"),
        ON("{name: replicasAtLeast, value: 1}"),
        ON("{name: replicasAtMost, value: 1}"),
    };
    (void)state;
    for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++)
        for (int with = 0; with < 2; with++) {
            const struct others *others = with ? &known : &unknown;
            const struct explored all = explore(cases[i], others, true);
            const struct explored fewer = explore(cases[i], others, false);
            assert_int_equal(fewer.verdict, all.verdict);
            assert_true(fewer.states <= all.states);
        }
}

/* The most that pods held, those that terminate included. */
static void what_is_measured_is_the_same(void **state)
{
    (void)state;
    const struct explored all = explore(DRAINED, &unknown, true);
    const struct explored fewer = explore(DRAINED, &unknown, false);
    assert_true(fewer.states < all.states);
    assert_memory_equal(&fewer.findings.held, &all.findings.held, sizeof(all.findings.held));
    assert_true(all.findings.held.leaving > 0);
    assert_true(explore(DRAINED, &known, false).states < fewer.states);
}

/* Which pods wait, or are lost, makes no difference to what pods hold at rest, nor to what they
 * hold while one of them waits. */
static void what_is_measured_beside_waiting_pods_is_the_same(void **state)
{
    static const char *const cases[] = {
        CHECK_OF(FAILURE, CONVERGES) WEB,
        CHECK_OF(FAILURE, CONVERGES) WEB WORKLOAD("Deployment", "api", "app: api", "cpu: 250m", ""),
        CHECK_OF(FAILURE ", " SCALE, CONVERGES) WEB,
        CHECK_OF("{name: nodeFailure, recovers: true}", CONVERGES) WEB,
    };
    (void)state;
    for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
        const struct explored every = explore(cases[i], &unknown, true);
        const struct explored some = explore(cases[i], &unknown, false);
        const struct room_held all = every.findings.held;
        const struct room_held fewer = some.findings.held;
        assert_true(some.states < every.states);
        assert_true(all.kinds[0].lasting[0] > 0);
        for (uint32_t k = 0; k < all.kind_count; k++) {
            assert_memory_equal(fewer.kinds[k].lasting, all.kinds[k].lasting,
                                sizeof(all.kinds[k].lasting));
            assert_memory_equal(fewer.beside_waiting[k], all.beside_waiting[k],
                                sizeof(all.beside_waiting[k]));
            assert_memory_equal(fewer.kinds[k].most, all.kinds[k].most, sizeof(all.kinds[k].most));
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(verdicts_are_the_same),
        cmocka_unit_test(what_is_measured_is_the_same),
        cmocka_unit_test(what_is_measured_beside_waiting_pods_is_the_same),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
