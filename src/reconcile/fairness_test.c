/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The vectors F1 to F7 of the specification of controllers, and rows of its table
 * of seeded bugs that need no more than a chain of objects: verdict, kind, stem,
 * components and numbers of states and transitions, all exactly, in the form of
 * states that the specification counts (by order, nothing left out); and the same
 * verdicts with the reductions that are on by default.
 */
#include "reconcile/reconcile_fixture.h"

struct expected {
    uint64_t states, transitions; /* 0: not looked at */
    bool violated;
    bool stability; /* else progress */
    uint32_t stem;
    uint64_t component; /* states; 0: not looked at */
    uint64_t components;
};

static void judge(struct fixture *fixture, const struct expected *expected, uint32_t resource)
{
    struct exploration *result = explore_all(fixture);
    const struct property_result *esr = &result->properties[resource];
    assert_true(result->complete);
    if (expected->states > 0)
        assert_int_equal(result->statistics.states, expected->states);
    if (expected->transitions > 0)
        assert_int_equal(result->statistics.transitions, expected->transitions);
    assert_int_equal(esr->verdict, expected->violated ? VERDICT_VIOLATED : VERDICT_HOLDS);
    if (expected->violated) {
        const bool progress = (esr->component_atoms >> (2 * resource + 1) & 1) != 0;
        assert_int_equal(progress, !expected->stability);
        assert_true(esr->path.loops);
        if (expected->stem > 0)
            assert_int_equal(esr->path.loop_from, expected->stem);
        if (expected->component > 0)
            assert_int_equal(esr->component_states, expected->component);
        if (expected->components > 0)
            assert_int_equal(esr->components, expected->components);
    }
    explore_free(result);
}

/* The same verdict in a graph that is smaller or equal. */
static void judge_reduced(struct fixture *fixture, const struct expected *expected,
                          uint32_t resource)
{
    const struct expected verdict = {.violated = expected->violated,
                                     .stability = expected->stability};
    fixture->options.renaming = RENAME_BY_PLACE;
    fixture->options.keep_all = false;
    judge(fixture, &verdict, resource);
    fixture->options.renaming = RENAME_BY_ORDER;
    fixture->options.keep_all = true;
}

static void judge_both(struct fixture *fixture, const struct expected *expected)
{
    judge(fixture, expected, 0);
    judge_reduced(fixture, expected, 0);
}

static void one_set(struct fixture *fixture)
{
    add_link(fixture, "StatefulSet", "", "spec.replicas=replicas", true);
}

static void f1_to_f3_and_f7(void **state)
{
    struct fixture *fixture = *state;
    one_set(fixture);
    add_operation(fixture, SCRIPT_CREATE, "a", "{\"replicas\":1}");
    add_operation(fixture, SCRIPT_UPDATE, "a", "{\"replicas\":2}");
    fixture->options.status_flap = true;
    judge_both(fixture, &(struct expected){.states = 4948});
    fixture->options.unfair = UNFAIR_STABILIZE;
    judge_both(fixture,
               &(struct expected){.states = 4948, .violated = true, .stem = 12, .component = 144});
    fixture->options.status_flap = false;
    judge_both(fixture, &(struct expected){.states = 1362});
    fixture->options.status_flap = true;
    fixture->options.unfair = UNFAIR_CONTROLLER;
    judge_both(fixture, &(struct expected){.states = 4948, .violated = true});
    fixture->options.unfair = UNFAIR_SCHEDULE;
    judge_both(fixture, &(struct expected){.states = 4948, .violated = true});
}

static void f4_to_f6(void **state)
{
    struct fixture *fixture = *state;
    one_set(fixture);
    add_operation(fixture, SCRIPT_CREATE, "a", "{\"replicas\":3}");
    add_operation(fixture, SCRIPT_DELETE, "a", NULL);
    add_operation(fixture, SCRIPT_CREATE, "a", "{\"replicas\":1}");
    fixture->options.fuse_schedule = true;
    judge_both(fixture, &(struct expected){.states = 1268});
    fixture->options.unfair = UNFAIR_COLLECTOR;
    judge_both(fixture, &(struct expected){.states = 1268, .violated = true, .components = 5});
    fixture->options.unfair = 0;
    fixture->options.one_api_turn = true;
    judge_both(fixture, &(struct expected){.states = 1268, .violated = true, .components = 13});
}

static void three_objects(struct fixture *fixture)
{
    add_link(fixture, "Service", "-svc", "spec.port=client", false);
    add_link(fixture, "ConfigMap", "-cm", "data.conf=conf", false);
    add_link(fixture, "StatefulSet", "", "spec.replicas=replicas", false);
    add_operation(fixture, SCRIPT_CREATE, "a", "{\"replicas\":1,\"conf\":\"a\"}");
}

/* The figure of the paper: a service that is found ends the round. */
static void b1(void **state)
{
    struct fixture *fixture = *state;
    three_objects(fixture);
    fixture->chain.found_is_done = true;
    judge_both(fixture, &(struct expected){.states = 123, .transitions = 295});
    fixture->options.crashes = 1;
    judge_both(
        fixture,
        &(struct expected){
            .states = 558, .transitions = 1681, .violated = true, .stem = 8, .component = 10});
}

/* Two clusters fight for one service. */
static void b6(void **state)
{
    struct fixture *fixture = *state;
    add_link(fixture, "Service", "-nodes", "spec.port=epmd", false);
    add_link(fixture, "Service", "-client", "spec.port=amqp", false);
    add_operation(fixture, SCRIPT_CREATE, "foo", "{}");
    add_operation(fixture, SCRIPT_CREATE, "foo-nodes", "{}");
    judge_both(fixture, &(struct expected){.states = 9215, .transitions = 26880});
    fixture->chain.links[1].suffix = "";
    const struct expected fight = {.states = 17779,
                                   .transitions = 52072,
                                   .violated = true,
                                   .stability = true,
                                   .stem = 24,
                                   .component = 1536};
    judge(fixture, &fight, 0);
    judge(fixture, &fight, 1);
    judge_reduced(fixture, &fight, 0);
    judge_reduced(fixture, &fight, 1);
}

/* Without renaming the fight has no end: the graph grows for ever. */
static void without_renaming_there_is_no_cycle(void **state)
{
    struct fixture *fixture = *state;
    add_link(fixture, "Service", "-nodes", "spec.port=epmd", false);
    add_link(fixture, "Service", "", "spec.port=amqp", false);
    add_operation(fixture, SCRIPT_CREATE, "foo", "{}");
    add_operation(fixture, SCRIPT_CREATE, "foo-nodes", "{}");
    fixture->options.renaming = RENAME_NONE;
    fixture->states_most = 40000;
    struct exploration *result = explore_all(fixture);
    assert_int_equal(result->reason, EXPLORE_STATES);
    assert_int_equal(result->properties[0].verdict, VERDICT_UNDECIDED);
    assert_int_equal(result->properties[1].verdict, VERDICT_UNDECIDED);
    explore_free(result);
}

/* Verdict, counts and counterexample do not depend on the number of threads. */
static void threads_agree(void **state)
{
    struct fixture *fixture = *state;
    three_objects(fixture);
    add_operation(fixture, SCRIPT_UPDATE, "a", "{\"replicas\":2,\"conf\":\"b\"}");
    fixture->options.crashes = 1;
    fixture->chain.found_is_done = true;
    struct exploration *one = explore_all(fixture);
    fixture->threads = 3;
    struct environment *kept = fixture->environment;
    fixture->environment = NULL;
    struct exploration *three = explore_all(fixture);
    assert_int_equal(one->statistics.states, three->statistics.states);
    assert_int_equal(one->statistics.transitions, three->statistics.transitions);
    const struct run_path *a = &one->properties[0].path;
    const struct run_path *b = &three->properties[0].path;
    assert_int_equal(a->step_count, b->step_count);
    assert_int_equal(a->loop_from, b->loop_from);
    for (uint32_t i = 0; i < a->step_count; i++)
        assert_int_equal(a->steps[i].index, b->steps[i].index);
    explore_free(one);
    explore_free(three);
    environment_free(kept);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(f1_to_f3_and_f7, fixture_setup, fixture_teardown),
        cmocka_unit_test_setup_teardown(f4_to_f6, fixture_setup, fixture_teardown),
        cmocka_unit_test_setup_teardown(b1, fixture_setup, fixture_teardown),
        cmocka_unit_test_setup_teardown(b6, fixture_setup, fixture_teardown),
        cmocka_unit_test_setup_teardown(without_renaming_there_is_no_cycle, fixture_setup,
                                        fixture_teardown),
        cmocka_unit_test_setup_teardown(threads_agree, fixture_setup, fixture_teardown),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
