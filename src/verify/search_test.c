/* SPDX-License-Identifier: Apache-2.0 */
/* A search finds violations that need many workloads; what it finds is a run of the model, and
 * what it does not find stays open. */
#include "cluster/state/actions.h"
#include "cluster/threads/crew.h"
#include "cluster/workloads_fixture.h"
#include "verify/search.h"
#include "verify/search_filled.h"
#include "verify/search_run.h"
#include "verify/search_shorten.h"
#include "walk/walk.h"

/* Eight services with one pod each, on two nodes for three pods each. */
#define SERVICE(name) DEPLOYMENT(name, "app: " name, "")
#define SERVICES  \
    SERVICE("s1") \
    SERVICE("s2") \
    SERVICE("s3") SERVICE("s4") SERVICE("s5") SERVICE("s6") SERVICE("s7") SERVICE("s8")
#define SMALL "cpu: 1500m, memory: 16Gi, pods: '110'"
static const char tight[] =
    CLUSTER(NODES("a", "2", "", SMALL),
            "  intents: [{name: podsSchedulable}, {name: converges}, {name: noEvictionLoop}]\n")
        SERVICES;
static const char roomy[] =
    CLUSTER(NODES("a", "2", "", ROOMY),
            "  events: [{name: maintenance}]\n"
            "  intents: [{name: podsSchedulable}, {name: converges}, {name: noEvictionLoop}]\n")
        SERVICES;
/* A node fails, of which s1 alone minds. */
static const char failing[] =
    CLUSTER(NODES("a", "2", "", ROOMY),
            "  events: [{name: nodeFailure}]\n"
            "  intents: [{name: replicasAtLeast, workload: Deployment/default/s1, value: 1}]\n")
        SERVICES;
/* The pod of web is bound and evicted for ever, and that of big is tried in vain. */
static const char loop[] =
    CLUSTER(NODES("a", "1", "spec: {taints: [{key: k, effect: NoExecute}]}, ", ROOMY),
            "  intents: [{name: noOscillation}, {name: converges, workload: "
            "Deployment/default/s1}]\n")
        DEPLOYMENT("web", "app: web",
                   "      tolerations: [{key: k, operator: Exists, effect: NoExecute, "
                   "tolerationSeconds: 30}]\n")
            WORKLOAD("Deployment", "big", "app: big", "cpu: '5'", "")
                DEPLOYMENT("s1", "app: s1", "      tolerations: [{key: k, operator: Exists}]\n");

/* Budgets guard all but the last one, which loses both pods if two nodes are drained. */
#define TWICE(name)                                                                      \
    "---\napiVersion: apps/v1\nkind: ReplicaSet\nmetadata: {name: " name                 \
    ", namespace: default}\nspec:\n  replicas: 2\n  selector: {matchLabels: {app: " name \
    "}}\n  template:\n    metadata: {labels: {app: " name                                \
    "}}\n    spec: {containers: [{name: c, image: x, resources: {requests: {cpu: 100m}}}]}\n"
#define GUARDED(name) TWICE(name) BUDGET(name, "app: " name)
static const char guarded[] =
    CLUSTER(NODES("a", "8", "", ROOMY), "  events: [{name: maintenance, atMost: 8}]\n"
                                        "  intents: [{name: replicasAtLeast, value: 1}]\n")
        GUARDED("g1") GUARDED("g2") GUARDED("g3") GUARDED("g4") GUARDED("g5") GUARDED("g6")
            GUARDED("g7") TWICE("plain");

enum { FIRST = 1, SECOND = 2, THIRD = 4 }; /* intents, as bits */

struct search_test {
    struct fixture fixture;
    struct crew *crew;
    struct setups setups;
    struct search_findings findings;
};

static void begin(struct search_test *test, const char *manifests)
{
    const struct population_options how = {.features = features_of_version(26)};
    struct fixture *fixture = &test->fixture;
    *test = (struct search_test){0};
    assert_true(fixture_load(fixture, manifests));
    scope_enumerate(&fixture->arena, &fixture->scope, &test->setups);
    assert_int_equal(test->setups.count, 1);
    test->crew = crew_create(NULL, &fixture->memory, &fixture->scope, &test->setups.items[0],
                             fixture->check->intents, fixture->check->intent_count, &how,
                             &fixture->problems);
    assert_non_null(test->crew);
    test->findings.paths =
        ARENA_ARRAY(&fixture->arena, struct run_path, fixture->check->intent_count + 1);
}

static void end(struct search_test *test)
{
    crew_free(test->crew);
    fixture_release(&test->fixture);
}

static uint64_t run(struct search_test *test, uint32_t guide, uint64_t open)
{
    const struct search_guide how = {
        .intent = guide, .seed = 1, .steps_most = 1000, .effort_most = UINT64_MAX};
    search_run(&test->fixture.arena, crew_worker(test->crew), &how, open, &test->findings);
    return test->findings.violated;
}

/* Is the path a counterexample, judged by who replays reports? */
static void assert_refutes(struct search_test *test, uint32_t number, const struct run_path *path)
{
    struct walk *walk =
        walk_create_at(&test->fixture.arena, crew_worker(test->crew), path->initial_index, false);
    assert_non_null(walk);
    for (uint32_t i = 0; i < path->step_count; i++) {
        uint32_t length;
        assert_true(path->steps[i].index < walk->choices.count);
        walk_take(walk, path->steps[i].index);
        const uint32_t *words = walk_state(walk, &length);
        assert_int_equal(length, path->offsets[i + 2] - path->offsets[i + 1]);
        assert_memory_equal(words, path->words + path->offsets[i + 1], length * sizeof(*words));
    }
    const char *flaw = walk_refutes(walk, number, path->loops, path->loop_rests, path->loop_from);
    assert_string_equal(flaw ? flaw : "", "");
}

static void a_violation_by_many_is_found(void **state)
{
    struct search_test test;
    (void)state;
    begin(&test, tight);
    assert_int_equal(run(&test, 0, FIRST | SECOND | THIRD), FIRST | SECOND);
    assert_refutes(&test, 0, &test.findings.paths[0]);
    assert_refutes(&test, 1, &test.findings.paths[1]);
    /* The pods that wait are tried for ever. */
    assert_true(test.findings.paths[1].loops);
    assert_false(test.findings.paths[1].loop_rests);
    assert_int_equal(test.findings.goes_round, 0);
    end(&test);
}

static void those_that_no_budget_guards_come_first(void **state)
{
    struct search_test test;
    (void)state;
    begin(&test, guarded);
    assert_int_equal(run(&test, 0, FIRST), FIRST);
    assert_refutes(&test, 0, &test.findings.paths[0]);
    end(&test);
}

/* Others fill the cluster, while s1 or the last one waits. */
static void what_others_fill_is_found(void **state)
{
    struct search_test test;
    const struct search_guide guide = {.steps_most = 2000, .effort_most = 100000};
    (void)state;
    for (uint32_t leader = 0; leader < 8; leader += 7) {
        begin(&test, tight);
        search_filled(&test.fixture.arena, crew_worker(test.crew), leader, 8, &guide,
                      FIRST | SECOND | THIRD, &test.findings);
        /* What must happen in the end is not judged. */
        assert_int_equal(test.findings.violated, FIRST);
        end(&test);
        begin(&test, roomy);
        search_filled(&test.fixture.arena, crew_worker(test.crew), leader, 8, &guide,
                      FIRST | SECOND | THIRD, &test.findings);
        assert_int_equal(test.findings.violated, 0);
        end(&test);
    }
    begin(&test, tight);
    search_filled(&test.fixture.arena, crew_worker(test.crew), 0, 8,
                  &(struct search_guide){.steps_most = 2000, .effort_most = 10}, FIRST,
                  &test.findings);
    assert_int_equal(test.findings.violated, 0);
    end(&test);
}

static void what_holds_is_not_found(void **state)
{
    struct search_test test;
    (void)state;
    begin(&test, roomy);
    for (uint32_t guide = 0; guide < 3; guide++)
        assert_int_equal(run(&test, guide, FIRST | SECOND | THIRD), 0);
    assert_int_equal(run(&test, GUIDE_NONE, FIRST | SECOND | THIRD), 0);
    assert_int_equal(test.findings.runs, 4);
    assert_true(test.findings.steps > UINT64_C(4) * 8 * 4);
    end(&test);
}

static void what_is_closed_is_not_judged(void **state)
{
    struct search_test test;
    (void)state;
    begin(&test, tight);
    assert_int_equal(run(&test, 0, SECOND), SECOND);
    end(&test);
}

static void steps_are_limited(void **state)
{
    const struct search_guide few = {
        .intent = GUIDE_NONE, .steps_most = 7, .effort_most = UINT64_MAX};
    const struct search_guide lazy = {.intent = GUIDE_NONE, .steps_most = 1000, .effort_most = 50};
    struct search_test test;
    (void)state;
    begin(&test, tight);
    search_run(&test.fixture.arena, crew_worker(test.crew), &few, FIRST, &test.findings);
    assert_int_equal(test.findings.steps, 8);
    search_run(&test.fixture.arena, crew_worker(test.crew), &lazy, FIRST, &test.findings);
    assert_in_range(test.findings.effort, 50, 100);
    assert_int_equal(test.findings.violated, 0);
    end(&test);
}

static void a_fair_loop_is_found(void **state)
{
    struct search_test test;
    (void)state;
    begin(&test, loop);
    assert_int_equal(run(&test, GUIDE_NONE, FIRST | SECOND), FIRST);
    assert_int_equal(test.findings.goes_round, FIRST);
    assert_refutes(&test, 0, &test.findings.paths[0]);
    end(&test);
}

static void others_are_left_out(void **state)
{
    (void)state;
    for (enum search_events events = 0; events < SEARCH_EVENTS_COUNT; events++) {
        struct search_test test;
        const struct search_guide guide = {
            .events = events, .seed = 1, .steps_most = 1000, .effort_most = UINT64_MAX};
        begin(&test, failing);
        search_run(&test.fixture.arena, crew_worker(test.crew), &guide, FIRST, &test.findings);
        if (events == EVENTS_FIRST && test.findings.violated == 0) {
            end(&test);
            continue; /* the node failed before any pod was ready */
        }
        assert_int_equal(test.findings.violated, FIRST);
        const struct budget budget = {0};
        const struct run_path path = search_shorten(&test.fixture.arena, crew_worker(test.crew), 0,
                                                    &test.findings.paths[0], &budget);
        assert_refutes(&test, 0, &path);
        /* The Deployment, its ReplicaSet, the scheduler, the kubelet, the failure; if that comes
         * late, some steps of another workload may be left. */
        assert_true(path.step_count == 5 || (events == EVENTS_AT_REST && path.step_count <= 8));
        end(&test);
    }
}

/* ---- steps that are taken again ---- */

struct step_list {
    struct step_sink sink;
    struct arena *arena;
    VEC(struct step) steps;
};

static bool list_step(struct step_sink *sink, const struct step *step)
{
    struct step_list *list = (struct step_list *)sink;
    struct step copy = *step;
    copy.words = arena_copy(list->arena, step->words, step->length * sizeof(*step->words));
    VEC_PUSH(list->arena, &list->steps, copy);
    return true;
}

static struct step_list empty_list(struct search_test *test)
{
    return (struct step_list){.sink = {.emit = list_step}, .arena = &test->fixture.arena};
}

static bool has_step_like(const struct step_list *list, const struct step *wanted)
{
    for (uint32_t i = 0; i < list->steps.count; i++) {
        const struct step *step = &list->steps.items[i];
        if (step->action == wanted->action && step->argument == wanted->argument &&
            step->fairness == wanted->fairness && step->marks == wanted->marks &&
            step->length == wanted->length &&
            memcmp(step->words, wanted->words, wanted->length * sizeof(*wanted->words)) == 0)
            return true;
    }
    return false;
}

/* Each step out of a state is there when it is asked for alone, and so are all pods that find no
 * node; every step that is given then is one out of the state. */
static void assert_taken_again(struct search_test *test, const uint32_t *words, uint32_t length)
{
    struct worker *worker = crew_worker(test->crew);
    const struct model *model = population_worker_model(worker);
    struct step_list all = empty_list(test);
    model->expand(model, worker, words, length, &all.sink);
    for (uint32_t i = 0; i < all.steps.count; i++) {
        const struct step *wanted = &all.steps.items[i];
        struct step_list alone = empty_list(test);
        struct step_list beside = empty_list(test);
        population_expand_again(worker, words, length, wanted->action, wanted->argument,
                                POPULATION_ACTION_COUNT, &alone.sink);
        population_expand_again(worker, words, length, wanted->action, wanted->argument,
                                ACT_UNSCHEDULABLE, &beside.sink);
        assert_true(has_step_like(&alone, wanted));
        for (uint32_t k = 0; k < alone.steps.count; k++)
            assert_true(alone.steps.items[k].action == wanted->action &&
                        has_step_like(&all, &alone.steps.items[k]));
        for (uint32_t k = 0; k < all.steps.count; k++)
            if (k == i || all.steps.items[k].action == ACT_UNSCHEDULABLE)
                assert_true(has_step_like(&beside, &all.steps.items[k]));
        for (uint32_t k = 0; k < beside.steps.count; k++)
            assert_true(has_step_like(&all, &beside.steps.items[k]));
    }
}

static void steps_taken_again_are_the_same(void **state)
{
    static const char *const clusters[] = {tight, failing, loop};
    (void)state;
    for (size_t c = 0; c < sizeof(clusters) / sizeof(*clusters); c++) {
        struct search_test test;
        begin(&test, clusters[c]);
        assert_int_equal(run(&test, 0, FIRST) & FIRST, FIRST);
        const struct run_path *path = &test.findings.paths[0];
        for (uint32_t i = 0; i <= path->step_count; i++)
            assert_taken_again(&test, path->words + path->offsets[i],
                               (uint32_t)(path->offsets[i + 1] - path->offsets[i]));
        end(&test);
    }
}

static void what_rests_still_does_if_it_is_shorter(void **state)
{
    struct search_test test;
    (void)state;
    begin(&test, tight);
    assert_int_equal(run(&test, GUIDE_NONE, SECOND), SECOND);
    const struct budget budget = {0};
    const struct run_path path = search_shorten(&test.fixture.arena, crew_worker(test.crew), 1,
                                                &test.findings.paths[1], &budget);
    assert_true(path.step_count <= test.findings.paths[1].step_count);
    assert_refutes(&test, 1, &path);
    end(&test);
}

/* ---- a setup ---- */

static struct setup_outcome search(struct search_test *test, uint64_t seed, uint64_t steps)
{
    const struct population_options population = {.features = features_of_version(26)};
    const struct search_limits limits = {
        .seed = seed, .rounds = 3, .by_chance = true, .effort = UINT64_MAX};
    struct fixture *fixture = &test->fixture;
    const uint64_t all = (UINT64_C(1) << fixture->check->intent_count) - 1;
    const struct setup_query query = {
        .scope = &fixture->scope,
        .setup = &test->setups.items[0],
        .intents = fixture->check->intents,
        .intent_count = fixture->check->intent_count,
        .asked = all,
        .told = all,
        .population = &population,
        .states_most = steps,
        .time_most_ms = UINT64_MAX,
    };
    struct setup_outcome outcome;
    setup_search(&query, &limits, &fixture->memory, &fixture->memory, &outcome);
    assert_int_equal(outcome.undecided, all & ~outcome.violated);
    return outcome;
}

static void what_is_found_is_told(void **state)
{
    struct search_test test;
    (void)state;
    begin(&test, tight);
    struct setup_outcome outcome = search(&test, 1, UINT64_MAX);
    assert_int_equal(outcome.violated, FIRST | SECOND);
    assert_true(outcome.results[0].searched);
    assert_true(outcome.results[0].step_count > 10);
    assert_true(outcome.results[1].loops);
    assert_int_equal(outcome.results[2].step_count, 0);
    arena_release(&outcome.arena);
    end(&test);
}

static void a_loop_is_told(void **state)
{
    struct search_test test;
    (void)state;
    begin(&test, loop);
    struct setup_outcome outcome = search(&test, 1, UINT64_MAX);
    assert_int_equal(outcome.violated, FIRST);
    assert_int_equal(outcome.results[0].reductions, REDUCTIONS_NEVER_LOOPS_REST);
    arena_release(&outcome.arena);
    end(&test);
}

static void too_few_steps_find_nothing(void **state)
{
    struct search_test test;
    (void)state;
    begin(&test, tight);
    struct setup_outcome outcome = search(&test, 1, 5);
    assert_int_equal(outcome.violated, 0);
    assert_in_range(outcome.states, 5, 6);
    arena_release(&outcome.arena);
    end(&test);
}

static void the_same_seed_finds_the_same(void **state)
{
    struct search_test test;
    (void)state;
    begin(&test, roomy);
    struct setup_outcome one = search(&test, 7, UINT64_MAX);
    struct setup_outcome again = search(&test, 7, UINT64_MAX);
    struct setup_outcome other = search(&test, 8, UINT64_MAX);
    assert_int_equal(one.states, again.states);
    assert_int_equal(one.violated | other.violated, 0);
    arena_release(&one.arena);
    arena_release(&again.arena);
    arena_release(&other.arena);
    end(&test);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_violation_by_many_is_found),
        cmocka_unit_test(those_that_no_budget_guards_come_first),
        cmocka_unit_test(what_others_fill_is_found),
        cmocka_unit_test(what_holds_is_not_found),
        cmocka_unit_test(what_is_closed_is_not_judged),
        cmocka_unit_test(steps_are_limited),
        cmocka_unit_test(a_fair_loop_is_found),
        cmocka_unit_test(others_are_left_out),
        cmocka_unit_test(steps_taken_again_are_the_same),
        cmocka_unit_test(what_rests_still_does_if_it_is_shorter),
        cmocka_unit_test(what_is_found_is_told),
        cmocka_unit_test(a_loop_is_told),
        cmocka_unit_test(too_few_steps_find_nothing),
        cmocka_unit_test(the_same_seed_finds_the_same),
    };
    return cmocka_run_group_tests_name("search", tests, NULL, NULL);
}
