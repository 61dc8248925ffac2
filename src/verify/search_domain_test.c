/* SPDX-License-Identifier: Apache-2.0 */
/* Runs in which all workloads fill the cluster, or the domain that one of them needs. */
#include "cluster/ask/filled_domain.h"
#include "cluster/threads/crew.h"
#include "cluster/workloads_fixture.h"
#include "verify/search_filled.h"
#include "verify/search_run.h"

#define ZONE(zone) "metadata: {labels: {zone: " zone "}}, "
#define SMALL      "cpu: '1', memory: 16Gi, pods: '110'"
#define ZONES      NODES("a", "2", ZONE("a"), SMALL) NODES("b", "1", ZONE("b"), SMALL)
#define INTENTS    "  start: empty\n  intents: [{name: converges}, {name: podsSchedulable}]\n"
/* Its second pod has to go where the first is not. */
#define SPREAD(when)                                                     \
    "      topologySpreadConstraints: [{maxSkew: 1, topologyKey: zone, " \
    "whenUnsatisfiable: " when ", labelSelector: {matchLabels: {app: web}}}]\n"
#define WEB(when) DEPLOYMENT("web", "app: web", SPREAD(when)) "  replicas: 2\n"
#define BIG       WORKLOAD("Deployment", "big", "app: big", "cpu: '1'", "")
#define OTHERS    DEPLOYMENT("s1", "app: s1", "") DEPLOYMENT("s2", "app: s2", "")
/* If big is in zone b, nobody else fits there. */
static const char hard[] = CLUSTER(ZONES, INTENTS) WEB("DoNotSchedule") BIG;
static const char soft[] = CLUSTER(ZONES, INTENTS) WEB("ScheduleAnyway") BIG;
static const char one_zone[] =
    CLUSTER(NODES("a", "2", ZONE("a"), ROOMY), INTENTS) WEB("DoNotSchedule") BIG;

enum { CONVERGES = 1, SCHEDULABLE = 2 }; /* intents, as bits */

struct domain_test {
    struct fixture fixture;
    struct crew *crew;
    struct search_findings findings;
};

static struct worker *begin(struct domain_test *test, const char *manifests)
{
    const struct population_options how = {.features = features_of_version(26)};
    struct fixture *fixture = &test->fixture;
    struct setups setups = {0};
    *test = (struct domain_test){0};
    assert_true(fixture_load(fixture, manifests));
    scope_enumerate(&fixture->arena, &fixture->scope, &setups);
    test->crew = crew_create(NULL, &fixture->memory, &fixture->scope, &setups.items[0],
                             fixture->check->intents, fixture->check->intent_count, &how,
                             &fixture->problems);
    assert_non_null(test->crew);
    test->findings.paths =
        ARENA_ARRAY(&fixture->arena, struct run_path, fixture->check->intent_count + 1);
    return crew_worker(test->crew);
}

static void end(struct domain_test *test)
{
    crew_free(test->crew);
    fixture_release(&test->fixture);
}

static void the_smallest_domain_is_looked_for(void **state)
{
    struct domain_test test;
    struct domain_search search;
    (void)state;
    struct worker *worker = begin(&test, hard);
    assert_true(domain_search_for(worker, 0, &search));
    assert_string_equal(search.key, "zone");
    assert_string_equal(search.value, "b");
    /* The other one has no constraint. */
    assert_false(domain_search_for(worker, 1, &search));
    end(&test);
}

static void a_domain_must_be_one_of_several(void **state)
{
    struct domain_test test;
    struct domain_search search;
    (void)state;
    assert_false(domain_search_for(begin(&test, soft), 0, &search));
    end(&test);
    assert_false(domain_search_for(begin(&test, one_zone), 0, &search));
    end(&test);
}

static void others_fill_the_domain_for_ever(void **state)
{
    struct domain_test test;
    struct domain_search search;
    (void)state;
    for (uint64_t seed = 1; seed < 9; seed++) {
        struct worker *worker = begin(&test, hard);
        assert_true(domain_search_for(worker, 0, &search));
        const struct search_guide guide = {.intent = GUIDE_NONE,
                                           .events = EVENTS_AT_REST,
                                           .domain = &search,
                                           .seed = seed,
                                           .steps_most = 1000,
                                           .effort_most = UINT64_MAX};
        search_run(&test.fixture.arena, worker, &guide, CONVERGES, &test.findings);
        assert_int_equal(test.findings.violated, CONVERGES);
        assert_true(test.findings.paths[0].loops);
        end(&test);
    }
}

static void all_fill_the_cluster(void **state)
{
    const struct search_guide guide = {.steps_most = 2000, .effort_most = 100000};
    struct domain_test test;
    (void)state;
    struct worker *worker = begin(&test, CLUSTER(NODES("a", "1", "", SMALL), INTENTS)
                                             OTHERS DEPLOYMENT("s3", "app: s3", ""));
    search_filled(&test.fixture.arena, worker, NOBODY_LEADS, 3, &guide, SCHEDULABLE,
                  &test.findings);
    assert_int_equal(test.findings.violated, SCHEDULABLE);
    end(&test);
    worker = begin(&test, CLUSTER(NODES("a", "1", "", SMALL), INTENTS) OTHERS);
    search_filled(&test.fixture.arena, worker, NOBODY_LEADS, 2, &guide, SCHEDULABLE,
                  &test.findings);
    assert_int_equal(test.findings.violated, 0);
    end(&test);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_smallest_domain_is_looked_for),
        cmocka_unit_test(a_domain_must_be_one_of_several),
        cmocka_unit_test(others_fill_the_domain_for_ever),
        cmocka_unit_test(all_fill_the_cluster),
    };
    return cmocka_run_group_tests_name("search_domain", tests, NULL, NULL);
}
