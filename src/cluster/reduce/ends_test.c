/* SPDX-License-Identifier: Apache-2.0 */
/* States say nothing of pods that terminate where nobody sees them, and only there. */
#include "cluster/actor_type.h"
#include "cluster/event_type.h"
#include "cluster/intent_class.h"
#include "cluster/reduce/ends.h"
#include "cluster/state/ends.h"
#include "cluster/state/population_model.h"
#include "cluster/workloads_fixture.h"

#define CHECK_OF(events, intent)                                       \
    CLUSTER(NODES("a", "3", "metadata: {labels: {zone: z}}, ", ROOMY), \
            "  events: [" events "]\n  intents: [" intent "]\n")
#define CONVERGES "{name: converges}"
#define DRAIN     "{name: maintenance}"
#define FAILURE   "{name: nodeFailure}"
#define SCALE     "{name: scale, workload: Deployment/default/web, to: [2, 0]}"
#define ZONE      "{name: zoneOutage, topologyKey: zone, recovers: true}"
#define WEB       DEPLOYMENT("web", "app: web, tier: front", "")
#define API       DEPLOYMENT("api", "app: api, tier: front", "")
#define DRAINED   CHECK_OF(DRAIN ", " SCALE, CONVERGES) WEB
#define RECREATED                                                                               \
    CHECK_OF(DRAIN, CONVERGES)                                                                  \
    "---\napiVersion: apps/v1\nkind: Deployment\nmetadata: {name: web, namespace: default}\n"   \
    "spec:\n  strategy: {type: Recreate}\n  selector: {matchLabels: {app: web}}\n  template:\n" \
    "    metadata: {labels: {app: web}}\n    spec: {containers: [{name: c, image: x}]}\n"

static struct others known = {.pools = true, .leave_drained_nodes = true};
static struct others unknown = {.pools = true, .unknown = true};

static enum ends ends_with(const char *manifests, struct population_options options)
{
    struct fixture fixture;
    options.features = features_of_version(26);
    assert_true(fixture_load(&fixture, manifests));
    struct population *population = fixture_population(&fixture, &options);
    const enum ends ends = population->ends;
    assert_true(!options.others || population->pools);
    fixture_end(&fixture, population);
    return ends;
}

static struct population_options beside(const struct others *others)
{
    return (struct population_options){.others = others, .reductions = REDUCTIONS_OF_LARGE};
}

static void they_are_forgotten_where_nobody_sees_them(void **state)
{
    (void)state;
    assert_int_equal(ends_with(DRAINED, beside(&known)), ENDS_FORGOTTEN);
    assert_int_equal(ends_with(DRAINED BUDGET("b", "app: web"), beside(&known)), ENDS_FORGOTTEN);
    assert_int_equal(ends_with(CHECK_OF(DRAIN ", " FAILURE, CONVERGES) WEB API, beside(&known)),
                     ENDS_FORGOTTEN);
    /* What is measured is the room of all pods. */
    assert_int_equal(ends_with(DRAINED, beside(&unknown)), ENDS_KEPT_FOR_ROOM);
    /* A zone may fail while one of its nodes is drained, and return with its pods. */
    assert_int_equal(ends_with(CHECK_OF(DRAIN ", " ZONE, CONVERGES) WEB, beside(&known)),
                     ENDS_FORGOTTEN);
    assert_int_equal(ends_with(CHECK_OF(DRAIN ", " ZONE, CONVERGES) WEB, beside(&unknown)),
                     ENDS_KEPT);
}

static void who_sees_them_keeps_them(void **state)
{
    struct population_options lagging = beside(&known);
    (void)state;
    lagging.sets_lag = true;
    assert_int_equal(ends_with(RECREATED, beside(&known)), ENDS_KEPT);
    assert_int_equal(ends_with(DRAINED API BUDGET("b", "tier: front"), beside(&known)), ENDS_KEPT);
    assert_int_equal(ends_with(DRAINED AUTOSCALER("web"), beside(&known)), ENDS_KEPT);
    assert_int_equal(ends_with(DRAINED, lagging), ENDS_KEPT);
    assert_int_equal(ends_with(CHECK_OF("{name: delete, object: Deployment/default/web}", CONVERGES)
                                   WEB,
                               beside(&known)),
                     ENDS_KEPT);
    assert_int_equal(ends_with(DRAINED, (struct population_options){0}), ENDS_KEPT);
}

static void they_are_kept_if_that_is_asked_for(void **state)
{
    struct population_options options = beside(&known);
    (void)state;
    options.every_order = true;
    assert_int_equal(ends_with(DRAINED, options), ENDS_KEPT);
    options = beside(&known);
    options.reductions = REDUCTIONS_NEVER;
    assert_int_equal(ends_with(DRAINED, options), ENDS_KEPT);
    options.reductions = REDUCTIONS_NEVER_LOOPS_REST;
    assert_int_equal(ends_with(DRAINED, options), ENDS_KEPT);
}

static void an_actor_has_to_say_so(void **state)
{
    static const struct {
        struct actor actor;
        enum ends ends;
    } cases[] = {
        {{.name = "one that says nothing"}, ENDS_KEPT},
        {{.reads = PART_PODS | PART_NODES}, ENDS_KEPT},
        {{.reads = PART_NODES}, ENDS_FORGOTTEN},
        {{.reads = PART_PODS, .minds_ends = never_minds}, ENDS_FORGOTTEN},
        {{.minds_ends = never_minds}, ENDS_FORGOTTEN},
        {{.minds_ends = never_minds, .pace = PACE_PERIODIC}, ENDS_KEPT},
        {{.reads = PART_WORKLOADS, .pace = PACE_WATCHING}, ENDS_KEPT},
    };
    struct fixture fixture;
    (void)state;
    struct population *population = fixture_begin(&fixture, DRAINED, beside(&known));
    for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
        population->actors.items[0] = &cases[i].actor;
        ends_choose(population);
        assert_int_equal(population->ends, cases[i].ends);
    }
    fixture_end(&fixture, population);
}

static void an_event_has_to_say_so(void **state)
{
    struct fixture fixture;
    (void)state;
    struct population *population = fixture_begin(&fixture, DRAINED, beside(&known));
    struct event_type type = *population->events.items[0].type;
    type.traits &= ~(unsigned)LEAVES_ENDS_ALONE;
    population->events.items[0].type = &type;
    ends_choose(population);
    assert_int_equal(population->ends, ENDS_KEPT);
    fixture_end(&fixture, population);
}

static void an_intent_has_to_say_so(void **state)
{
    struct fixture fixture;
    (void)state;
    struct population *population = fixture_begin(&fixture, DRAINED, beside(&known));
    struct intent_class class = *population->intents.items[0].class;
    class.ignores &= ~(unsigned)IGNORES_ENDS;
    population->intents.items[0].class = &class;
    ends_choose(population);
    assert_int_equal(population->ends, ENDS_KEPT);
    fixture_end(&fixture, population);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(they_are_forgotten_where_nobody_sees_them),
        cmocka_unit_test(who_sees_them_keeps_them),
        cmocka_unit_test(they_are_kept_if_that_is_asked_for),
        cmocka_unit_test(an_actor_has_to_say_so),
        cmocka_unit_test(an_event_has_to_say_so),
        cmocka_unit_test(an_intent_has_to_say_so),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
