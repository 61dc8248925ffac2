/* SPDX-License-Identifier: Apache-2.0 */
/* Reductions are applied only if every intent says that it cannot see them: one of which
 * nothing but a mark is known gets none. */
#include "cluster/intent_class.h"
#include "cluster/reduce/focus.h"
#include "cluster/reduce/focus_anywhere.h"
#include "cluster/reduce/readiness.h"
#include "cluster/reduce/reductions.h"
#include "cluster/state/population_model.h"
#include "cluster/state/worker.h"
#include "setup/scope_fixture.h"

/* All reductions can be applied to it. */
static const char manifests[] =
    "apiVersion: fathom/v1\nkind: Check\nmetadata: {name: test}\nspec:\n  scale: {mode: exact}\n"
    "  nodeGroups: [{name: a, count: 3, node: {status: {allocatable: {cpu: '4', memory: 16Gi, "
    "pods: '110'}}}}]\n"
    "  events: [{name: nodeFailure, group: a}]\n  intents: [{name: neverEvicted}]\n---\n"
    "apiVersion: apps/v1\nkind: Deployment\nmetadata: {name: web, namespace: default}\nspec:\n"
    "  replicas: 1\n  selector: {matchLabels: {app: web}}\n  template:\n    metadata: {labels: "
    "{app: web}}\n    spec: {containers: [{name: c, image: x}]}\n---\n"
    "apiVersion: apps/v1\nkind: Deployment\nmetadata: {name: api, namespace: default}\nspec:\n"
    "  replicas: 1\n  selector: {matchLabels: {app: api}}\n  template:\n    metadata: {labels: "
    "{app: api}}\n    spec: {containers: [{name: c, image: x}]}\n";

static bool mark(const struct judged *judged)
{
    (void)judged;
    return false;
}

/* Which of them are applied, as bits: in the order of enum intent_ignores. */
static unsigned applied(struct population *population)
{
    reductions_choose(population);
    return (readiness_is_read(population) ? 0 : IGNORES_READINESS) |
           (population->ready_at_once ? IGNORES_STARTING : 0U) |
           (population->creates_first ? IGNORES_CREATION_ORDER : 0U) |
           (population->may_focus ? IGNORES_OTHER_WORKLOADS : 0U) |
           (places_are_alike(population->maker, population->initial) ? IGNORES_PLACES : 0U);
}

static void only_what_every_intent_ignores_is_left_out(void **state)
{
    enum { ALL = IGNORES_PLACES * 2 - 1 };
    struct fixture fixture;
    struct setups setups = {0};
    (void)state;
    assert_true(fixture_load(&fixture, manifests));
    scope_enumerate(&fixture.arena, &fixture.scope, &setups);
    const struct population_options options = {.features = features_of_version(26),
                                               .reductions = REDUCTIONS_ALWAYS};
    struct population *population =
        population_create(&fixture.memory, &fixture.scope, &setups.items[0], fixture.check->intents,
                          fixture.check->intent_count, &options, &fixture.problems);
    assert_int_equal(applied(population), ALL);
    for (unsigned ignores = 0; ignores <= ALL; ignores++) {
        const struct intent_class class = {.mark = mark, .ignores = ignores};
        population->intents.items[0].class = &class;
        assert_int_equal(applied(population), ignores);
    }
    population_free(population);
    fixture_release(&fixture);
}

/* An autoscaler whose target is this use of CPU; pods use what they request. */
#define AUTOSCALED(target, more)                                                                 \
    "apiVersion: fathom/v1\nkind: Check\nmetadata: {name: test}\nspec:\n"                        \
    "  scale: {mode: exact}\n"                                                                   \
    "  nodeGroups: [{name: a, count: 3, node: {status: {allocatable: {cpu: '4', memory: 16Gi, "  \
    "pods: '110'}}}}]\n"                                                                         \
    "  events: [" more "]\n  intents: [{name: neverEvicted}]\n---\n"                             \
    "apiVersion: apps/v1\nkind: Deployment\nmetadata: {name: web, namespace: default}\nspec:\n"  \
    "  replicas: 2\n  selector: {matchLabels: {app: web}}\n  template:\n    metadata: {labels: " \
    "{app: web}}\n    spec: {containers: [{name: c, image: x, resources: {requests: {cpu: "      \
    "100m}}}]}\n---\n"                                                                           \
    "apiVersion: autoscaling/v2\nkind: HorizontalPodAutoscaler\n"                                \
    "metadata: {name: web, namespace: default}\nspec:\n"                                         \
    "  scaleTargetRef: {apiVersion: apps/v1, kind: Deployment, name: web}\n"                     \
    "  minReplicas: 1\n  maxReplicas: 4\n  metrics: [{type: Resource, resource: {name: cpu, "    \
    "target: " target "}}]\n"

/* Are reductions made that an autoscaler in a hurry does not allow? */
static bool is_reduced(const char *text)
{
    struct fixture fixture;
    struct setups setups = {0};
    assert_true(fixture_load(&fixture, text));
    scope_enumerate(&fixture.arena, &fixture.scope, &setups);
    const struct population_options options = {.features = features_of_version(26),
                                               .interleaving = INTERLEAVING_CONTROLLERS,
                                               .reductions = REDUCTIONS_ALWAYS};
    struct population *population =
        population_create(&fixture.memory, &fixture.scope, &setups.items[0], fixture.check->intents,
                          fixture.check->intent_count, &options, &fixture.problems);
    const bool reduced = population->creates_first;
    assert_true(population->remembers_quiet == !reduced);
    population_free(population);
    fixture_release(&fixture);
    return reduced;
}

#define UTILIZATION(percent) "{type: Utilization, averageUtilization: " percent "}"
#define FAILURE              "{name: nodeFailure, group: a}"

static void an_autoscaler_that_never_acts_is_in_no_hurry(void **state)
{
    (void)state;
    assert_true(is_reduced(AUTOSCALED(UTILIZATION("100"), FAILURE)));
    assert_true(is_reduced(AUTOSCALED(UTILIZATION("95"), FAILURE)));
    assert_false(is_reduced(AUTOSCALED(UTILIZATION("50"), FAILURE)));
    assert_false(is_reduced(AUTOSCALED(UTILIZATION("200"), FAILURE)));
    assert_false(is_reduced(AUTOSCALED("{type: AverageValue, averageValue: 100m}", FAILURE)));
    assert_false(is_reduced(AUTOSCALED(
        UTILIZATION("100"), "{name: cpuChange, workload: Deployment/default/web, levels: [50%]}")));
    assert_false(is_reduced(AUTOSCALED(
        UTILIZATION("100"), "{name: load, workload: Deployment/default/web, total: [200m]}")));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(only_what_every_intent_ignores_is_left_out),
        cmocka_unit_test(an_autoscaler_that_never_acts_is_in_no_hurry),
    };
    return cmocka_run_group_tests_name("reductions", tests, NULL, NULL);
}
