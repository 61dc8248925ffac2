/* SPDX-License-Identifier: Apache-2.0 */
/* What is found of the nodes of a DaemonSet, one at a time. */
#include "cluster/workloads_fixture.h"
#include "verify/explore_nodes.h"
#include "verify/explore_setup.h"

#define SMALL  "cpu: 50m, memory: 16Gi, pods: '110'"
#define GROUPS NODES("small", "2", "", SMALL) NODES("roomy", "3", "", ROOMY)
#define AGENT  WORKLOAD("DaemonSet", "agent", "app: agent", "cpu: 100m", "")
#define EVENTS "  events: [{name: maintenance, group: roomy, atMost: 2}]\n"
#define ASKED  "  intents: [{name: converges}, {name: noOscillation}, {name: drainCompletes}]\n"

enum { CONVERGES = 1, SETTLES = 2, DRAINS = 4, ALL = CONVERGES | SETTLES | DRAINS };

struct nodes_test {
    struct fixture fixture;
    struct scope_part part;
    struct others others;
    struct population_options population;
    atomic_uint_fast64_t states;
    struct setup_query query;
    struct setup_outcome outcome;
};

static void begin(struct nodes_test *test, uint64_t states_most)
{
    static const bool in[] = {true};
    static const atomic_bool stop;
    static const atomic_uint threads = 1;
    struct fixture *fixture = &test->fixture;
    struct setups setups = {0};
    *test = (struct nodes_test){.others = {.leave_drained_nodes = true}};
    assert_true(fixture_load(fixture, CLUSTER(GROUPS, EVENTS ASKED) AGENT));
    scope_enumerate(&fixture->arena, &fixture->scope, &setups);
    scope_part(&fixture->arena, &fixture->scope, in, &test->part);
    test->population =
        (struct population_options){.features = features_of_version(26), .others = &test->others};
    test->query = (struct setup_query){
        .scope = &test->part.scope,
        .setup = setup_part(&fixture->arena, &test->part, &setups.items[0]),
        .intents = fixture->check->intents,
        .intent_count = fixture->check->intent_count,
        .asked = ALL,
        .population = &test->population,
        .states_most = states_most,
        .time_most_ms = UINT64_MAX,
        .threads = 1,
        .threads_now = &threads,
        .stop = &stop,
        .states = &test->states,
    };
}

static void end(struct nodes_test *test)
{
    setup_outcome_release(&test->outcome);
    fixture_release(&test->fixture);
}

static void explore_apart(struct nodes_test *test)
{
    struct memory *memory = &test->fixture.memory;
    explore_nodes(&test->query, &test->part, memory, memory, &test->outcome);
}

/* The pod does not fit on the small nodes, which come first. */
static void what_is_violated_on_one_node_is_violated(void **state)
{
    struct nodes_test test;
    (void)state;
    begin(&test, UINT64_MAX);
    explore_apart(&test);
    assert_int_equal(test.outcome.ended_by, EXPLORE_DECIDED);
    assert_int_equal(test.outcome.violated, CONVERGES);
    assert_int_equal(test.outcome.undecided, 0);
    assert_int_equal(test.outcome.applied & DRAINS, DRAINS);
    assert_int_equal(test.outcome.came, 1);
    end(&test);
}

/* With all nodes at once the same is found, in more states. */
static void all_nodes_together_show_the_same(void **state)
{
    struct nodes_test test;
    struct setup_outcome all;
    struct memory *memory = &test.fixture.memory;
    (void)state;
    begin(&test, UINT64_MAX);
    explore_apart(&test);
    setup_explore(&test.query, memory, memory, &all);
    assert_int_equal(test.outcome.violated, all.violated);
    assert_int_equal(test.outcome.applied, all.applied);
    assert_int_equal(test.outcome.came, all.came);
    assert_int_equal(test.outcome.findings.preempts_from, all.findings.preempts_from);
    assert_int_equal(test.outcome.findings.hindered, all.findings.hindered);
    assert_true(test.outcome.states < all.states);
    for (uint32_t p = 0; p < ROOM_PLACES; p++) {
        const struct pods_held *apart = &test.outcome.findings.held.kinds[0];
        const struct pods_held *together = &all.findings.held.kinds[0];
        assert_int_equal(apart->most[p], together->most[p]);
        assert_int_equal(apart->lasting[p], together->lasting[p]);
    }
    assert_int_equal(test.outcome.findings.held.kinds[0].most[ROOM_ANYWHERE], 3);
    setup_outcome_release(&all);
    end(&test);
}

/* One kind of nodes that is not explored is enough. */
static void limits_are_for_all_nodes(void **state)
{
    struct nodes_test test;
    (void)state;
    begin(&test, 6);
    explore_apart(&test);
    assert_int_equal(test.outcome.ended_by, EXPLORE_STATES);
    assert_true(test.outcome.states <= 7);
    end(&test);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_is_violated_on_one_node_is_violated),
        cmocka_unit_test(all_nodes_together_show_the_same),
        cmocka_unit_test(limits_are_for_all_nodes),
    };
    return cmocka_run_group_tests_name("explore_nodes", tests, NULL, NULL);
}
