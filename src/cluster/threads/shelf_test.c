/* SPDX-License-Identifier: Apache-2.0 */
/* A model that was used for other setups before is as good as a new one: the same
 * states, steps, verdicts and stories, whatever the order of the setups. */
#include "verify/explore_setup.h"
#include "verify/whole_report.h"

#define SIZES(replicas) "  workloads: [{name: Deployment/default/web, replicas: " replicas "}]\n"
#define TWO_GROUPS      GROUP("a", "{min: 0, max: 2}") GROUP("b", "{min: 0, max: 2}")
#define BARE_SET                                                                            \
    "---\napiVersion: apps/v1\nkind: ReplicaSet\nmetadata: {name: set, namespace: "         \
    "default}\nspec:\n  replicas: 2\n  selector: {matchLabels: {app: set}}\n  template:\n " \
    "   metadata: {labels: {app: set}}\n    spec:\n      containers: [{name: c, image: x, " \
    "resources: {requests: {cpu: '1'}}}]\n"

static const char *const checks[] = {
    /* Autoscalers, whose bounds follow the setup. */
    CHECK(TWO_GROUPS,
          "  workloads: [{name: Deployment/default/web, replicas: {min: 1, max: 4}, autoscaler: "
          "{follow: true, factor: 2}}]\n"
          "  events: [{name: cpuChange, workload: Deployment/default/web, levels: [112%, 175%], "
          "atMost: 1, after: settled}]\n"
          "  intents: [{name: podsSchedulable}, {name: noReplicaOscillation}, {name: "
          "replicasAtLeast, workload: Deployment/default/web, value: min}]\n") WEB("2", "") HPA(""),
    /* The descheduler; failures that are not mended; what must stay balanced. */
    CHECK(TWO_GROUPS,
          DUPLICATES SIZES("{min: 1, max: 3}") "  events: [{name: nodeFailure, group: a, atMost: "
                                               "1}]\n  intents: [{name: noEvictionLoop}, {name: "
                                               "balanced, topologyKey: kubernetes.io/hostname}]\n")
        WEB("2", ""),
    /* Bare sets, settled starts, another scale. */
    CHECK(TWO_GROUPS,
          "  start: settled\n" SIZES("{min: 1, max: 3}") "  events: [{name: scale, workload: "
                                                         "Deployment/default/web, to: [1, 4], "
                                                         "atMost: 1}]\n  intents: [{name: "
                                                         "converges}, {name: podsSchedulable}]\n")
        WEB("2", "") BARE_SET,
};
enum { CHECK_COUNT = sizeof(checks) / sizeof(checks[0]) };

/* The third node has a name of its own, where there is one. */
static const char *const names_a_node =
    CHECK(GROUP("a", "{min: 1, max: 4}"),
          "  intents: [{name: podsSchedulable}, {name: neverOn, workload: "
          "Deployment/default/web, nodeSelector: {kubernetes.io/hostname: a-3}}]\n") WEB("1", "");

struct trial {
    struct fixture fixture;
    struct setups setups;
    struct memory memory; /* of models and stories */
    struct population_shelf shelf;
    uint32_t served; /* setups that got a model from the shelf */
};

static void explore(struct trial *trial, uint32_t number, struct population_shelf *shelf,
                    struct text *text)
{
    const struct check *check = trial->fixture.check;
    const struct population_options options = {.features = features_of_version(26),
                                               .reductions = REDUCTIONS_OF_LARGE};
    const uint64_t all = (UINT64_C(1) << check->intent_count) - 1;
    atomic_bool stop = false;
    atomic_uint_fast64_t states = 0;
    const struct setup_query query = {
        .scope = &trial->fixture.scope,
        .setup = &trial->setups.items[number],
        .intents = check->intents,
        .intent_count = check->intent_count,
        .asked = all,
        .told = all,
        .population = &options,
        .states_most = UINT64_MAX,
        .time_most_ms = UINT64_MAX,
        .threads = 1,
        .stop = &stop,
        .states = &states,
        .shelf = shelf,
    };
    struct setup_outcome outcome;
    setup_explore(&query, &trial->memory, &trial->memory, &outcome);
    text_init(text, &trial->fixture.memory);
    text_printf(text,
                "%" PRIu64 " states %" PRIu64 " transitions %u deep, violated %" PRIx64
                " undecided %" PRIx64 "\n",
                outcome.states, outcome.transitions, outcome.depth, outcome.violated,
                outcome.undecided);
    for (uint32_t i = 0; i < check->intent_count; i++)
        whole_result(&outcome.results[i], text);
    setup_outcome_release(&outcome);
}

static bool is_there(const struct population_shelf *shelf, const struct population *population)
{
    for (uint32_t i = 0; i < SHELF_PLACES; i++)
        if (shelf->items[i].population == population)
            return true;
    return false;
}

/* A model that comes back to the front was used again, or is new in its place. */
static void compare(struct trial *trial, uint32_t number)
{
    struct text new, used;
    const struct population_shelf before = trial->shelf;
    explore(trial, number, NULL, &new);
    explore(trial, number, &trial->shelf, &used);
    assert_string_equal(text_content(&new), text_content(&used));
    const struct population *first = trial->shelf.items[0].population;
    trial->served += first && is_there(&before, first);
    text_release(&new);
    text_release(&used);
}

/* `served`: most setups are to get a model that was used before. */
static void compare_all(const char *check, bool served)
{
    struct trial trial = {0};
    assert_true(fixture_load(&trial.fixture, check));
    memory_init(&trial.memory, SIZE_MAX);
    scope_enumerate(&trial.fixture.arena, &trial.fixture.scope, &trial.setups);
    assert_true(trial.setups.count > 0);
    /* From small to large and back. */
    for (uint32_t i = 0; i < trial.setups.count; i++)
        compare(&trial, i);
    for (uint32_t i = trial.setups.count; i-- > 0;)
        compare(&trial, i);
    if (served)
        assert_true(trial.served > trial.setups.count);
    population_shelf_release(&trial.shelf);
    assert_int_equal(trial.memory.used_bytes, 0);
    fixture_release(&trial.fixture);
}

static void used_models_are_as_good(void **state)
{
    (void)state;
    for (uint32_t c = 0; c < CHECK_COUNT; c++)
        compare_all(checks[c], true);
    for (uint32_t c = 0; c < WHOLE_CHECK_COUNT; c++)
        compare_all(whole_checks[c], false);
}

static void nodes_with_names_are_told_apart(void **state)
{
    (void)state;
    compare_all(names_a_node, false);
}

static uint32_t shared_classes(const struct model *model)
{
    uint32_t count = 0;
    for (uint32_t class = 0; class < model->fairness_class_count; class ++)
        count += model->class_is_shared(model, class);
    return count;
}

/* Whether nodes are alike is a matter of how many there are. */
static void nodes_are_alike_in_larger_setups(void **state)
{
    (void)state;
    struct trial trial = {0};
    struct problems problems;
    const struct population_options options = {.features = features_of_version(26)};
    assert_true(
        fixture_load(&trial.fixture, CHECK(GROUP("a", "{min: 1, max: 2}"),
                                           "  intents: [{name: converges}]\n") WEB("1", "")));
    memory_init(&trial.memory, SIZE_MAX);
    problems_init(&problems, &trial.fixture.arena);
    scope_enumerate(&trial.fixture.arena, &trial.fixture.scope, &trial.setups);
    const struct check *check = trial.fixture.check;
    for (uint32_t i = 0; i < 2 * trial.setups.count; i++) {
        const struct setup *setup = &trial.setups.items[i % trial.setups.count];
        struct worker *worker;
        struct population *population =
            population_take(&trial.shelf, &trial.memory, &trial.fixture.scope, setup,
                            check->intents, check->intent_count, &options, &problems, &worker);
        assert_int_equal(shared_classes(population_model(population)) > 0, setup->nodes[0] > 1);
        population_put(&trial.shelf, population, worker);
    }
    assert_null(trial.shelf.items[1].population); /* it was one model */
    population_shelf_release(&trial.shelf);
    assert_int_equal(trial.memory.used_bytes, 0);
    fixture_release(&trial.fixture);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(used_models_are_as_good),
                                       cmocka_unit_test(nodes_with_names_are_told_apart),
                                       cmocka_unit_test(nodes_are_alike_in_larger_setups)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
