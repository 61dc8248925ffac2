/* SPDX-License-Identifier: Apache-2.0 */
/* Events that come to nodes with pods in the pool: states do not depend on how many nodes there
 * are. */
#include "cluster/threads/crew.h"
#include "cluster/workloads_fixture.h"
#include "explore/explore.h"

#define IN_ZONE(name, count) \
    NODES(name, count, "metadata: {labels: {topology.kubernetes.io/zone: " name "}}, ", ROOMY)
#define ZONES_OF(count, event)                                                                 \
    CLUSTER(IN_ZONE("a", count) IN_ZONE("b", count),                                           \
            "  events: [{name: zoneOutage" event "}]\n  intents: [{name: converges}]\n")       \
    "---\napiVersion: apps/v1\nkind: Deployment\nmetadata: {name: web, namespace: default}\n"  \
    "spec:\n  replicas: 2\n  selector: {matchLabels: {app: web}}\n  template:\n    metadata: " \
    "{labels: {app: web}}\n    spec: {containers: [{name: c, image: x}]}\n"

/* The number of states; converges holds. */
static uint64_t count_states(const char *manifests, bool pools)
{
    struct fixture fixture;
    struct setups setups = {0};
    const struct others others = {.pools = pools, .leave_drained_nodes = true};
    const struct population_options how = {.features = features_of_version(26), .others = &others};
    struct explore_options options;
    assert_true(fixture_load(&fixture, manifests));
    scope_enumerate(&fixture.arena, &fixture.scope, &setups);
    struct crew *crew =
        crew_create(NULL, &fixture.memory, &fixture.scope, &setups.items[0], fixture.check->intents,
                    fixture.check->intent_count, &how, &fixture.problems);
    assert_non_null(crew);
    explore_options_init(&options);
    struct exploration *result = explore_run(crew_model(crew), &options, &fixture.memory);
    const uint64_t states = result->statistics.states;
    assert_int_equal(result->verdict, VERDICT_HOLDS);
    assert_true(result->complete);
    assert_int_equal(crew_findings(crew).pooled, pools);
    explore_free(result);
    crew_free(crew);
    fixture_release(&fixture);
    return states;
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
