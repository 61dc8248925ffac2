/* SPDX-License-Identifier: Apache-2.0 */
/* Verdicts, and what is measured, are the same whether states say which pods terminate or not. */
#include "cluster/threads/crew.h"
#include "cluster/workloads_fixture.h"
#include "explore/explore.h"

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

struct found {
    uint64_t states;
    enum verdict verdict;
    struct room_held held;
};

static struct found explore(const char *manifests, const struct others *others, bool every_order)
{
    struct fixture fixture;
    struct setups setups = {0};
    struct population_options how = beside(others);
    struct explore_options options;
    how.features = features_of_version(26);
    how.every_order = every_order;
    assert_true(fixture_load(&fixture, manifests));
    scope_enumerate(&fixture.arena, &fixture.scope, &setups);
    struct crew *crew =
        crew_create(NULL, &fixture.memory, &fixture.scope, &setups.items[0], fixture.check->intents,
                    fixture.check->intent_count, &how, &fixture.problems);
    assert_non_null(crew);
    explore_options_init(&options);
    options.all = true;
    struct exploration *result = explore_run(crew_model(crew), &options, &fixture.memory);
    const struct found found = {result->statistics.states, result->properties[0].verdict,
                                crew_findings(crew).held};
    explore_free(result);
    crew_free(crew);
    fixture_release(&fixture);
    return found;
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
            const struct found all = explore(cases[i], others, true);
            const struct found fewer = explore(cases[i], others, false);
            assert_int_equal(fewer.verdict, all.verdict);
            assert_true(fewer.states <= all.states);
        }
}

/* The most that pods held, those that terminate included. */
static void what_is_measured_is_the_same(void **state)
{
    (void)state;
    const struct found all = explore(DRAINED, &unknown, true);
    const struct found fewer = explore(DRAINED, &unknown, false);
    assert_true(fewer.states < all.states);
    assert_memory_equal(&fewer.held, &all.held, sizeof(all.held));
    assert_true(all.held.leaving > 0);
    assert_true(explore(DRAINED, &known, false).states < fewer.states);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(verdicts_are_the_same),
        cmocka_unit_test(what_is_measured_is_the_same),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
