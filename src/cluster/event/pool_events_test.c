/* SPDX-License-Identifier: Apache-2.0 */
/* Events that come to nodes with pods in the pool: states do not depend on how many nodes there
 * are. */
#include "cluster/event/zones_fixture.h"
#include "cluster/explored_fixture.h"

/* The number of states; converges holds. */
static uint64_t count_states(const char *manifests, bool pools)
{
    const struct others others = {.pools = pools, .leave_drained_nodes = true};
    const struct explored explored =
        explore_manifests(manifests, (struct population_options){.others = &others});
    assert_int_equal(explored.verdict, VERDICT_HOLDS);
    assert_int_equal(explored.findings.pooled, pools);
    return explored.states;
}

static void zones_of_any_size_take_as_many_states(void **state)
{
    const uint64_t states = count_states(ZONES_OF("4", ""), true);
    (void)state;
    assert_int_equal(count_states(ZONES_OF("40", ""), true), states);
    assert_true(states < count_states(ZONES_OF("4", ""), false));
}

/* One pod on one node, or on each of two. */
static void a_zone_of_one_node_takes_fewer(void **state)
{
    (void)state;
    assert_true(count_states(ZONES_OF("1", ", recovers: true"), true) <
                count_states(ZONES_OF("2", ", recovers: true"), true));
}

#define DRAINED(workload)                                                        \
    CLUSTER(IN_ZONE("a", "3"),                                                   \
            "  events: [{name: maintenance}]\n  intents: [{name: converges}]\n") \
    workload
#define TEMPLATE \
    "template: {metadata: {labels: {app: web}}, spec: {containers: [{name: c, image: x}]"

/* What is in the pool runs there: Jobs end, and StatefulSets go on to the next pod. */
static void pods_in_the_pool_run(void **state)
{
    static const char *const manifests[] = {
        DRAINED("---\napiVersion: batch/v1\nkind: Job\nmetadata: {name: web, namespace: default}\n"
                "spec: {completions: 2, " TEMPLATE ", restartPolicy: Never}}}\n"),
        DRAINED("---\napiVersion: apps/v1\nkind: StatefulSet\nmetadata: {name: web, namespace: "
                "default}\nspec: {replicas: 2, serviceName: web, selector: {matchLabels: {app: "
                "web}}, " TEMPLATE "}}}\n"),
    };
    (void)state;
    for (uint32_t i = 0; i < 2; i++)
        assert_true(count_states(manifests[i], true) > 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(zones_of_any_size_take_as_many_states),
        cmocka_unit_test(a_zone_of_one_node_takes_fewer),
        cmocka_unit_test(pods_in_the_pool_run),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
