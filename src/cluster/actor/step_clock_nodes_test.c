/* SPDX-License-Identifier: Apache-2.0 */
/* Taints of clocked nodes along one run that is chosen step by step: when no node answers
 * any more they are taken back, and count anew once one does. */
#include "cluster/emit.h"
#include "cluster/state/clock.h"
#include "cluster/state/clock_words.h"
#include "setup/scope_fixture.h"

#include <string.h>

static const char two_nodes[] =
    "apiVersion: fathom/v1\nkind: Check\nmetadata: {name: test}\nspec:\n  scale: {mode: exact}\n"
    "  time: clocked\n  nodeGroups: [{name: a, count: 2, node: {status: {allocatable: {cpu: '4', "
    "memory: 16Gi, pods: '110'}}}}]\n"
    "  events: [{name: nodeFailure, group: a, recovers: true, atMost: 2}]\n"
    "  intents: [{name: neverEvicted}]\n---\n"
    "apiVersion: apps/v1\nkind: Deployment\nmetadata: {name: web, namespace: default}\nspec:\n"
    "  replicas: 1\n  selector: {matchLabels: {app: web}}\n  template:\n    metadata: {labels: "
    "{app: web}}\n    spec: {containers: [{name: c, image: x}]}\n";

enum { NO_MATTER, WITH_POD, WITHOUT_POD };

struct walk {
    struct step_sink sink;
    struct population *population;
    struct worker *worker;
    uint32_t words[WORDS_MOST];
    uint32_t length;
    /* The step that is looked for. */
    uint32_t action;
    int place;
    bool found;
    uint32_t next[WORDS_MOST];
    uint32_t next_length;
    uint32_t ticks;
};

static bool has_pod(const struct walk *walk, uint32_t node)
{
    struct worker *worker = walk->worker;
    const struct state *state = state_unpack(worker, walk->words, walk->length);
    return state_config(worker, state, node)->pod_entry_count > 0;
}

static bool keep(struct step_sink *sink, const struct step *step)
{
    struct walk *walk = (struct walk *)sink;
    if (walk->found || step->action != walk->action)
        return true;
    if (walk->place != NO_MATTER &&
        has_pod(walk, step_subject_of(step).node) != (walk->place == WITH_POD))
        return true;
    walk->found = true;
    walk->next_length = step->length;
    walk->ticks = step->argument;
    memcpy(walk->next, step->words, step->length * sizeof(*step->words));
    return true;
}

static void ignore(struct step_sink *sink, uint32_t class)
{
    (void)sink;
    (void)class;
}

static bool may(struct walk *walk, uint32_t action, int place)
{
    const struct model *model = population_model(walk->population);
    walk->action = action;
    walk->place = place;
    walk->found = false;
    model->expand(model, walk->worker, walk->words, walk->length, &walk->sink);
    return walk->found;
}

static void take(struct walk *walk, uint32_t action, int place)
{
    assert_true(may(walk, action, place));
    walk->length = walk->next_length;
    memcpy(walk->words, walk->next, walk->length * sizeof(*walk->words));
}

/* Seconds until the step is possible. */
static int64_t wait_for(struct walk *walk, uint32_t action, int64_t most)
{
    int64_t passed = 0;
    while (passed < most && !may(walk, action, NO_MATTER)) {
        const bool age = may(walk, ACT_AGE, NO_MATTER);
        take(walk, age ? ACT_AGE : ACT_TIME, NO_MATTER);
        if (!age)
            passed += clock_ticks_ns(walk->population, walk->ticks) / NANOSECONDS_PER_SECOND;
    }
    return passed;
}

static void begin(struct walk *walk, struct fixture *fixture, struct setups *setups)
{
    const struct population_options how = {.features = features_of_version(26)};
    assert_true(fixture_load(fixture, two_nodes));
    scope_enumerate(&fixture->arena, &fixture->scope, setups);
    walk->population = population_create(&fixture->memory, &fixture->scope, &setups->items[0],
                                         fixture->check->intents, fixture->check->intent_count,
                                         &how, &fixture->problems);
    walk->worker = population_worker_create(walk->population, &fixture->memory);
    const struct model *model = population_model(walk->population);
    model->initial(model, walk->worker, &walk->sink);
    walk->length = walk->next_length;
    memcpy(walk->words, walk->next, walk->length * sizeof(*walk->words));
    take(walk, ACT_DEPLOYMENT_SYNC, NO_MATTER);
    take(walk, ACT_SET_CREATE, NO_MATTER);
    take(walk, ACT_BIND, NO_MATTER);
    take(walk, ACT_EVENT_NODE_FAILS, WITH_POD);
    assert_int_equal(wait_for(walk, ACT_NODE_NOTICED, 1000), 40);
    take(walk, ACT_NODE_NOTICED, NO_MATTER);
}

static void end(struct walk *walk, struct fixture *fixture)
{
    population_worker_free(walk->worker);
    population_free(walk->population);
    fixture_release(fixture);
}

static void a_taint_is_tolerated_for_five_minutes(void **state)
{
    (void)state;
    struct walk walk = {.sink = {keep, ignore}};
    struct fixture fixture;
    struct setups setups = {0};
    begin(&walk, &fixture, &setups);
    assert_int_equal(wait_for(&walk, ACT_TAINT_EVICT, 1000), 300);
    end(&walk, &fixture);
}

/* A hundred seconds after the taint the other node fails, too; it is back at once when that
 * is noticed. Then the first one is tainted anew. */
static void a_taint_that_was_taken_back_counts_anew(void **state)
{
    (void)state;
    struct walk walk = {.sink = {keep, ignore}};
    struct fixture fixture;
    struct setups setups = {0};
    begin(&walk, &fixture, &setups);
    assert_int_equal(wait_for(&walk, ACT_TAINT_EVICT, 100), 100);
    take(&walk, ACT_EVENT_NODE_FAILS, WITHOUT_POD);
    assert_int_equal(wait_for(&walk, ACT_NODE_NOTICED, 1000), 40);
    take(&walk, ACT_NODE_NOTICED, NO_MATTER);
    take(&walk, ACT_AGE, NO_MATTER);
    take(&walk, ACT_NODE_RETURN, WITHOUT_POD);
    assert_int_equal(wait_for(&walk, ACT_TAINT_EVICT, 1000), 300);
    end(&walk, &fixture);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_taint_is_tolerated_for_five_minutes),
        cmocka_unit_test(a_taint_that_was_taken_back_counts_anew),
    };
    return cmocka_run_group_tests_name("clock_nodes", tests, NULL, NULL);
}
