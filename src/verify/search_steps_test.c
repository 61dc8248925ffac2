/* SPDX-License-Identifier: Apache-2.0 */
/* What runs of a search do without: states unpacked again, steps of workloads that stand still, and
 * those behind the one that is looked for. */
#include "base/hash.h"
#include "base/vec.h"
#include "cluster/others.h"
#include "cluster/threads/crew.h"
#include "cluster/workloads_fixture.h"

#define INTENTS                                                                         \
    "  intents: [{name: podsSchedulable}, {name: converges}, {name: noEvictionLoop},\n" \
    "    {name: replicasAtLeast, value: 1}, {name: replicasAtMost, value: 1}]\n"
#define GROUPS                                                 \
    NODES("a", "2", "", "cpu: '1', memory: 16Gi, pods: '110'") \
    NODES("b", "1", "spec: {taints: [{key: k, effect: NoSchedule}]}, ", ROOMY)
#define EVENTS(list) "  start: empty\n  events: [" list "]\n" INTENTS
#define THREE                                         \
    DEPLOYMENT("s1", "app: s1", "")                   \
    "  replicas: 2\n" DEPLOYMENT("s2", "app: s2", "") \
        WORKLOAD("StatefulSet", "s3", "app: s3", "cpu: 500m", "") BUDGET("b1", "app: s1")
#define JOB                                                                                   \
    "---\napiVersion: batch/v1\nkind: Job\nmetadata: {name: pi, namespace: default}\nspec:\n" \
    "  parallelism: 2\n  completions: 2\n"                                                    \
    "  podFailurePolicy: {rules: [{action: FailJob, onExitCodes: {operator: In, values: "     \
    "[42]}}]}\n"                                                                              \
    "  template:\n    metadata: {annotations: {fathom.dev/outcome: either}}\n"                \
    "    spec: {restartPolicy: Never, containers: [{name: c, image: x}]}\n"
static const char *const clusters[] = {
    CLUSTER(GROUPS, EVENTS("{name: maintenance}, {name: nodeFailure}")) THREE,
    CLUSTER(GROUPS, EVENTS("{name: nodeFailure, recovers: true}"))
        THREE WORKLOAD("Deployment", "first", "app: first", "cpu: '1'", "      priority: 10\n"),
    CLUSTER(GROUPS,
            EVENTS("{name: load, workload: Deployment/default/s1, initial: 400m, total: [900m]}"))
        DEPLOYMENT("s1", "app: s1", "") DEPLOYMENT("s2", "app: s2", "") AUTOSCALER("s1"),
    CLUSTER(NODES("a", "1", "", "cpu: '1', memory: 16Gi, pods: '110'")
                NODES("c", "0", "", "cpu: '1', memory: 16Gi, pods: '110'"),
            "  controllers: {clusterAutoscaler: {groups: {a: {min: 0, max: 2}, c: {min: 0, max: "
            "2}}}}\n" EVENTS("{name: nodeFailure}")) THREE,
    CLUSTER(GROUPS, EVENTS("{name: nodeFailure}")) JOB DEPLOYMENT("s1", "app: s1", ""),
    CLUSTER(GROUPS, EVENTS("{name: zoneOutage, topologyKey: kubernetes.io/hostname}")) THREE,
};
enum { CLUSTER_COUNT = sizeof(clusters) / sizeof(*clusters), WALKS = 80, STEPS = 60 };
/* The last cluster is one beside others, with a pool: events come to pods in several ways. */
enum { POOLED = CLUSTER_COUNT - 1 };

struct steps_test {
    struct fixture fixture;
    struct crew *crew;
    struct worker *worker;
    const struct model *model;
    uint32_t intent_count;
};

static void begin(struct steps_test *test, uint32_t cluster,
                  enum population_interleaving interleaving)
{
    static const struct others others = {.pools = true, .unknown = true};
    const struct population_options how = {.features = features_of_version(26),
                                           .interleaving = interleaving,
                                           .others = cluster == POOLED ? &others : NULL};
    struct fixture *fixture = &test->fixture;
    struct setups setups = {0};
    *test = (struct steps_test){0};
    assert_true(fixture_load(fixture, clusters[cluster]));
    scope_enumerate(&fixture->arena, &fixture->scope, &setups);
    test->intent_count = fixture->check->intent_count;
    test->crew = crew_create(NULL, &fixture->memory, &fixture->scope, &setups.items[0],
                             fixture->check->intents, test->intent_count, &how, &fixture->problems);
    assert_non_null(test->crew);
    test->worker = crew_worker(test->crew);
    test->model = population_worker_model(test->worker);
}

static void end(struct steps_test *test)
{
    crew_free(test->crew);
    fixture_release(&test->fixture);
}

/* ---- a random walk ---- */

/* The steps out of a state, each of which is held against what is known of it otherwise. */
struct listing {
    struct step_sink sink;
    struct steps_test *test;
    VEC(struct step) steps;
    uint32_t most; /* as many steps are wanted */
};

static bool list_step(struct step_sink *sink, const struct step *step)
{
    struct listing *listing = (struct listing *)sink;
    struct step copy = *step;
    copy.words =
        arena_copy(&listing->test->fixture.arena, step->words, step->length * sizeof(*step->words));
    VEC_PUSH(&listing->test->fixture.arena, &listing->steps, copy);
    return listing->steps.count < listing->most;
}

static bool judge_step(struct step_sink *sink, const struct step *step)
{
    struct steps_test *test = ((struct listing *)sink)->test;
    const uint64_t all = (UINT64_C(1) << test->intent_count) - 1;
    const uint64_t atoms = test->model->atoms(test->model, test->worker, step->words, step->length);
    assert_int_equal(population_step_atoms(test->worker, step, all), atoms & all);
    for (uint32_t i = 0; i < test->intent_count; i++) {
        assert_int_equal(population_step_atoms(test->worker, step, UINT64_C(1) << i),
                         atoms & UINT64_C(1) << i);
        assert_int_equal(population_step_nearness(test->worker, i, step),
                         population_nearness(test->worker, i, step->words, step->length));
    }
    return list_step(sink, step);
}

static void mind_enabled(struct step_sink *sink, uint32_t fairness_class)
{
    (void)sink;
    (void)fairness_class;
}

static struct listing listing_of(struct steps_test *test)
{
    return (struct listing){.sink = {.emit = list_step}, .test = test, .most = UINT32_MAX};
}

static void assert_same(const struct listing *left, const struct listing *right, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++) {
        const struct step *a = &left->steps.items[i];
        const struct step *b = &right->steps.items[i];
        assert_true(a->action == b->action && a->argument == b->argument &&
                    a->fairness == b->fairness && a->marks == b->marks && a->length == b->length);
        assert_memory_equal(a->words, b->words, a->length * sizeof(*a->words));
    }
}

/* Calls the check for each state of some walks through each cluster. */
static void walk(void (*check)(struct steps_test *test, const struct step *state, uint64_t random))
{
    static const enum population_interleaving interleavings[] = {INTERLEAVING_SETTLED,
                                                                 INTERLEAVING_CONTROLLERS};
    for (uint32_t number = 0; number < CLUSTER_COUNT * WALKS; number++) {
        struct steps_test test;
        begin(&test, number % CLUSTER_COUNT, interleavings[number / CLUSTER_COUNT % 2]);
        struct listing listing = listing_of(&test);
        test.model->initial(test.model, test.worker, &listing.sink);
        for (uint32_t i = 0; i < STEPS && listing.steps.count > 0; i++) {
            const uint64_t random = hash_word(number * STEPS + i + 1);
            const struct step state = listing.steps.items[random % listing.steps.count];
            check(&test, &state, random);
            listing.steps.count = 0;
            test.model->expand(test.model, test.worker, state.words, state.length, &listing.sink);
        }
        end(&test);
    }
}

/* ---- what is done without ---- */

static void check_judged(struct steps_test *test, const struct step *state, uint64_t random)
{
    struct listing listing = listing_of(test);
    (void)random;
    listing.sink.emit = judge_step;
    test->model->expand(test->model, test->worker, state->words, state->length, &listing.sink);
}

static void successors_are_judged_like_states(void **state)
{
    (void)state;
    walk(check_judged);
}

/* Whoever asks which steps are enabled gets all of them made. */
static void check_leading(struct steps_test *test, const struct step *state, uint64_t random)
{
    enum { WORKLOADS = 4 };
    bool leads[WORKLOADS];
    struct listing all = listing_of(test);
    struct listing some = listing_of(test);
    for (uint32_t w = 0; w < WORKLOADS; w++)
        leads[w] = random >> (8 + w) & 1;
    all.sink.enable = mind_enabled;
    population_worker_lead(test->worker, leads, true);
    test->model->expand(test->model, test->worker, state->words, state->length, &all.sink);
    test->model->expand(test->model, test->worker, state->words, state->length, &some.sink);
    population_worker_lead(test->worker, NULL, false);
    assert_int_equal(all.steps.count, some.steps.count);
    assert_same(&all, &some, all.steps.count);
}

static void those_that_lead_have_all_their_steps(void **state)
{
    (void)state;
    walk(check_leading);
}

static void check_until(struct steps_test *test, const struct step *state, uint64_t random)
{
    struct listing all = listing_of(test);
    struct listing some = listing_of(test);
    test->model->expand(test->model, test->worker, state->words, state->length, &all.sink);
    if (all.steps.count == 0)
        return;
    some.most = 1 + (uint32_t)(random >> 32) % all.steps.count;
    population_expand_until(test->worker, state->words, state->length, &some.sink);
    assert_true(some.steps.count == some.most);
    assert_same(&some, &all, some.most);
}

static void steps_end_where_one_is_found(void **state)
{
    (void)state;
    walk(check_until);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(successors_are_judged_like_states),
        cmocka_unit_test(those_that_lead_have_all_their_steps),
        cmocka_unit_test(steps_end_where_one_is_found),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
