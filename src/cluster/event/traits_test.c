/* SPDX-License-Identifier: Apache-2.0 */
/* An event that says nothing of what it leaves alone switches every reduction off, one
 * trait after the other: a cluster is built for which all reductions are made, and then its
 * event loses a trait. */
#include "cluster/actor/step_kubelets.h"
#include "cluster/actor/step_lifecycle.h"
#include "cluster/build/build_pods.h"
#include "cluster/event/registry.h"
#include "cluster/event_type.h"
#include "cluster/reduce/readiness.h"
#include "cluster/reduce/reductions.h"
#include "setup/scope_fixture.h"

/* Its autoscaler makes it matter whether pods start late, its load whether an event goes by
 * usage. */
#define MANIFESTS                                                                                \
    "apiVersion: fathom/v1\nkind: Check\nmetadata: {name: test}\nspec:\n"                        \
    "  scale: {mode: exact}\n"                                                                   \
    "  nodeGroups:\n"                                                                            \
    "  - {name: g, count: 5, node: {status: {allocatable: {cpu: '4', memory: 16Gi, pods: "       \
    "'110'}}}}\n"                                                                                \
    "  events: [{name: load, workload: Deployment/default/web, total: [1, 2]}]\n"                \
    "  intents: [{name: podsSchedulable}]\n"                                                     \
    "---\napiVersion: apps/v1\nkind: Deployment\nmetadata: {name: web, namespace: default}\n"    \
    "spec:\n  replicas: 2\n  selector: {matchLabels: {app: web}}\n  template:\n"                 \
    "    metadata: {labels: {app: web}}\n    spec:\n      containers:\n"                         \
    "      - {name: c, image: x, resources: {requests: {cpu: 500m, memory: 1Gi}}}\n"             \
    "---\napiVersion: autoscaling/v2\nkind: HorizontalPodAutoscaler\n"                           \
    "metadata: {name: web, namespace: default}\nspec:\n  scaleTargetRef: {apiVersion: apps/v1, " \
    "kind: Deployment, name: web}\n  minReplicas: 2\n  maxReplicas: 4\n  metrics: [{type: "      \
    "Resource, resource: {name: cpu, target: {type: Utilization, averageUtilization: 80}}}]\n"

struct chosen {
    bool creates_first;
    bool ready_at_once;
    bool readiness;
    bool admission;
    bool taints_late;
    bool counts;
};

/* What is chosen for an event with these traits. */
static struct chosen choose(struct population *population, unsigned traits)
{
    struct event_type type = *event_type(EVENT_LOAD);
    const struct event_type *before = population->events.items[0].type;
    type.traits = traits;
    population->events.items[0].type = &type;
    reductions_choose(population);
    const struct chosen chosen = {
        .creates_first = population->creates_first,
        .ready_at_once = population->ready_at_once,
        .readiness = readiness_is_read(population),
        .admission = admission_matters(population),
        .taints_late = taints_may_be_late(population),
        .counts = population->counts_starts,
    };
    population->events.items[0].type = before;
    return chosen;
}

static struct population *build(struct fixture *fixture, struct setups *setups)
{
    const struct population_options options = {.features = features_of_version(26),
                                               .reductions = REDUCTIONS_ALWAYS};
    assert_true(fixture_load(fixture, MANIFESTS));
    scope_enumerate(&fixture->arena, &fixture->scope, setups);
    assert_int_equal(setups->count, 1);
    return population_create(&fixture->memory, &fixture->scope, &setups->items[0],
                             fixture->check->intents, fixture->check->intent_count, &options,
                             &fixture->problems);
}

static void each_trait_counts(void **state)
{
    struct fixture fixture;
    struct setups setups = {0};
    struct population *population = build(&fixture, &setups);
    const unsigned all = event_type(EVENT_LOAD)->traits;
    (void)state;
    const struct chosen chosen = choose(population, all);
    assert_true(chosen.creates_first && chosen.ready_at_once);
    assert_false(chosen.readiness || chosen.admission || chosen.taints_late);

    assert_false(choose(population, all & ~LEAVES_SETS_ALONE).creates_first);
    assert_false(choose(population, all & ~LEAVES_SETS_ALONE).ready_at_once);
    assert_true(choose(population, all & ~LEAVES_STARTS_ALONE).readiness);
    assert_true(choose(population, all & ~NEEDS_NO_READINESS).readiness);
    assert_true(choose(population, all & ~NEEDS_NO_USAGE).readiness);
    assert_true(choose(population, all & ~LEAVES_ADMISSION_ALONE).admission);
    assert_true(choose(population, all & ~LEAVES_NODES_READY).taints_late);
    assert_false(choose(population, (all & ~LEAVES_NODES_READY) | NODES_RETURN).taints_late);
    assert_false(choose(population, TAKES_ONE_NODE).taints_late);
    /* Where readiness counts, and workloads are not explored one at a time. */
    const unsigned aware = all & ~(unsigned)(NEEDS_NO_READINESS | LEAVES_SETS_ALONE);
    assert_true(choose(population, aware).counts);
    assert_false(choose(population, aware & ~(unsigned)LEAVES_PLACES_ALONE).counts);
    population_free(population);
    fixture_release(&fixture);
}

static void no_trait_means_no_reduction(void **state)
{
    struct fixture fixture;
    struct setups setups = {0};
    struct population *population = build(&fixture, &setups);
    const struct chosen chosen = choose(population, 0);
    (void)state;
    assert_false(chosen.creates_first || chosen.ready_at_once);
    assert_true(chosen.readiness && chosen.admission && chosen.taints_late);
    population_free(population);
    fixture_release(&fixture);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_trait_counts),
        cmocka_unit_test(no_trait_means_no_reduction),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
