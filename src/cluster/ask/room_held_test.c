/* SPDX-License-Identifier: Apache-2.0 */
/* What the modelled workloads hold, by hand. */
#include "cluster/ask/room_held.h"
#include "cluster/observed_fixture.h"
#include "cluster/state/classes.h"
#include "cluster/state/config_facts.h"
#include "cluster/state/configs.h"
#include "cluster/state/pool.h"
#include "cluster/state/population_model.h"
#include "cluster/state/state.h"
#include "cluster/state/worker.h"

#define WEB(requests) WORKLOAD("Deployment", "web", "app: web", requests, "")
#define INTENTS       "  intents: [{name: converges}]\n"
#define SMALL         "cpu: '1', memory: 1000Mi, pods: '5'"

static const int64_t MIB = INT64_C(1024) * 1024;

struct room_test {
    struct fixture fixture;
    struct others others;
    struct population *population;
    struct worker *worker;
    struct state *state;
};

static void begin_with(struct room_test *test, const char *manifests, bool pools)
{
    static const char *const resources[] = {"example.org/gpu"};
    *test = (struct room_test){
        .others = {.resources = resources, .resource_count = 1, .pools = pools, .unknown = pools}};
    const struct population_options options = {.features = features_of_version(26),
                                               .others = &test->others};
    assert_true(fixture_load(&test->fixture, manifests));
    test->population = fixture_population(&test->fixture, &options);
    test->worker = population_worker_create(test->population, &test->fixture.memory);
    test->state = state_copy(test->worker, test->population->initial);
}

static void begin(struct room_test *test, const char *manifests)
{
    begin_with(test, manifests, false);
}

static void end(struct room_test *test)
{
    population_worker_free(test->worker);
    population_free(test->population);
    fixture_release(&test->fixture);
}

static void put(struct room_test *test, uint32_t entry, enum pod_stage stage)
{
    const uint32_t class = class_at(test->population, 0, stage, 0);
    state_move_node(
        test->worker, test->state, entry,
        config_replace(test->worker, test->state->nodes[entry].config, VIEW_NONE, class));
}

/* The condition of all nodes with pods. */
static void move_nodes(struct room_test *test, enum node_condition condition)
{
    for (uint32_t n = 0; n < test->state->node_count; n++)
        if (state_config(test->worker, test->state, n)->pod_entry_count > 0)
            test->state->nodes[n].config =
                config_with_condition(test->worker, test->state->nodes[n].config, condition);
}

static void what_is_held_is_the_most_of_all_states(void **state)
{
    struct room_test test;
    (void)state;
    begin(&test, CLUSTER(NODES("a", "3", "", SMALL),
                         "  events: [{name: maintenance, atMost: 1}]\n" INTENTS)
                     WEB("cpu: 300m, memory: 10Mi, example.org/gpu: '2'"));
    const struct room_held *held = &test.worker->findings.held;
    const struct pods_held *pods = &held->kinds[0];
    put(&test, 0, STAGE_READY);
    note_room_held(test.worker, test.state, true);
    put(&test, 0, STAGE_TERMINATING);
    note_room_held(test.worker, test.state, false);
    assert_int_equal(held->beside_waiting[0][ROOM_ANYWHERE], 0);
    assert_int_equal(held->kind_count, 1);
    assert_int_equal(pods->request.amounts[ROOM_CPU], 300);
    assert_int_equal(pods->request.amounts[ROOM_MEMORY], 10 * MIB);
    assert_int_equal(pods->request.amounts[ROOM_PODS], 1);
    assert_int_equal(pods->request.amounts[ROOM_EXTENDED], 2);
    assert_int_equal(pods->most[ROOM_ANYWHERE], 2);
    assert_int_equal(pods->most[room_place(0)], 2);
    assert_int_equal(pods->most[room_place(1)], 0);
    assert_int_equal(pods->lasting[ROOM_ANYWHERE], 1);
    assert_int_equal(pods->on_node, 1);
    assert_int_equal(held->staying[0][ROOM_ANYWHERE], 1);
    assert_int_equal(held->leaving, 1);
    /* One more waits for a node. */
    test.state->pending[0] = 1;
    note_room_held(test.worker, test.state, false);
    test.state->pending[0] = 0;
    assert_int_equal(held->beside_waiting[0][ROOM_ANYWHERE], 2);
    /* Nothing is forgotten, and pods on a node that is not up are not counted. */
    move_nodes(&test, NODE_CORDONED);
    put(&test, 0, STAGE_READY);
    note_room_held(test.worker, test.state, true);
    assert_int_equal(pods->most[ROOM_ANYWHERE], 2);
    assert_int_equal(pods->lasting[ROOM_ANYWHERE], 1);
    assert_int_equal(held->leaving, 1);
    end(&test);
}

static void what_is_held_is_that_of_all_nodes(void **state)
{
    struct room_test test;
    (void)state;
    begin(&test, CLUSTER(NODES("a", "3", "", SMALL), INTENTS) WEB("cpu: 300m"));
    assert_int_equal(test.state->node_count, 1);
    const uint32_t ready = class_at(test.population, 0, STAGE_READY, 0);
    for (uint32_t i = 0; i < 2; i++)
        test.state->nodes[0].config =
            config_replace(test.worker, test.state->nodes[0].config, VIEW_NONE, ready);
    note_room_held(test.worker, test.state, false);
    assert_int_equal(test.worker->findings.held.kinds[0].most[ROOM_ANYWHERE], 6);
    assert_int_equal(test.worker->findings.held.kinds[0].on_node, 2);
    /* Each of the nodes has one more pod, which terminates. */
    test.state->nodes[0].config =
        config_replace(test.worker, test.state->nodes[0].config, VIEW_NONE,
                       class_at(test.population, 0, STAGE_TERMINATING, 0));
    note_room_held(test.worker, test.state, false);
    assert_int_equal(test.worker->findings.held.kinds[0].most[ROOM_ANYWHERE], 9);
    assert_int_equal(test.worker->findings.held.kinds[0].on_node, 3);
    assert_int_equal(test.worker->findings.held.leaving, 3);
    end(&test);
}

/* Whatever the order of the nodes. */
static void the_node_with_the_most_pods_counts(void **state)
{
    static const uint32_t counts[][2] = {{1, 3}, {3, 1}};
    (void)state;
    for (size_t i = 0; i < 2; i++) {
        struct room_test test;
        begin(&test,
              CLUSTER(NODES("a", "1", "", SMALL) NODES("b", "1", "", ROOMY), INTENTS) WEB(""));
        const uint32_t ready = class_at(test.population, 0, STAGE_READY, 0);
        for (uint32_t n = 0; n < 2; n++)
            for (uint32_t p = 0; p < counts[i][n]; p++)
                test.state->nodes[n].config =
                    config_replace(test.worker, test.state->nodes[n].config, VIEW_NONE, ready);
        note_room_held(test.worker, test.state, false);
        assert_int_equal(test.worker->findings.held.kinds[0].on_node, 3);
        end(&test);
    }
}

static void pods_that_request_different_things_are_told_apart(void **state)
{
    struct room_test test;
    (void)state;
    begin(&test, CLUSTER(NODES("a", "1", "", SMALL), INTENTS) WEB("cpu: 300m")
                     WORKLOAD("Deployment", "api", "app: api", "cpu: 200m", ""));
    const struct room_held *held = &test.worker->findings.held;
    for (uint32_t r = 0; r < 2; r++)
        test.state->nodes[0].config =
            config_replace(test.worker, test.state->nodes[0].config, VIEW_NONE,
                           class_at(test.population, r, STAGE_READY, 0));
    note_room_held(test.worker, test.state, false);
    assert_int_equal(held->kind_count, 2);
    for (uint32_t k = 0; k < 2; k++)
        assert_int_equal(held->kinds[k].most[ROOM_ANYWHERE], 1);
    end(&test);
}

/* The last kind requests as much as the greatest of all that are left. */
static void there_are_only_so_many_kinds(void **state)
{
    struct room_held held = {0};
    (void)state;
    for (uint32_t i = 0; i < ROOM_KINDS + 2; i++) {
        const struct room request = {
            .amounts = {
                [ROOM_CPU] = 1 + i % ROOM_KINDS + i / ROOM_KINDS * 20, [ROOM_MEMORY] = 100 - i}};
        assert_int_equal(room_kind_add(&held, &request), i < ROOM_KINDS ? i : ROOM_KINDS - 1);
    }
    const struct room *last = &held.kinds[ROOM_KINDS - 1].request;
    assert_int_equal(held.kind_count, ROOM_KINDS);
    assert_int_equal(last->amounts[ROOM_CPU], 22);
    assert_int_equal(last->amounts[ROOM_MEMORY], 100 - (ROOM_KINDS - 1));
}

/* ---- the pool ---- */

#define TWO_GROUPS                                                          \
    CLUSTER(NODES("a", "2", "metadata: {labels: {group: a}}, ", SMALL)      \
                NODES("b", "1", "metadata: {labels: {group: b}}, ", ROOMY), \
            INTENTS)

static void put_into_pool(struct room_test *test)
{
    const uint32_t pool = pool_entry(test->worker, test->state);
    test->state->nodes[pool].config =
        config_replace(test->worker, test->state->nodes[pool].config, VIEW_NONE,
                       class_at(test->population, 0, STAGE_READY, 0));
}

/* Pods in the pool are on nodes on which they fit. */
static void pods_in_the_pool_are_where_they_fit(void **state)
{
    static const struct {
        const char *manifests;
        uint32_t a;
        uint32_t b;
    } cases[] = {{TWO_GROUPS WEB("cpu: 300m"), 1, 1}, {TWO_GROUPS WEB("cpu: '2'"), 0, 1}};
    (void)state;
    for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
        struct room_test test;
        begin_with(&test, cases[i].manifests, true);
        assert_true(test.population->pools);
        const struct pods_held *pods = &test.worker->findings.held.kinds[0];
        put_into_pool(&test);
        note_room_held(test.worker, test.state, false);
        assert_int_equal(pods->most[ROOM_ANYWHERE], 1);
        assert_int_equal(pods->most[room_place(0)], cases[i].a);
        assert_int_equal(pods->most[room_place(1)], cases[i].b);
        end(&test);
    }
}

/* A node that is down at the start may be up later. */
static void nodes_that_are_not_up_yet_have_places(void **state)
{
    struct room_test test;
    (void)state;
    begin_with(&test,
               OBSERVED("  start: empty\n") NODE(
                   "n1", "a") "---\napiVersion: v1\nkind: Node\nmetadata: {name: n2}\nstatus: "
                              "{allocatable: {" ROOMY
                              "}, conditions: [{type: Ready, status: 'False'}]}\n" WEB("cpu: 300m"),
               true);
    assert_true(test.population->pools);
    put_into_pool(&test);
    note_room_held(test.worker, test.state, false);
    assert_int_equal(test.worker->findings.held.kinds[0].most[room_place(1)], 1);
    end(&test);
}

/* In a dump a pod may be where it would not fit any more. */
static void pods_of_a_dump_may_be_anywhere(void **state)
{
    struct room_test test;
    (void)state;
    begin_with(&test, TWO_GROUPS WEB("cpu: '2'"), true);
    test.fixture.scope.start = START_OBSERVED;
    put_into_pool(&test);
    note_room_held(test.worker, test.state, false);
    assert_int_equal(test.worker->findings.held.kinds[0].most[room_place(0)], 1);
    end(&test);
}

/* One pod is where it was in the dump, and the other one may have come to its node. */
static void pods_of_the_pool_may_be_beside_those_of_a_node(void **state)
{
    struct room_test test;
    (void)state;
    begin_with(&test, TWO_GROUPS WEB("cpu: 300m"), true);
    put_into_pool(&test);
    const uint32_t pool = pool_entry(test.worker, test.state);
    put(&test, pool == 0 ? 1 : 0, STAGE_READY);
    note_room_held(test.worker, test.state, false);
    assert_int_equal(test.worker->findings.held.kinds[0].on_node, 2);
    assert_int_equal(test.worker->findings.held.kinds[0].most[ROOM_ANYWHERE], 2);
    end(&test);
}

static void pods_in_the_pool_end_on_nodes_that_are_up(void **state)
{
    struct room_test test;
    (void)state;
    begin_with(&test, TWO_GROUPS WEB("cpu: 300m"), true);
    put_into_pool(&test);
    config_end(test.worker, test.state->nodes[pool_entry(test.worker, test.state)].config,
               class_at(test.population, 0, STAGE_READY, 0), END_DISRUPTED);
    assert_true(test.worker->findings.held.ends);
    end(&test);
}

/* Every component has the pods without a workload: they are no others. */
static void pods_without_a_workload_are_not_counted(void **state)
{
    struct room_test test;
    (void)state;
    begin(&test, OBSERVED("") NODE("n1", "a") SET("web", "1", "cpu: 300m")
                     POD("web-1", "web", "n1", "cpu: 300m") BARE("bare", "n1", "cpu: 900m"));
    note_room_held(test.worker, test.state, false);
    assert_int_equal(test.worker->findings.held.kind_count, 1);
    assert_int_equal(test.worker->findings.held.kinds[0].request.amounts[ROOM_CPU], 300);
    assert_int_equal(test.worker->findings.held.kinds[0].most[ROOM_ANYWHERE], 1);
    end(&test);
}

static void it_is_known_where_pods_begin_to_terminate(void **state)
{
    static const struct {
        enum node_condition condition;
        bool up;
    } conditions[] = {
        {NODE_CORDONED, false}, {NODE_DOWN, false}, {NODE_CUT, true}, {NODE_UP, true}};
    struct room_test test;
    (void)state;
    begin(&test, CLUSTER(NODES("a", "3", "", SMALL),
                         "  events: [{name: maintenance}, {name: nodeFailure}, {name: partition, "
                         "from: clients}]\n" INTENTS) WEB("cpu: 300m"));
    put(&test, 0, STAGE_READY);
    const uint32_t ready = class_at(test.population, 0, STAGE_READY, 0);
    uint32_t entry = 0;
    while (state_config(test.worker, test.state, entry)->pod_entry_count == 0)
        entry++;
    const uint32_t config = test.state->nodes[entry].config;
    for (size_t i = 0; i < sizeof(conditions) / sizeof(*conditions); i++) {
        test.worker->findings.held.ends = false;
        config_end(test.worker, config_with_condition(test.worker, config, conditions[i].condition),
                   ready, END_DISRUPTED);
        assert_int_equal(test.worker->findings.held.ends, conditions[i].up);
    }
    end(&test);
}

static void what_two_workers_measured_is_joined(void **state)
{
    struct room_held all = {.kind_count = 1, .leaving = 3};
    struct room_held found = {.kind_count = 2, .leaving = 1, .ends = true};
    (void)state;
    all.kinds[0].most[1] = 4;
    found.kinds[0].most[1] = 2;
    found.kinds[1].lasting[0] = 7;
    found.kinds[1].on_node = 2;
    found.staying[1][2] = 5;
    room_held_join(&all, &found);
    assert_int_equal(all.kind_count, 2);
    assert_int_equal(all.kinds[0].most[1], 4);
    assert_int_equal(all.kinds[1].lasting[0], 7);
    assert_int_equal(all.kinds[1].on_node, 2);
    assert_int_equal(all.staying[1][2], 5);
    assert_int_equal(all.leaving, 3);
    assert_true(all.ends);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_is_held_is_the_most_of_all_states),
        cmocka_unit_test(what_is_held_is_that_of_all_nodes),
        cmocka_unit_test(the_node_with_the_most_pods_counts),
        cmocka_unit_test(pods_that_request_different_things_are_told_apart),
        cmocka_unit_test(there_are_only_so_many_kinds),
        cmocka_unit_test(pods_in_the_pool_are_where_they_fit),
        cmocka_unit_test(nodes_that_are_not_up_yet_have_places),
        cmocka_unit_test(pods_of_a_dump_may_be_anywhere),
        cmocka_unit_test(pods_of_the_pool_may_be_beside_those_of_a_node),
        cmocka_unit_test(pods_in_the_pool_end_on_nodes_that_are_up),
        cmocka_unit_test(pods_without_a_workload_are_not_counted),
        cmocka_unit_test(it_is_known_where_pods_begin_to_terminate),
        cmocka_unit_test(what_two_workers_measured_is_joined),
    };
    return cmocka_run_group_tests_name("room_held", tests, NULL, NULL);
}
