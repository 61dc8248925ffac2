/* SPDX-License-Identifier: Apache-2.0 */
/* What depends on requests where pods are in a pool. */
#include "cluster/reduce/requests.h"
#include "cluster/state/population_model.h"
#include "cluster/workloads_fixture.h"

#define SMALL "cpu: '1', memory: 1Gi, pods: '5'"
#define SPEC(rest)                                                 \
    CLUSTER(NODES("a", "2", "", SMALL) NODES("b", "1", "", ROOMY), \
            rest "  intents: [{name: converges}]\n")
#define WEB(requests) WORKLOAD("Deployment", "web", "app: web", requests, "")

struct requests_test {
    struct fixture fixture;
    struct others others;
    struct population *population;
    struct pod_requests requests;
};

static void begin_with(struct requests_test *test, const char *manifests, bool pools)
{
    /* If there is a quota, others are charged to it, too. */
    *test = (struct requests_test){.others = {.unknown = true, .pools = pools, .shared_quotas = 1}};
    const struct population_options options = {.features = features_of_version(26),
                                               .others = &test->others};
    assert_true(fixture_load(&test->fixture, manifests));
    test->population = fixture_population(&test->fixture, &options);
    population_requests(&test->fixture.arena, test->population, &test->requests);
}

static void begin(struct requests_test *test, const char *manifests)
{
    begin_with(test, manifests, true);
}

static void end(struct requests_test *test)
{
    population_free(test->population);
    fixture_release(&test->fixture);
}

/* Do only requests differ that make no difference? */
static bool are_same(const char *one, const char *other)
{
    struct requests_test first;
    struct requests_test second;
    begin(&first, one);
    begin(&second, other);
    const bool same = first.requests.text && second.requests.text &&
                      strcmp(first.requests.text, second.requests.text) == 0;
    end(&first);
    end(&second);
    return same;
}

static void it_matters_where_pods_fit(void **state)
{
    (void)state;
    assert_true(are_same(SPEC("") WEB("cpu: 500m"), SPEC("") WEB("cpu: '1'")));
    assert_false(are_same(SPEC("") WEB("cpu: 500m"), SPEC("") WEB("cpu: 1001m")));
    assert_true(are_same(SPEC("") WEB("cpu: 1001m"), SPEC("") WEB("cpu: '4'")));
    assert_false(are_same(SPEC("") WEB("cpu: 500m"), SPEC("") WEB("memory: 500Mi")));
}

static void use_is_compared_with_requests(void **state)
{
    (void)state;
    assert_false(are_same(SPEC("") WEB("cpu: 500m") AUTOSCALER("web"),
                          SPEC("") WEB("cpu: 500m") AUTOSCALER("web")));
    assert_false(are_same(SPEC("  start: canonical\n") WEB("cpu: 500m"),
                          SPEC("  start: canonical\n") WEB("cpu: 500m")));
}

#define LIMITS                                                                              \
    "---\napiVersion: v1\nkind: LimitRange\nmetadata: {name: limits, namespace: default}\n" \
    "spec: {limits: [{type: Container, max: {cpu: 600m}}]}\n"
#define QUOTA                                                                                \
    "---\napiVersion: v1\nkind: ResourceQuota\nmetadata: {name: team, namespace: default}\n" \
    "spec: {hard: {requests.cpu: '1'}}\n"

static void it_matters_what_admission_forbids(void **state)
{
    (void)state;
    assert_true(are_same(SPEC("") LIMITS WEB("cpu: 500m"), SPEC("") LIMITS WEB("cpu: 600m")));
    assert_false(are_same(SPEC("") LIMITS WEB("cpu: 500m"), SPEC("") LIMITS WEB("cpu: 700m")));
}

static void it_matters_what_a_quota_charges(void **state)
{
    (void)state;
    assert_true(are_same(SPEC("") WEB("cpu: 500m"), SPEC("") WEB("cpu: 600m")));
    assert_false(are_same(SPEC("") QUOTA WEB("cpu: 500m"), SPEC("") QUOTA WEB("cpu: 600m")));
    assert_true(are_same(SPEC("") QUOTA WEB("cpu: 500m, memory: 1Mi"),
                         SPEC("") QUOTA WEB("cpu: 500m, memory: 2Mi")));
}

#define TWO(requests)                                                                            \
    "---\napiVersion: apps/v1\nkind: Deployment\nmetadata: {name: web, namespace: "              \
    "default}\nspec:\n"                                                                          \
    "  replicas: 2\n  selector: {matchLabels: {app: web}}\n  template:\n    metadata: {labels: " \
    "{app: "                                                                                     \
    "web}}\n    spec:\n      containers: [{name: c, image: x, resources: {requests: {" requests  \
    "}}}]\n"

/* On a small node there is room for two of the first ones, and for one of the others. */
static void it_matters_how_many_pods_fit_on_a_node(void **state)
{
    (void)state;
    assert_true(are_same(SPEC("") TWO("cpu: 400m"), SPEC("") TWO("cpu: 500m")));
    assert_false(are_same(SPEC("") TWO("cpu: 500m"), SPEC("") TWO("cpu: 600m")));
    assert_true(are_same(SPEC("") TWO("cpu: 600m"), SPEC("") TWO("cpu: '1'")));
}

#define API(requests) WORKLOAD("Deployment", "api", "app: api", requests, "")

/* What pods of both hold is added up only if they request the same. */
static void it_matters_which_pods_request_the_same(void **state)
{
    (void)state;
    assert_true(are_same(SPEC("") WEB("cpu: 600m") API("cpu: 600m"),
                         SPEC("") WEB("cpu: 700m") API("cpu: 700m")));
    assert_false(are_same(SPEC("") WEB("cpu: 600m") API("cpu: 600m"),
                          SPEC("") WEB("cpu: 600m") API("cpu: 700m")));
}

#define MORE(name, requests) WORKLOAD("Deployment", name, "app: " name, requests, "")
#define SEVEN             \
    SPEC("")              \
    MORE("w1", "cpu: 1m") \
    MORE("w2", "cpu: 2m") \
    MORE("w3", "cpu: 3m") \
    MORE("w4", "cpu: 4m") MORE("w5", "cpu: 5m") MORE("w6", "cpu: 6m") MORE("w7", "cpu: 7m")

static void of_too_many_kinds_nothing_is_known(void **state)
{
    (void)state;
    assert_true(are_same(SEVEN, SEVEN));
    assert_false(are_same(SEVEN MORE("w8", "cpu: 8m"), SEVEN MORE("w8", "cpu: 8m")));
}

static void without_a_pool_requests_matter(void **state)
{
    struct requests_test test;
    (void)state;
    begin_with(&test, SPEC("") WEB("cpu: 500m"), false);
    assert_null(test.requests.text);
    end(&test);
}

static void what_is_held_is_held_by_other_pods(void **state)
{
    struct requests_test test;
    struct room_held held = {.kind_count = 1};
    (void)state;
    begin(&test, SPEC("") WEB("cpu: 500m, memory: 3Mi"));
    held.kinds[0].request.amounts[ROOM_CPU] = 7;
    held.kinds[0].most[ROOM_ANYWHERE] = 2;
    room_held_by(&held, &test.requests);
    assert_int_equal(held.kinds[0].request.amounts[ROOM_CPU], 500);
    assert_int_equal(held.kinds[0].request.amounts[ROOM_MEMORY], 3 << 20);
    assert_int_equal(held.kinds[0].request.amounts[ROOM_PODS], 1);
    assert_int_equal(held.kinds[0].most[ROOM_ANYWHERE], 2);
    end(&test);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(it_matters_where_pods_fit),
        cmocka_unit_test(it_matters_how_many_pods_fit_on_a_node),
        cmocka_unit_test(use_is_compared_with_requests),
        cmocka_unit_test(it_matters_what_admission_forbids),
        cmocka_unit_test(it_matters_what_a_quota_charges),
        cmocka_unit_test(it_matters_which_pods_request_the_same),
        cmocka_unit_test(of_too_many_kinds_nothing_is_known),
        cmocka_unit_test(without_a_pool_requests_matter),
        cmocka_unit_test(what_is_held_is_held_by_other_pods),
    };
    return cmocka_run_group_tests_name("requests", tests, NULL, NULL);
}
