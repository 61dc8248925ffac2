/* SPDX-License-Identifier: Apache-2.0 */
/* A path is a run only if the model has each of its steps, and goes on for ever only if nobody is
 * passed over. */
#include "cluster/state/actions.h"
#include "cluster/threads/crew.h"
#include "cluster/workloads_fixture.h"
#include "verify/fair_run.h"

/* The pod of web fits nowhere, and is tried for ever; that of api is bound and starts. */
static const char manifests[] =
    CLUSTER(NODES("a", "1", "", ROOMY), "  intents: [{name: converges}]\n")
        WORKLOAD("Deployment", "web", "app: web", "cpu: '5'", "") DEPLOYMENT("api", "app: api", "");
/* The pod is bound and evicted for ever. */
static const char loop[] =
    CLUSTER(NODES("a", "1", "spec: {taints: [{key: k, effect: NoExecute}]}, ", ROOMY),
            "  intents: [{name: noOscillation}]\n")
        DEPLOYMENT("web", "app: web",
                   "      tolerations: [{key: k, operator: Exists, "
                   "effect: NoExecute, tolerationSeconds: 30}]\n");

struct run_test {
    struct fixture fixture;
    struct crew *crew;
    struct exploration *found;
    struct worker *worker;
    struct run_path *path; /* the counterexample */
};

static void begin(struct run_test *test, const char *text)
{
    struct setups setups = {0};
    struct explore_options options;
    const struct population_options how = {.features = features_of_version(26)};
    struct fixture *fixture = &test->fixture;
    assert_true(fixture_load(fixture, text));
    scope_enumerate(&fixture->arena, &fixture->scope, &setups);
    test->crew = crew_create(NULL, &fixture->memory, &fixture->scope, &setups.items[0],
                             fixture->check->intents, fixture->check->intent_count, &how,
                             &fixture->problems);
    explore_options_init(&options);
    test->found = explore_run(crew_model(test->crew), &options, &fixture->memory);
    assert_int_equal(test->found->properties[0].verdict, VERDICT_VIOLATED);
    test->worker = crew_worker(test->crew);
    test->path = &test->found->properties[0].path;
    for (uint32_t i = 0; i <= test->path->step_count; i++)
        crew_localise(test->crew, test->path->words + test->path->offsets[i],
                      (uint32_t)(test->path->offsets[i + 1] - test->path->offsets[i]));
}

static void end(struct run_test *test)
{
    explore_free(test->found);
    crew_free(test->crew);
    fixture_release(&test->fixture);
}

static bool is_fair(struct run_test *test, struct run_path path)
{
    return is_fair_run(&test->fixture.arena, test->worker, &path);
}

static void a_counterexample_is_a_run(void **state)
{
    struct run_test test;
    (void)state;
    begin(&test, manifests);
    assert_true(test.path->step_count > 3);
    assert_true(test.path->loops);
    assert_true(is_fair(&test, *test.path));
    end(&test);
}

static void steps_get_their_numbers(void **state)
{
    struct run_test test;
    uint32_t numbers[64] = {0};
    (void)state;
    begin(&test, manifests);
    assert_true(test.path->step_count <= 64);
    for (uint32_t i = 0; i < test.path->step_count; i++) {
        numbers[i] = test.path->steps[i].index;
        test.path->steps[i].index = UINT32_MAX;
    }
    assert_true(is_fair(&test, *test.path));
    for (uint32_t i = 0; i < test.path->step_count; i++)
        assert_int_equal(test.path->steps[i].index, numbers[i]);
    end(&test);
}

static void other_steps_and_other_states_are_no_run(void **state)
{
    struct run_test test;
    (void)state;
    begin(&test, manifests);
    for (uint32_t i = 0; i < test.path->step_count; i++) {
        test.path->steps[i].action++;
        assert_false(is_fair(&test, *test.path));
        test.path->steps[i].action--;
        uint32_t *after = test.path->words + test.path->offsets[i + 1];
        *after ^= 1;
        assert_false(is_fair(&test, *test.path));
        *after ^= 1;
    }
    assert_true(is_fair(&test, *test.path));
    end(&test);
}

/* Before its end something can still be done: so it may be there, but not stay there. */
static void who_can_go_on_does_not_rest(void **state)
{
    struct run_test test;
    (void)state;
    begin(&test, manifests);
    struct run_path path = *test.path;
    for (path.step_count = 1; path.step_count < 4; path.step_count++) {
        path.loops = false;
        assert_true(is_fair(&test, path));
        path.loops = true;
        path.loop_rests = true;
        path.loop_from = path.step_count;
        assert_false(is_fair(&test, path));
    }
    end(&test);
}

static void nobody_leads_any_more(void **state)
{
    const bool leads[] = {true, false};
    struct run_test test;
    (void)state;
    begin(&test, manifests);
    population_worker_lead(test.worker, leads, true);
    assert_true(is_fair(&test, *test.path));
    end(&test);
}

/* In each state of the loop somebody has nothing to do, so nobody is passed over. */
static void a_loop_that_serves_all_is_a_run(void **state)
{
    struct run_test test;
    (void)state;
    begin(&test, loop);
    assert_true(test.path->loops && !test.path->loop_rests);
    assert_true(test.path->loop_from < test.path->step_count);
    assert_true(is_fair(&test, *test.path));
    end(&test);
}

/* ---- loops that stand still ---- */

/* The first step of a state that changes nothing. */
struct idle {
    struct step_sink sink;
    const uint32_t *from;
    uint32_t length;
    bool found;
    struct path_step step;
};

static bool look_for_idle(struct step_sink *sink, const struct step *step)
{
    struct idle *idle = (struct idle *)sink;
    if (!idle->found && step->length == idle->length &&
        memcmp(step->words, idle->from, idle->length * sizeof(*step->words)) == 0) {
        idle->found = true;
        idle->step = (struct path_step){.action = step->action, .fairness = step->fairness};
    }
    return true;
}

/* The path until its state `last`, where it takes an idle step for ever; false: there is none. */
static bool stand_still(struct run_test *test, uint32_t last, struct run_path *still)
{
    const struct run_path *path = test->path;
    const struct model *model = population_worker_model(test->worker);
    struct arena *arena = &test->fixture.arena;
    const size_t start = path->offsets[last];
    const size_t length = path->offsets[last + 1] - start;
    struct idle idle = {{look_for_idle, NULL}, path->words + start, (uint32_t)length};
    model->expand(model, test->worker, idle.from, idle.length, &idle.sink);
    *still = (struct run_path){.step_count = last + 1, .loops = true, .loop_from = last};
    still->steps = ARENA_ARRAY(arena, struct path_step, last + 1);
    still->offsets = ARENA_ARRAY(arena, size_t, last + 3);
    still->words = ARENA_ARRAY(arena, uint32_t, start + 2 * length);
    memcpy(still->steps, path->steps, last * sizeof(*path->steps));
    memcpy(still->offsets, path->offsets, (last + 2) * sizeof(*path->offsets));
    memcpy(still->words, path->words, (start + length) * sizeof(*path->words));
    memcpy(still->words + start + length, path->words + start, length * sizeof(*path->words));
    still->steps[last] = idle.step;
    still->offsets[last + 2] = start + 2 * length;
    return idle.found;
}

/* While the pod of web is tried in vain that of api could be bound, or start; at the end there is
 * nothing else to be done. */
static void nobody_may_be_passed_over_for_ever(void **state)
{
    struct run_test test;
    struct run_path path;
    uint32_t unfair = 0;
    (void)state;
    begin(&test, manifests);
    const uint32_t last = test.path->loop_from;
    assert_true(stand_still(&test, last, &path));
    assert_true(is_fair(&test, path));
    for (uint32_t i = 0; i < last; i++)
        if (stand_still(&test, i, &path)) {
            assert_false(is_fair(&test, path));
            unfair++;
        }
    assert_true(unfair > 0);
    end(&test);
}

/* Two pods fit nowhere. To try the one of them for ever is not to pass over the other: whoever
 * tries it has nothing to do. */
static void who_has_nothing_to_do_is_not_passed_over(void **state)
{
    struct run_test test;
    struct run_path path;
    (void)state;
    begin(&test, CLUSTER(NODES("a", "1", "", ROOMY), "  intents: [{name: converges}]\n")
                     WORKLOAD("Deployment", "web", "app: web", "cpu: '5'", "")
                         WORKLOAD("Deployment", "api", "app: api", "cpu: '6'", ""));
    assert_true(stand_still(&test, test.path->loop_from, &path));
    assert_true(is_fair(&test, path));
    end(&test);
}

/* ---- gates ---- */

/* A step of the action; a run made of steps that are chosen so. */
struct made_run {
    struct step_sink sink;
    struct run_test *test;
    uint32_t action;
    bool found;
    struct run_path path;
};

enum { STEPS_MADE = 16, WORDS_MADE = 4096 };

static bool look_for_action(struct step_sink *sink, const struct step *step)
{
    struct made_run *run = (struct made_run *)sink;
    struct run_path *path = &run->path;
    if (run->found || step->action != run->action)
        return true;
    run->found = true;
    const size_t end = path->offsets[path->step_count + 1];
    memcpy(path->words + end, step->words, step->length * sizeof(*step->words));
    path->steps[path->step_count++] =
        (struct path_step){.action = step->action, .fairness = step->fairness};
    path->offsets[path->step_count + 1] = end + step->length;
    return true;
}

/* Takes a step of each of these actions, one after the other. */
static void take(struct made_run *run, const uint32_t *actions, uint32_t count)
{
    const struct model *model = population_worker_model(run->test->worker);
    for (uint32_t i = 0; i < count; i++) {
        const struct run_path *path = &run->path;
        const size_t from = path->offsets[path->step_count];
        run->sink = (struct step_sink){.emit = look_for_action};
        run->action = actions[i];
        run->found = false;
        model->expand(model, run->test->worker, path->words + from,
                      (uint32_t)(path->offsets[path->step_count + 1] - from), &run->sink);
        assert_true(run->found);
    }
}

static void begin_run(struct made_run *run, struct run_test *test)
{
    struct arena *arena = &test->fixture.arena;
    const struct run_path *found = test->path;
    *run = (struct made_run){.test = test};
    run->path.steps = ARENA_ARRAY(arena, struct path_step, STEPS_MADE);
    run->path.offsets = ARENA_ARRAY(arena, size_t, STEPS_MADE + 2);
    run->path.words = ARENA_ARRAY(arena, uint32_t, WORDS_MADE);
    memcpy(run->path.words, found->words, found->offsets[1] * sizeof(*found->words));
    run->path.offsets[1] = found->offsets[1];
}

/* The pod of web is bound and evicted for ever, after a while or at once. The pod of the Job waits
 * for a node that does not exist, until the Job has waited for too long. */
#define LOOP_AND_JOB(seconds, deadline)                                                           \
    CLUSTER(NODES("a", "1", "spec: {taints: [{key: k, effect: NoExecute}]}, ", ROOMY),            \
            "  intents: [{name: noOscillation}]\n")                                               \
    DEPLOYMENT("web", "app: web",                                                                 \
               "      tolerations: [{key: k, operator: Exists, effect: NoExecute, "               \
               "tolerationSeconds: " seconds "}]\n")                                              \
    "---\napiVersion: batch/v1\nkind: Job\nmetadata: {name: task, namespace: default}\nspec:\n"   \
    "  template:\n    spec: {restartPolicy: Never, nodeSelector: {a: b}, containers: [{name: c, " \
    "image: x}]}\n" deadline

/* Is it fair that the pod of web is bound and evicted for ever? */
static bool may_go_on(const char *text)
{
    static const uint32_t first[] = {ACT_DEPLOYMENT_SYNC, ACT_SET_CREATE, ACT_JOB_CREATE, ACT_BIND,
                                     ACT_START};
    static const uint32_t round[] = {ACT_TAINT_EVICT, ACT_TERMINATED, ACT_SET_CREATE, ACT_BIND,
                                     ACT_START};
    struct run_test test;
    struct made_run run;
    begin(&test, text);
    begin_run(&run, &test);
    take(&run, first, sizeof(first) / sizeof(*first));
    run.path.loops = true;
    run.path.loop_from = run.path.step_count;
    take(&run, round, sizeof(round) / sizeof(*round));
    const bool fair = is_fair(&test, run.path);
    end(&test);
    return fair;
}

/* The deadline comes when the cluster rests. */
static void who_waits_for_rest_is_passed_over_where_it_rests(void **state)
{
    (void)state;
    assert_true(may_go_on(LOOP_AND_JOB("30", "")));
    assert_false(may_go_on(LOOP_AND_JOB("30", "  activeDeadlineSeconds: 60\n")));
    /* It never does. */
    assert_true(may_go_on(LOOP_AND_JOB("0", "  activeDeadlineSeconds: 60\n")));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_counterexample_is_a_run),
        cmocka_unit_test(steps_get_their_numbers),
        cmocka_unit_test(other_steps_and_other_states_are_no_run),
        cmocka_unit_test(who_can_go_on_does_not_rest),
        cmocka_unit_test(nobody_leads_any_more),
        cmocka_unit_test(a_loop_that_serves_all_is_a_run),
        cmocka_unit_test(nobody_may_be_passed_over_for_ever),
        cmocka_unit_test(who_has_nothing_to_do_is_not_passed_over),
        cmocka_unit_test(who_waits_for_rest_is_passed_over_where_it_rests),
    };
    return cmocka_run_group_tests_name("fair_run", tests, NULL, NULL);
}
