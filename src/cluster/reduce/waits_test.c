/* SPDX-License-Identifier: Apache-2.0 */
/* States do not say which pods wait, or are lost, where nobody sees it, and only there. */
#include "cluster/actor_type.h"
#include "cluster/event_type.h"
#include "cluster/intent_class.h"
#include "cluster/reduce/waits.h"
#include "cluster/state/population_model.h"
#include "cluster/state/waits.h"
#include "cluster/workloads_fixture.h"

#define CHECK_OF(events, intent)                                       \
    CLUSTER(NODES("a", "3", "metadata: {labels: {zone: z}}, ", ROOMY), \
            "  events: [" events "]\n  intents: [" intent "]\n")
#define CONVERGES "{name: converges}"
#define DRAIN     "{name: maintenance}"
#define FAILURE   "{name: nodeFailure}"
#define RETURNS   "{name: nodeFailure, recovers: true}"
#define ZONE      "{name: zoneOutage, topologyKey: zone}"
#define WEB       DEPLOYMENT("web", "app: web, tier: front", "")
#define API       DEPLOYMENT("api", "app: api, tier: front", "")
#define FAILS     CHECK_OF(FAILURE, CONVERGES)
#define RECREATED                                                                               \
    FAILS                                                                                       \
    "---\napiVersion: apps/v1\nkind: Deployment\nmetadata: {name: web, namespace: default}\n"   \
    "spec:\n  strategy: {type: Recreate}\n  selector: {matchLabels: {app: web}}\n  template:\n" \
    "    metadata: {labels: {app: web}}\n    spec: {containers: [{name: c, image: x}]}\n"
#define TOLERATES(key) \
    FAILS DEPLOYMENT("web", "app: web", "      tolerations: [{key: " key ", operator: Exists}]\n")

static struct others known = {.pools = true, .leave_drained_nodes = true};

static struct population_options beside(const struct others *others)
{
    return (struct population_options){.others = others, .reductions = REDUCTIONS_OF_LARGE};
}

static enum waits waits_with(const char *manifests, struct population_options options)
{
    struct fixture fixture;
    options.features = features_of_version(26);
    assert_true(fixture_load(&fixture, manifests));
    struct population *population = fixture_population(&fixture, &options);
    const enum waits waits = population->waits;
    assert_true(!options.others || population->pools);
    fixture_end(&fixture, population);
    return waits;
}

static void they_are_forgotten_where_nobody_sees_them(void **state)
{
    (void)state;
    assert_int_equal(waits_with(FAILS WEB, beside(&known)), WAITS_AND_LOSSES_FORGOTTEN);
    assert_int_equal(waits_with(CHECK_OF(DRAIN ", " FAILURE, CONVERGES)
                                    WEB API BUDGET("b", "app: web"),
                                beside(&known)),
                     WAITS_AND_LOSSES_FORGOTTEN);
}

static void losses_are_kept_where_they_are_seen(void **state)
{
    (void)state;
    assert_int_equal(
        waits_with(CHECK_OF(FAILURE, "{name: neverEvicted}, " CONVERGES) WEB, beside(&known)),
        WAITS_FORGOTTEN);
    /* Pods on nodes that return are not lost, and may be deleted instead of those that are. */
    assert_int_equal(waits_with(CHECK_OF(RETURNS, CONVERGES) WEB, beside(&known)), WAITS_FORGOTTEN);
    assert_int_equal(waits_with(CHECK_OF(FAILURE ", " RETURNS, CONVERGES) WEB, beside(&known)),
                     WAITS_FORGOTTEN);
    assert_int_equal(waits_with(CHECK_OF(ZONE, CONVERGES) WEB, beside(&known)), WAITS_FORGOTTEN);
    assert_int_equal(
        waits_with(CHECK_OF(FAILURE ", {name: partition, from: controlPlane}", CONVERGES) WEB,
                   beside(&known)),
        WAITS_FORGOTTEN);
    assert_int_equal(waits_with(CHECK_OF(FAILURE ", {name: partition, from: clients}", CONVERGES)
                                    WEB,
                                beside(&known)),
                     WAITS_AND_LOSSES_FORGOTTEN);
    assert_int_equal(
        waits_with(CHECK_OF("{name: maintenance, drain: false}", CONVERGES) WEB, beside(&known)),
        WAITS_FORGOTTEN);
}

static void who_sees_them_keeps_them(void **state)
{
    struct population_options lagging = beside(&known);
    (void)state;
    lagging.sets_lag = true;
    assert_int_equal(waits_with(FAILS WEB, lagging), WAITS_KEPT);
    assert_int_equal(waits_with(RECREATED, beside(&known)), WAITS_KEPT);
    assert_int_equal(waits_with(FAILS WEB AUTOSCALER("web"), beside(&known)), WAITS_KEPT);
    assert_int_equal(
        waits_with(CHECK_OF(DRAIN, CONVERGES) WEB API BUDGET("b", "tier: front"), beside(&known)),
        WAITS_KEPT);
    assert_int_equal(
        waits_with(CHECK_OF(FAILURE, "{name: podsSchedulable, mode: eventually}, " CONVERGES) WEB,
                   beside(&known)),
        WAITS_KEPT);
    assert_int_equal(
        waits_with(CHECK_OF("{name: delete, object: Deployment/default/web}", CONVERGES) WEB,
                   beside(&known)),
        WAITS_KEPT);
    assert_int_equal(waits_with(FAILS WEB, (struct population_options){0}), WAITS_KEPT);
}

/* Whoever is bound to a node that is not up is not in the pool. */
static void pods_that_go_to_bad_nodes_are_kept(void **state)
{
    (void)state;
    assert_int_equal(waits_with(TOLERATES("node.kubernetes.io/unschedulable"), beside(&known)),
                     WAITS_KEPT);
    assert_int_equal(waits_with(TOLERATES("node.kubernetes.io/unreachable"), beside(&known)),
                     WAITS_KEPT);
    assert_int_equal(waits_with(TOLERATES("node.kubernetes.io/not-ready"), beside(&known)),
                     WAITS_KEPT);
    assert_int_equal(waits_with(TOLERATES("other"), beside(&known)), WAITS_AND_LOSSES_FORGOTTEN);
}

static void they_are_kept_if_that_is_asked_for(void **state)
{
    struct population_options options = beside(&known);
    (void)state;
    options.every_order = true;
    assert_int_equal(waits_with(FAILS WEB, options), WAITS_KEPT);
    options = beside(&known);
    options.reductions = REDUCTIONS_NEVER;
    assert_int_equal(waits_with(FAILS WEB, options), WAITS_KEPT);
    options.reductions = REDUCTIONS_NEVER_LOOPS_REST;
    assert_int_equal(waits_with(FAILS WEB, options), WAITS_KEPT);
}

static void an_actor_has_to_say_so(void **state)
{
    static const struct {
        struct actor actor;
        enum waits waits;
    } cases[] = {
        {{.name = "one that says nothing"}, WAITS_KEPT},
        {{.reads = PART_PODS}, WAITS_KEPT},
        {{.reads = PART_WAITING}, WAITS_KEPT},
        {{.reads = PART_NODES}, WAITS_AND_LOSSES_FORGOTTEN},
        {{.reads = PART_PODS, .minds_waits = never_minds}, WAITS_AND_LOSSES_FORGOTTEN},
        {{.minds_waits = never_minds, .pace = PACE_PERIODIC}, WAITS_KEPT},
    };
    struct fixture fixture;
    (void)state;
    struct population *population = fixture_begin(&fixture, FAILS WEB, beside(&known));
    for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
        population->actors.items[0] = &cases[i].actor;
        waits_choose(population);
        assert_int_equal(population->waits, cases[i].waits);
    }
    fixture_end(&fixture, population);
}

static void an_event_has_to_say_so(void **state)
{
    struct fixture fixture;
    (void)state;
    struct population *population = fixture_begin(&fixture, FAILS WEB, beside(&known));
    struct event_type type = *population->events.items[0].type;
    type.traits &= ~(unsigned)LEAVES_WAITS_ALONE;
    population->events.items[0].type = &type;
    waits_choose(population);
    assert_int_equal(population->waits, WAITS_KEPT);
    fixture_end(&fixture, population);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(they_are_forgotten_where_nobody_sees_them),
        cmocka_unit_test(losses_are_kept_where_they_are_seen),
        cmocka_unit_test(who_sees_them_keeps_them),
        cmocka_unit_test(pods_that_go_to_bad_nodes_are_kept),
        cmocka_unit_test(they_are_kept_if_that_is_asked_for),
        cmocka_unit_test(an_actor_has_to_say_so),
        cmocka_unit_test(an_event_has_to_say_so),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
