/* SPDX-License-Identifier: Apache-2.0 */
/* Whether a loop is fair to each node: who is kept from finding out says so. */
#include "verify/confirm_loops.h"
#include "verify/explore_setup.h"
#include "verify/tell_setup.h"
#include "verify/verify_fixture.h"

#include <string.h>

/* Every node that has the only pod ready panics and comes back. */
#define PANICS(groups) PANICS_FROM("empty", "3000m", groups)
#define PANICS_FROM(start, load, groups)                                                     \
    CHECK(groups, "  scale: {mode: exact}\n  start: " start "\n"                             \
                  "  events: [{name: load, workload: Deployment/default/web, total: "        \
                  "[3000m], initial: " load "}, {name: kernelPanic, aboveCpu: 40%}]\n"       \
                  "  intents: [{name: neverPreempted}, {name: nodesHealthy, loop: true}]\n") \
    WEB("1", "")
enum { LOOP = 1 << 1 }; /* the intent that is violated */

/* On each node a pod that fails some day, if the node is up. Where the
 * only pod of the StatefulSet joins it the node panics; that pod goes to any node once it has gone.
 */
#define MOVES(count)                                                                            \
    CHECK(GROUP("a", count), "  scale: {mode: exact}\n"                                         \
                             "  events: [{name: kernelPanic, aboveCpu: 60%}]\n"                 \
                             "  intents: [{name: neverPreempted}, {name: noEvictionLoop}]\n")   \
    "---\napiVersion: apps/v1\nkind: StatefulSet\nmetadata: {name: db, namespace: default}\n"   \
    "spec:\n  replicas: 1\n  serviceName: db\n  selector: {matchLabels: {app: db}}\n"           \
    "  template:\n    metadata: {labels: {app: db}}\n    spec:\n      containers:\n"            \
    "      - {name: c, image: x, resources: {requests: {cpu: 500m}}}\n"                         \
    "---\napiVersion: batch/v1\nkind: Job\nmetadata: {name: work, namespace: default}\nspec:\n" \
    "  parallelism: " count "\n  completions: " count "\n  backoffLimit: 0\n  template:\n"      \
    "    metadata: {labels: {app: work}, annotations: {fathom.dev/outcome: fails}}\n"           \
    "    spec:\n      containers: [{name: c, image: x, resources: {requests: {cpu: 2100m}}}]\n" \
    "      restartPolicy: Never\n"                                                              \
    "      tolerations: [{key: node.kubernetes.io/unreachable, operator: Exists}]\n"

struct confirming {
    struct fixture fixture;
    struct setups setups;
    struct population_options population;
    atomic_uint_fast64_t states;
    struct setup_query query;
    struct setup_outcome outcome;
};

static void prepare(struct confirming *confirming, const char *manifests)
{
    assert_true(fixture_load(&confirming->fixture, manifests));
    struct fixture *fixture = &confirming->fixture;
    scope_enumerate(&fixture->arena, &fixture->scope, &confirming->setups);
    assert_int_equal(confirming->setups.count, 1);
    confirming->population = (struct population_options){.features = features_of_version(26)};
    confirming->query = (struct setup_query){
        .scope = &fixture->scope,
        .setup = &confirming->setups.items[0],
        .intents = fixture->check->intents,
        .intent_count = fixture->check->intent_count,
        .asked = 3,
        .told = 3,
        .population = &confirming->population,
        .states_most = UINT64_MAX,
        .time_most_ms = UINT64_MAX,
        .threads = 1,
        .states = &confirming->states,
    };
}

static void explore(struct confirming *confirming, const char *manifests)
{
    struct fixture *fixture = &confirming->fixture;
    prepare(confirming, manifests);
    setup_explore(&confirming->query, &fixture->memory, &fixture->memory, &confirming->outcome);
    assert_int_equal(confirming->outcome.violated, LOOP);
    assert_int_equal(confirming->outcome.goes_on, LOOP);
    assert_int_equal(confirming->outcome.undecided, 0);
    assert_int_equal(confirming->outcome.ended_by, EXPLORE_DECIDED);
    assert_false(confirming->outcome.results[1].unconfirmed);
}

/* So often does the loop have the node go down. */
static uint32_t panics(const struct verify_result *result, const char *node)
{
    uint32_t count = 0;
    for (uint32_t i = result->loop_from; i < result->step_count; i++)
        count += strstr(result->steps[i].told.detail, "goes down") != NULL &&
                 strstr(result->steps[i].told.detail, node) != NULL;
    return count;
}

/* The same words come from the numbers of the steps. */
static void retell(struct confirming *confirming, const struct verify_result *result)
{
    struct arena *arena = &confirming->fixture.arena;
    struct told_path path = {.initial = result->initial,
                             .step_count = result->step_count,
                             .choices = ARENA_ARRAY(arena, uint32_t, result->step_count + 1),
                             .loops = result->loops,
                             .loop_from = result->loop_from};
    struct verify_result again = {0};
    for (uint32_t i = 0; i < result->step_count; i++)
        path.choices[i] = result->steps[i].choice;
    assert_true(setup_retell(&confirming->query, result->reductions, result->nodes, 1, &path,
                             &confirming->fixture.memory, arena, &again));
    assert_int_equal(again.step_count, result->step_count);
    for (uint32_t i = 0; i < result->step_count; i++)
        assert_string_equal(again.steps[i].told.detail, result->steps[i].told.detail);
}

static void release(struct confirming *confirming)
{
    setup_outcome_release(&confirming->outcome);
    fixture_release(&confirming->fixture);
}

static void assert_undecided(const struct confirming *confirming, enum explore_reason reason)
{
    assert_int_equal(confirming->outcome.violated, 0);
    assert_int_equal(confirming->outcome.undecided, LOOP);
    assert_int_equal(confirming->outcome.ended_by, reason);
    assert_false(confirming->outcome.results[1].unconfirmed);
}

static void who_is_stopped_has_found_nothing(void **state)
{
    (void)state;
    const atomic_bool stop = true;
    struct confirming confirming = {0};
    explore(&confirming, PANICS(GROUP("a", "2")));
    confirming.query.stop = &stop;
    confirm_loops(&confirming.query, &confirming.fixture.memory, &confirming.outcome);
    assert_undecided(&confirming, EXPLORE_INTERRUPTED);
    release(&confirming);
}

static void who_has_no_time_has_found_nothing(void **state)
{
    (void)state;
    struct confirming confirming = {0};
    explore(&confirming, PANICS(GROUP("a", "2")));
    confirming.query.time_most_ms = 0;
    confirm_loops(&confirming.query, &confirming.fixture.memory, &confirming.outcome);
    assert_undecided(&confirming, EXPLORE_TIME);
    release(&confirming);
}

/* Where runs begin is found out by a run, and that can be stopped, too. */
static void who_is_stopped_on_the_way_to_a_model_has_found_nothing(void **state)
{
    (void)state;
    const atomic_bool stop = true;
    for (int out_of_time = 0; out_of_time < 2; out_of_time++) {
        const enum explore_reason reason = out_of_time ? EXPLORE_TIME : EXPLORE_INTERRUPTED;
        struct confirming confirming = {0};
        explore(&confirming, PANICS_FROM("canonical", "100m", GROUP("a", "2")));
        struct memory *memory = &confirming.fixture.memory;
        if (out_of_time)
            confirming.query.time_most_ms = 0;
        else
            confirming.query.stop = &stop;
        confirm_loops(&confirming.query, memory, &confirming.outcome);
        assert_undecided(&confirming, reason);
        setup_outcome_release(&confirming.outcome);
        setup_explore(&confirming.query, memory, memory, &confirming.outcome);
        assert_int_equal(confirming.outcome.violated, 0);
        assert_int_equal(confirming.outcome.undecided, 3);
        assert_int_equal(confirming.outcome.ended_by, reason);
        release(&confirming);
    }
}

/* The violation stands then, and it is told. */
static void too_many_states_are_no_confirmation(void **state)
{
    (void)state;
    struct confirming confirming = {0};
    explore(&confirming, PANICS(GROUP("a", "3")));
    confirming.outcome.states = 0;
    confirm_loops(&confirming.query, &confirming.fixture.memory, &confirming.outcome);
    assert_int_equal(confirming.outcome.violated, LOOP);
    assert_int_equal(confirming.outcome.undecided, 0);
    assert_int_equal(confirming.outcome.ended_by, EXPLORE_DECIDED);
    assert_true(confirming.outcome.results[1].unconfirmed);
    release(&confirming);
}

/* One or another of the pods could fail all the time, and none of them for ever. */
static void nodes_that_go_down_in_turns_wait_for_nobody(void **state)
{
    (void)state;
    struct confirming confirming = {0};
    prepare(&confirming, MOVES("2"));
    setup_explore(&confirming.query, &confirming.fixture.memory, &confirming.fixture.memory,
                  &confirming.outcome);
    const struct verify_result *result = &confirming.outcome.results[1];
    assert_int_equal(confirming.outcome.doubted, LOOP);
    assert_int_equal(confirming.outcome.violated, LOOP);
    assert_int_equal(confirming.outcome.undecided, 0);
    assert_int_equal(confirming.outcome.ended_by, EXPLORE_DECIDED);
    assert_int_equal(result->nodes, NODES_ONE_DISTINGUISHED);
    assert_true(result->loops && !result->rests);
    assert_int_equal(panics(result, "a-1"), 1);
    assert_int_equal(panics(result, "a-2"), 1);
    retell(&confirming, result);
    release(&confirming);
}

static void a_doubt_that_is_not_settled_is_no_verdict(void **state)
{
    (void)state;
    struct confirming confirming = {0};
    prepare(&confirming, MOVES("3"));
    setup_explore(&confirming.query, &confirming.fixture.memory, &confirming.fixture.memory,
                  &confirming.outcome);
    assert_int_equal(confirming.outcome.doubted, LOOP);
    assert_int_equal(confirming.outcome.violated, LOOP);
    confirming.outcome.violated = 0;
    confirming.query.states_most = 1;
    confirm_loops(&confirming.query, &confirming.fixture.memory, &confirming.outcome);
    assert_undecided(&confirming, EXPLORE_STATES);
    confirming.outcome.undecided = 0;
    confirming.query.states_most = UINT64_MAX;
    confirming.query.time_most_ms = 0;
    confirm_loops(&confirming.query, &confirming.fixture.memory, &confirming.outcome);
    assert_undecided(&confirming, EXPLORE_TIME);
    release(&confirming);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(who_is_stopped_has_found_nothing),
        cmocka_unit_test(who_has_no_time_has_found_nothing),
        cmocka_unit_test(who_is_stopped_on_the_way_to_a_model_has_found_nothing),
        cmocka_unit_test(too_many_states_are_no_confirmation),
        cmocka_unit_test(nodes_that_go_down_in_turns_wait_for_nobody),
        cmocka_unit_test(a_doubt_that_is_not_settled_is_no_verdict),
    };
    return cmocka_run_group_tests_name("confirm_loops", tests, NULL, NULL);
}
