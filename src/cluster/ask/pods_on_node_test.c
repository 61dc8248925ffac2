/* SPDX-License-Identifier: Apache-2.0 */
/* How many pods can be on a node. */
#include "cluster/ask/pods_on_node.h"
#include "cluster/observed_fixture.h"
#include "cluster/state/population_model.h"
#include "cluster/state/state.h"

#define SMALL      "cpu: '1', memory: 1Gi, pods: '5', ephemeral-storage: 1Gi"
#define SPEC(rest) CLUSTER(NODES("a", "2", "", SMALL), rest "  intents: [{name: converges}]\n")
#define MANY(name, replicas, requests)                                                             \
    "---\napiVersion: apps/v1\nkind: Deployment\nmetadata: {name: " name ", namespace: default}\n" \
    "spec:\n  replicas: " replicas "\n  selector: {matchLabels: {app: " name "}}\n  template:\n"   \
    "    metadata: {labels: {app: " name "}}\n    spec:\n      containers: [{name: c, image: x, "  \
    "resources: {requests: {" requests "}}}]\n"
#define WEB(requests) MANY("web", "4", requests)
#define API(requests) MANY("api", "4", requests)

/* At most so many pods can be on a node of the first entry. */
static uint32_t most_of(const char *manifests)
{
    struct fixture fixture;
    const struct others others = {.unknown = true, .pools = true};
    const struct population_options options = {.features = features_of_version(26),
                                               .others = &others};
    assert_true(fixture_load(&fixture, manifests));
    struct population *population = fixture_population(&fixture, &options);
    struct worker *worker = population_worker_create(population, &fixture.memory);
    const uint32_t most = pods_on_node(worker, population->initial->nodes[0].config);
    population_worker_free(worker);
    population_free(population);
    fixture_release(&fixture);
    return most;
}

static void any_resource_may_be_scarce(void **state)
{
    (void)state;
    assert_int_equal(most_of(SPEC("") WEB("cpu: 300m")), 3);
    assert_int_equal(most_of(SPEC("") WEB("cpu: 500m")), 2);
    assert_int_equal(most_of(SPEC("") WEB("cpu: 1001m")), 0);
    assert_int_equal(most_of(SPEC("") WEB("memory: 300Mi")), 3);
    assert_int_equal(most_of(SPEC("") WEB("ephemeral-storage: 500Mi")), 2);
    assert_int_equal(most_of(SPEC("") WEB("cpu: 500m, memory: 600Mi")), 1);
    assert_int_equal(most_of(SPEC("") MANY("web", "9", "cpu: 1m")), 5);
    assert_int_equal(most_of(SPEC("") MANY("web", "9", "")), 5);
}

/* Three small ones fit where one large one and two small ones do not. */
static void the_smallest_pods_count(void **state)
{
    (void)state;
    assert_int_equal(most_of(SPEC("") WEB("cpu: 500m") API("cpu: 300m")), 3);
    assert_int_equal(most_of(SPEC("") WEB("cpu: 500m") API("memory: 300Mi")), 5);
}

static void room_for_all_is_no_bound(void **state)
{
    (void)state;
    assert_int_equal(most_of(SPEC("") MANY("web", "3", "cpu: 300m")), UINT32_MAX);
    assert_int_equal(most_of(SPEC("") MANY("web", "2", "cpu: 500m") MANY("api", "1", "cpu: 500m")),
                     2);
    assert_int_equal(most_of(SPEC("  events: [{name: scale, workload: Deployment/default/web, to: "
                                  "[4]}]\n") MANY("web", "3", "cpu: 300m")),
                     3);
}

#define WITHOUT_FIT                                                                         \
    "  controllers: {scheduler: {configuration: {profiles: [{plugins: {filter: {disabled: " \
    "[{name: "                                                                              \
    "NodeResourcesFit}]}, preFilter: {disabled: [{name: NodeResourcesFit}]}}}]}}}\n"

static void a_scheduler_may_not_ask_whether_pods_fit(void **state)
{
    (void)state;
    assert_int_equal(most_of(SPEC(WITHOUT_FIT) WEB("cpu: 300m")), UINT32_MAX);
}

#define DUMP                                                 \
    OBSERVED("  events: [{name: maintenance, atMost: 3}]\n") \
    NODE("n1", "a")                                          \
    SET("web", "9", "cpu: 2")                                \
    POD("web-1", "web", "n1", "cpu: 2")                      \
    POD("web-2", "web", "n1", "cpu: 2")

static void nodes_of_a_dump_may_have_more(void **state)
{
    (void)state;
    assert_int_equal(most_of(DUMP), UINT32_MAX);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(any_resource_may_be_scarce),
        cmocka_unit_test(the_smallest_pods_count),
        cmocka_unit_test(room_for_all_is_no_bound),
        cmocka_unit_test(a_scheduler_may_not_ask_whether_pods_fit),
        cmocka_unit_test(nodes_of_a_dump_may_have_more),
    };
    return cmocka_run_group_tests_name("pods_on_node", tests, NULL, NULL);
}
