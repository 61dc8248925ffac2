/* SPDX-License-Identifier: Apache-2.0 */
/* Which setups there are, and in which order. */
#include "setup/setup_fixture.h"

#define CHECK(scale, autoscaler)                                                                 \
    "apiVersion: fathom/v1\nkind: Check\nmetadata: {name: c}\nspec:\n" scale "  nodeGroups:\n"   \
    "  - {name: small, count: {min: 0, max: 2}, node: {status: {allocatable: {cpu: '2', pods: "  \
    "'2'}}}}\n"                                                                                  \
    "  - {name: large, count: {min: 0, max: 2}, node: {status: {allocatable: {cpu: '4', pods: "  \
    "'110'}}}}\n"                                                                                \
    "  workloads: [{name: Deployment/default/web, replicas: {min: 1, max: 30}" autoscaler "}]\n" \
    "  intents: [{name: podsSchedulable}]\n"                                                     \
    "---\napiVersion: apps/v1\nkind: Deployment\nmetadata: {name: web, namespace: default}\n"    \
    "spec:\n  replicas: 2\n  strategy: {type: Recreate}\n"                                       \
    "  selector: {matchLabels: {app: web}}\n  template:\n    metadata: "                         \
    "{labels: {app: web}}\n    spec:\n      containers:\n      - {name: c, image: web:1, "       \
    "resources: {requests: {cpu: 400m}}}\n"                                                      \
    "---\napiVersion: autoscaling/v2\nkind: HorizontalPodAutoscaler\nmetadata: {name: web, "     \
    "namespace: default}\nspec: {scaleTargetRef: {apiVersion: apps/v1, kind: Deployment, name: " \
    "web}, minReplicas: 1, maxReplicas: 3, metrics: [{type: Resource, resource: {name: cpu, "    \
    "target: {type: Utilization, averageUtilization: 50}}}]}\n"

#define SUFFICIENT "  scale: {mode: incremental, sufficient: {nodes: 6, podsPerNode: 4}}\n"
#define EXACT      "  scale: {mode: exact}\n"
#define FOLLOWS    ", autoscaler: {follow: true, factor: 2}"

/* Of so many small and large nodes: the most replicas, and the bounds of the
 * autoscaler with these. */
struct expected {
    int32_t small, large, most, autoscaler_min, autoscaler_max;
};

static void expect(const char *manifests, const struct expected *expected, uint32_t count)
{
    struct setup_fixture fixture;
    struct setups setups;
    uint32_t total = 0;
    setup_fixture_read(&fixture, manifests);
    assert_true(fixture.built);
    assert_true(scope_check_sizes(&fixture.arena, &fixture.scope, "test.yaml", &fixture.problems));
    scope_enumerate(&fixture.arena, &fixture.scope, &setups);
    for (uint32_t e = 0; e < count; e++) {
        uint32_t found = 0;
        for (uint32_t s = 0; s < setups.count; s++) {
            const struct setup *setup = &setups.items[s];
            if (setup->nodes[0] != expected[e].small || setup->nodes[1] != expected[e].large)
                continue;
            assert_int_equal(setup->replicas[0], ++found);
            assert_int_equal(setup->total_nodes, expected[e].small + expected[e].large);
            assert_int_equal(setup->total_pods, setup->replicas[0]);
            if (setup->replicas[0] == expected[e].most) {
                assert_int_equal(setup->autoscaler_min[0], expected[e].autoscaler_min);
                assert_int_equal(setup->autoscaler_max[0], expected[e].autoscaler_max);
            }
        }
        assert_int_equal(found, expected[e].most);
        total += found;
    }
    assert_int_equal(setups.count, total);
    for (uint32_t s = 1; s < setups.count; s++) {
        const struct setup *before = &setups.items[s - 1];
        const struct setup *setup = &setups.items[s];
        assert_true(before->total_nodes <= setup->total_nodes);
        if (before->total_nodes == setup->total_nodes)
            assert_true(before->total_pods <= setup->total_pods);
        if (before->total_nodes == setup->total_nodes && before->total_pods == setup->total_pods)
            assert_true(before->nodes[0] < setup->nodes[0]);
    }
    setup_fixture_release(&fixture);
}

/* A small node holds two pods, a large one ten; one more is tried. With fewer than the
 * most nodes six per node are enough, and in any case six. */
static void one_more_than_fits_or_what_suffices(void **state)
{
    (void)state;
    const struct expected expected[] = {
        {0, 1, 6, 1, 3},  {0, 2, 12, 1, 3}, {1, 0, 6, 1, 3},  {1, 1, 12, 1, 3},
        {1, 2, 18, 1, 3}, {2, 0, 6, 1, 3},  {2, 1, 15, 1, 3}, {2, 2, 25, 1, 3},
    };
    expect(CHECK("", ""), expected, 8);
}

/* A sufficient scale that is given counts with the most nodes, too. */
static void no_more_pods_than_the_check_says(void **state)
{
    (void)state;
    const struct expected expected[] = {
        {0, 1, 4, 1, 3},  {0, 2, 8, 1, 3}, {1, 0, 4, 1, 3},  {1, 1, 8, 1, 3},
        {1, 2, 12, 1, 3}, {2, 0, 5, 1, 3}, {2, 1, 12, 1, 3}, {2, 2, 16, 1, 3},
    };
    expect(CHECK(SUFFICIENT, ""), expected, 8);
}

static void exact_scales_have_all_sizes(void **state)
{
    (void)state;
    const struct expected expected[] = {
        {0, 1, 30, 1, 3}, {0, 2, 30, 1, 3}, {1, 0, 30, 1, 3}, {1, 1, 30, 1, 3},
        {1, 2, 30, 1, 3}, {2, 0, 30, 1, 3}, {2, 1, 30, 1, 3}, {2, 2, 30, 1, 3},
    };
    expect(CHECK(EXACT, ""), expected, 8);
}

/* From the replicas explored up to twice as many, or as many as fit; with exact scales
 * up to twice as many. */
static void bounds_of_autoscalers_follow(void **state)
{
    (void)state;
    const struct expected expected[] = {
        {0, 1, 4, 4, 8},    {0, 2, 8, 8, 16}, {1, 0, 4, 4, 4},    {1, 1, 8, 8, 12},
        {1, 2, 12, 12, 22}, {2, 0, 5, 5, 5},  {2, 1, 12, 12, 14}, {2, 2, 16, 16, 24},
    };
    expect(CHECK(SUFFICIENT, FOLLOWS), expected, 8);
    const struct expected exact[] = {
        {0, 1, 30, 30, 60}, {0, 2, 30, 30, 60}, {1, 0, 30, 30, 60}, {1, 1, 30, 30, 60},
        {1, 2, 30, 30, 60}, {2, 0, 30, 30, 60}, {2, 1, 30, 30, 60}, {2, 2, 30, 30, 60},
    };
    expect(CHECK(EXACT, FOLLOWS), exact, 8);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(one_more_than_fits_or_what_suffices),
        cmocka_unit_test(no_more_pods_than_the_check_says),
        cmocka_unit_test(exact_scales_have_all_sizes),
        cmocka_unit_test(bounds_of_autoscalers_follow),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
