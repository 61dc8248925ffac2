/* SPDX-License-Identifier: Apache-2.0 */
/* Pods go into the pool and come out of it, in every way and in none twice. */
#include "cluster/observed_fixture.h"
#include "cluster/state/classes.h"
#include "cluster/state/config_facts.h"
#include "cluster/state/configs.h"
#include "cluster/state/pool.h"
#include "cluster/state/population_model.h"
#include "cluster/state/state.h"
#include "cluster/state/worker.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define TWO                                                                                 \
    CLUSTER(NODES("a", "2", "metadata: {labels: {group: a}}, ", ROOMY)                      \
                NODES("b", "1", "metadata: {labels: {group: b}}, ", ROOMY),                 \
            "  events: [{name: nodeFailure, atMost: 1}]\n  intents: [{name: converges}]\n") \
    DEPLOYMENT("web", "app: web", "") DEPLOYMENT("api", "app: api", "")

struct pool_test {
    struct fixture fixture;
    struct others others;
    struct population *population;
    struct worker *worker;
    struct state *state;
    uint32_t web;
    uint32_t api;
};

static void begin(struct pool_test *test)
{
    *test = (struct pool_test){.others = {.pools = true, .unknown = true}};
    const struct population_options options = {.features = features_of_version(26),
                                               .others = &test->others};
    assert_true(fixture_load(&test->fixture, TWO));
    test->population = fixture_population(&test->fixture, &options);
    assert_true(test->population->pools);
    test->worker = population_worker_create(test->population, &test->fixture.memory);
    test->state = state_copy(test->worker, test->population->initial);
    test->web = class_at(test->population, 0, STAGE_READY, 0);
    test->api = class_at(test->population, 1, STAGE_READY, 0);
}

static void end(struct pool_test *test)
{
    population_worker_free(test->worker);
    population_free(test->population);
    fixture_release(&test->fixture);
}

/* Puts pods on each node of the entry. */
static void put(struct pool_test *test, uint32_t entry, uint32_t class, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++)
        test->state->nodes[entry].config =
            config_replace(test->worker, test->state->nodes[entry].config, VIEW_NONE, class);
}

static uint32_t count_in(struct pool_test *test, uint32_t config, uint32_t class)
{
    const struct node_config *of = config_at(test->worker, config);
    for (uint32_t p = 0; p < of->pod_entry_count; p++)
        if (of->pods[p].pod == class)
            return of->pods[p].count;
    return 0;
}

/* The entry of nodes that are up, with so many nodes. */
static uint32_t entry_of(struct pool_test *test, uint32_t nodes)
{
    for (uint32_t n = 0; n < test->state->node_count; n++)
        if (test->state->nodes[n].count == nodes &&
            config_condition(test->worker, test->state->nodes[n].config) == NODE_UP)
            return n;
    fail_msg("there is no such entry");
    return 0;
}

static void the_pool_is_one_more_entry(void **state)
{
    struct pool_test test;
    (void)state;
    begin(&test);
    assert_int_equal(test.state->node_count, 3);
    const uint32_t pool = pool_entry(test.worker, test.state);
    assert_int_equal(config_condition(test.worker, test.state->nodes[pool].config), NODE_POOL);
    assert_false(pool_lacks(test.worker, test.state, NULL));
    put(&test, pool, test.web, 1);
    assert_false(pool_lacks(test.worker, test.state, NULL));
    end(&test);
}

static void pods_on_nodes_that_are_up_are_collected(void **state)
{
    struct pool_test test;
    (void)state;
    begin(&test);
    const uint32_t pool = pool_entry(test.worker, test.state);
    const uint32_t two = entry_of(&test, 2);
    const uint32_t one = entry_of(&test, 1);
    put(&test, pool, test.api, 1);
    put(&test, two, test.web, 2);
    put(&test, two, test.api, 1);
    put(&test, one, test.web, 1);
    /* Nothing has happened to these nodes, but none keeps its pods. */
    const struct state *before = state_copy(test.worker, test.state);
    assert_true(pool_lacks(test.worker, test.state, before));
    pool_collect(test.worker, test.state, before);
    assert_false(pool_lacks(test.worker, test.state, NULL));
    const uint32_t filled = test.state->nodes[pool_entry(test.worker, test.state)].config;
    assert_int_equal(count_in(&test, filled, test.web), 2 * 2 + 1);
    assert_int_equal(count_in(&test, filled, test.api), 1 + 2);
    for (uint32_t n = 0; n < test.state->node_count; n++)
        if (n != pool_entry(test.worker, test.state))
            assert_int_equal(state_config(test.worker, test.state, n)->pod_entry_count, 0);
    end(&test);
}

static void pods_on_other_nodes_stay_there(void **state)
{
    struct pool_test test;
    (void)state;
    begin(&test);
    const uint32_t one = entry_of(&test, 1);
    put(&test, one, test.web, 1);
    test.state->nodes[one].config =
        config_with_condition(test.worker, test.state->nodes[one].config, NODE_DOWN);
    assert_false(pool_lacks(test.worker, test.state, NULL));
    pool_collect(test.worker, test.state, NULL);
    assert_int_equal(count_in(&test, test.state->nodes[one].config, test.web), 1);
    end(&test);
}

enum { SEEN_MOST = 64 };

/* What was drawn: how many pods of each class, for a node of which entry. */
struct seen {
    struct pool_test *test;
    struct {
        uint32_t web;
        uint32_t api;
        uint32_t kind;
    } draws[SEEN_MOST];
    uint32_t count;
    uint32_t drawn;
};

static void see(void *context, const struct state *drawn)
{
    struct seen *seen = context;
    struct pool_test *test = seen->test;
    const uint32_t pool = drawn->nodes[pool_entry(test->worker, drawn)].config;
    uint32_t nodes = 0;
    for (uint32_t n = 0; n < drawn->node_count; n++)
        nodes += drawn->nodes[n].count;
    assert_int_equal(nodes, 4); /* three and the pool */
    seen->drawn++;
    for (uint32_t n = 0; n < drawn->node_count; n++) {
        const uint32_t config = drawn->nodes[n].config;
        assert_true(drawn->nodes[n].count > 0);
        if (config == pool || config_at(test->worker, config)->pod_entry_count == 0)
            continue;
        assert_true(seen->count < SEEN_MOST);
        assert_int_equal(drawn->nodes[n].count, 1);
        seen->draws[seen->count].web = count_in(test, config, test->web);
        seen->draws[seen->count].api = count_in(test, config, test->api);
        seen->draws[seen->count].kind = config_template(test->worker, config)->node;
        /* Nothing is lost, and nothing comes from nowhere. */
        assert_int_equal(seen->draws[seen->count].web + count_in(test, pool, test->web), 2);
        assert_int_equal(seen->draws[seen->count].api + count_in(test, pool, test->api), 1);
        seen->count++;
    }
}

/* Two pods of web and one of api: (3 * 2 - 1) choices of some, for each of two kinds of nodes. */
static void every_choice_is_drawn_once(void **state)
{
    struct pool_test test;
    (void)state;
    begin(&test);
    struct seen seen = {.test = &test};
    const uint32_t pool = pool_entry(test.worker, test.state);
    put(&test, pool, test.web, 2);
    put(&test, pool, test.api, 1);
    assert_true(
        pool_draw(test.worker, test.state, (struct pool_nodes){NULL, false, NULL}, see, &seen));
    assert_int_equal(seen.drawn, 10);
    assert_int_equal(seen.count, 10);
    for (uint32_t i = 0; i < seen.count; i++)
        for (uint32_t k = 0; k < i; k++)
            assert_false(seen.draws[i].web == seen.draws[k].web &&
                         seen.draws[i].api == seen.draws[k].api &&
                         seen.draws[i].kind == seen.draws[k].kind);
    end(&test);
}

/* Two pods of web and one of api. A node of a has room for one pod, that of b for two: 2 choices
 * and 4. */
static void no_node_gets_more_pods_than_it_has_room_for(void **state)
{
    struct pool_test test;
    (void)state;
    begin(&test);
    struct seen seen = {.test = &test};
    uint32_t most[3] = {0};
    most[entry_of(&test, 2)] = 1;
    most[entry_of(&test, 1)] = 2;
    put(&test, pool_entry(test.worker, test.state), test.web, 2);
    put(&test, pool_entry(test.worker, test.state), test.api, 1);
    assert_true(
        pool_draw(test.worker, test.state, (struct pool_nodes){NULL, false, most}, see, &seen));
    assert_int_equal(seen.count, 2 + 4);
    for (uint32_t i = 0; i < seen.count; i++)
        assert_true(seen.draws[i].web + seen.draws[i].api <= 2);
    /* Where one node of a stands for both, it gets what both have room for. */
    seen.count = 0;
    assert_true(
        pool_draw(test.worker, test.state, (struct pool_nodes){"group", true, most}, see, &seen));
    assert_int_equal(seen.count, 4 + 4);
    most[entry_of(&test, 2)] = UINT32_MAX;
    seen.count = 0;
    assert_true(
        pool_draw(test.worker, test.state, (struct pool_nodes){NULL, false, most}, see, &seen));
    assert_int_equal(seen.count, 5 + 4);
    end(&test);
}

static void ignore(void *context, const struct state *drawn)
{
    (void)drawn;
    *(uint32_t *)context += 1;
}

/* Two pods of web that are ready, one that starts, one that terminates, and one of api. At most one
 * of web that does not terminate can be on a node of a, and two on that of b: 3 kinds of those
 * (none, one ready, one starting), with or without the others, less none at all; and for b 2 more
 * kinds (two ready, one of each). */
static void no_node_gets_more_pods_of_a_revision_than_gather(void **state)
{
    const uint32_t gathered[] = {1, 2, UINT32_MAX, UINT32_MAX};
    struct pool_test test;
    (void)state;
    begin(&test);
    const uint32_t pool = pool_entry(test.worker, test.state);
    put(&test, pool, test.web, 2);
    put(&test, pool, class_at(test.population, 0, STAGE_STARTING, 0), 1);
    put(&test, pool, class_at(test.population, 0, STAGE_TERMINATING, 0), 1);
    put(&test, pool, test.api, 1);
    test.others.gathered = gathered;
    test.others.group_count = 2;
    uint32_t count = 0;
    assert_true(
        pool_draw(test.worker, test.state, (struct pool_nodes){NULL, false, NULL}, ignore, &count));
    assert_int_equal(count, (3 * 2 * 2 - 1) + (5 * 2 * 2 - 1));
    /* One node of a stands for both. */
    count = 0;
    assert_true(pool_draw(test.worker, test.state, (struct pool_nodes){"group", true, NULL}, ignore,
                          &count));
    assert_int_equal(count, 2 * (5 * 2 * 2 - 1));
    end(&test);
}

static void nodes_that_are_not_up_draw_nothing(void **state)
{
    struct pool_test test;
    (void)state;
    begin(&test);
    struct seen seen = {.test = &test};
    put(&test, pool_entry(test.worker, test.state), test.web, 2);
    put(&test, pool_entry(test.worker, test.state), test.api, 1);
    const uint32_t one = entry_of(&test, 1);
    test.state->nodes[one].config =
        config_with_condition(test.worker, test.state->nodes[one].config, NODE_DOWN);
    assert_true(
        pool_draw(test.worker, test.state, (struct pool_nodes){NULL, false, NULL}, see, &seen));
    assert_int_equal(seen.count, 5);
    end(&test);
}

/* What was drawn for the nodes of a label, as the pods on them and in the pool. */
struct spread {
    struct pool_test *test;
    char draws[SEEN_MOST][SEEN_MOST];
    uint32_t count;
    uint32_t two; /* draws in which two nodes have got pods */
};

static int by_text(const void *left, const void *right)
{
    return strcmp(left, right);
}

static void see_spread(void *context, const struct state *drawn)
{
    struct spread *spread = context;
    struct pool_test *test = spread->test;
    char nodes[8][SEEN_MOST] = {0};
    uint32_t count = 0;
    uint32_t web = 0;
    uint32_t api = 0;
    for (uint32_t n = 0; n < drawn->node_count; n++) {
        const uint32_t config = drawn->nodes[n].config;
        web += count_in(test, config, test->web) * drawn->nodes[n].count;
        api += count_in(test, config, test->api) * drawn->nodes[n].count;
        if (config_condition(test->worker, config) != NODE_UP ||
            config_at(test->worker, config)->pod_entry_count == 0)
            continue;
        assert_int_equal(drawn->nodes[n].count, 1);
        assert_true(count < 8);
        snprintf(nodes[count++], SEEN_MOST, "%u:%u,%u ",
                 config_template(test->worker, config)->node, count_in(test, config, test->web),
                 count_in(test, config, test->api));
    }
    assert_int_equal(web, 2);
    assert_int_equal(api, 1);
    assert_true(count > 0);
    qsort(nodes, count, sizeof(*nodes), by_text);
    assert_true(spread->count < SEEN_MOST);
    char *draw = spread->draws[spread->count];
    for (uint32_t i = 0; i < count; i++) {
        const size_t length = strlen(draw);
        snprintf(draw + length, sizeof(spread->draws[0]) - length, "%s", nodes[i]);
    }
    for (uint32_t i = 0; i < spread->count; i++)
        assert_string_not_equal(spread->draws[i], spread->draws[spread->count]);
    spread->count++;
    spread->two += count > 1;
}

/* For one of the two nodes of a, or the one of b, each of 5 choices. For both of a: web and web,
 * web and api, web and both, two of web and api. Never for nodes of both. */
static void pods_are_spread_over_nodes_of_one_label(void **state)
{
    struct pool_test test;
    (void)state;
    begin(&test);
    struct spread spread = {.test = &test};
    put(&test, pool_entry(test.worker, test.state), test.web, 2);
    put(&test, pool_entry(test.worker, test.state), test.api, 1);
    assert_true(pool_draw(test.worker, test.state, (struct pool_nodes){"group", false, NULL},
                          see_spread, &spread));
    assert_int_equal(spread.count, 5 + 5 + 4);
    assert_int_equal(spread.two, 4);
    spread = (struct spread){.test = &test};
    assert_true(pool_draw(test.worker, test.state, (struct pool_nodes){"group", true, NULL},
                          see_spread, &spread));
    assert_int_equal(spread.count, 5 + 5);
    assert_int_equal(spread.two, 0);
    spread = (struct spread){.test = &test};
    assert_true(pool_draw(test.worker, test.state, (struct pool_nodes){"absent", false, NULL},
                          see_spread, &spread));
    assert_int_equal(spread.count, 0);
    end(&test);
}

static void too_many_choices_are_not_all_drawn(void **state)
{
    struct pool_test test;
    uint32_t count = 0;
    (void)state;
    begin(&test);
    put(&test, pool_entry(test.worker, test.state), test.web, 150);
    put(&test, pool_entry(test.worker, test.state), test.api, 150);
    assert_false(
        pool_draw(test.worker, test.state, (struct pool_nodes){NULL, false, NULL}, ignore, &count));
    assert_true(count < 151 * 151 * 2);
    end(&test);
}

#define DUMP(events)                       \
    OBSERVED(events)                       \
    NODE("n1", "a")                        \
    NODE("n2", "b")                        \
    SET("web", "2", "cpu: 300m")           \
    POD("web-1", "web", "n1", "cpu: 300m") \
    POD("web-2", "web", "n2", "cpu: 300m") BARE("bare", "n1", "cpu: 900m")
#define MANY "  events: [{name: maintenance, atMost: 3}]\n"
#define FEW  "  events: [{name: maintenance, atMost: 2}]\n"
#define LOAD "  events: [{name: scale, workload: ReplicaSet/default/web, to: [3]}]\n"

/* Where so much happens that most pods of a dump move, they begin in the pool; one that nobody
 * looks after is where it is. */
static void pods_of_a_dump_begin_in_the_pool(void **state)
{
    static const struct {
        const char *manifests;
        bool pools;
    } cases[] = {
        {DUMP(MANY), true},
        {DUMP(FEW), false},
        {DUMP(LOAD), true},
        {DUMP(""), false},
    };
    (void)state;
    for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
        struct pool_test test = {.others = {.pools = true, .unknown = true}};
        const struct population_options options = {.features = features_of_version(26),
                                                   .others = &test.others};
        assert_true(fixture_load(&test.fixture, cases[i].manifests));
        test.population = fixture_population(&test.fixture, &options);
        assert_int_equal(test.population->pools, cases[i].pools);
        test.worker = population_worker_create(test.population, &test.fixture.memory);
        test.state = state_copy(test.worker, test.population->initial);
        const uint32_t web = class_at(test.population, 0, STAGE_READY, 0);
        uint32_t bare = 0;
        for (uint32_t n = 0; n < test.state->node_count; n++) {
            const uint32_t config = test.state->nodes[n].config;
            const bool pool = config_condition(test.worker, config) == NODE_POOL;
            const uint32_t own = count_in(&test, config, web);
            assert_int_equal(own, pool ? 2 : cases[i].pools ? 0 : 1);
            bare += pool ? 0 : config_at(test.worker, config)->pod_count - own;
        }
        assert_int_equal(bare, 1);
        if (cases[i].pools)
            assert_false(pool_lacks(test.worker, test.state, NULL));
        end(&test);
    }
}

/* ---- pods of a dump to whose nodes nothing has happened ---- */

#define ZONES(events)                \
    DUMP("  events: [" events "]\n") \
    NODE("n3", "b") SET("api", "1", "cpu: 1m") POD("api-1", "api", "n3", "cpu: 1m")

static void begin_dump(struct pool_test *test, const char *manifests)
{
    *test = (struct pool_test){.others = {.pools = true, .unknown = true}};
    const struct population_options options = {.features = features_of_version(26),
                                               .others = &test->others};
    assert_true(fixture_load(&test->fixture, manifests));
    test->population = fixture_population(&test->fixture, &options);
    test->worker = population_worker_create(test->population, &test->fixture.memory);
    test->state = state_copy(test->worker, test->population->initial);
    test->web = class_at(test->population, 0, STAGE_READY, 0);
    test->api = class_at(test->population, 1, STAGE_READY, 0);
}

static uint32_t count_in_pool(struct pool_test *test, uint32_t class)
{
    const uint32_t pool = pool_entry(test->worker, test->state);
    return count_in(test, test->state->nodes[pool].config, class);
}

static uint32_t entry_of_config(struct pool_test *test, uint32_t config)
{
    uint32_t n = 0;
    while (n < test->state->node_count && test->state->nodes[n].config != config)
        n++;
    assert_true(n < test->state->node_count);
    return n;
}

/* The entry of a node that is up with so many pods of a class. */
static uint32_t entry_with(struct pool_test *test, uint32_t class, uint32_t count)
{
    for (uint32_t n = 0; n < test->state->node_count; n++)
        if (config_condition(test->worker, test->state->nodes[n].config) == NODE_UP &&
            count_in(test, test->state->nodes[n].config, class) == count)
            return n;
    fail_msg("there is no such node");
    return 0;
}

/* Zones are lost, but little happens. */
static void pods_of_a_dump_stay_where_little_happens(void **state)
{
    static const struct {
        const char *manifests;
        bool keeps;
    } cases[] = {
        {ZONES("{name: zoneOutage}"), true},
        {ZONES("{name: zoneOutage, atMost: 2}"), true},
        {ZONES("{name: zoneOutage}, {name: nodeFailure}"), true},
        {ZONES("{name: zoneOutage, atMost: 3}"), false},
        {ZONES("{name: zoneOutage, atMost: 2}, {name: nodeFailure}"), false},
        {ZONES("{name: zoneOutage}, {name: scale, workload: ReplicaSet/default/web, to: [1]}"),
         false},
    };
    (void)state;
    for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
        struct pool_test test;
        begin_dump(&test, cases[i].manifests);
        assert_true(test.population->pools);
        assert_int_equal(test.population->pool_keeps, cases[i].keeps);
        assert_int_equal(count_in_pool(&test, test.web), cases[i].keeps ? 0 : 2);
        assert_int_equal(count_in_pool(&test, test.api), cases[i].keeps ? 0 : 1);
        assert_int_equal(pool_lacks(test.worker, test.state, NULL), cases[i].keeps);
        assert_false(pool_lacks(test.worker, test.state, test.population->initial));
        end(&test);
    }
}

/* A pod comes to the node of another one: it is not known any more where either of them is. */
static void pods_of_a_node_that_changes_are_in_the_pool(void **state)
{
    struct pool_test test;
    (void)state;
    begin_dump(&test, ZONES("{name: zoneOutage}"));
    const struct state *initial = test.population->initial;
    put(&test, entry_with(&test, test.api, 1), test.web, 1);
    assert_true(pool_lacks(test.worker, test.state, initial));
    pool_collect(test.worker, test.state, initial);
    assert_false(pool_lacks(test.worker, test.state, initial));
    assert_int_equal(count_in_pool(&test, test.web), 1);
    assert_int_equal(count_in_pool(&test, test.api), 1);
    /* Web's own pods are where they were. */
    for (uint32_t n = 0; n < initial->node_count; n++)
        if (count_in(&test, initial->nodes[n].config, test.web) == 1)
            entry_of_config(&test, initial->nodes[n].config);
    pool_collect(test.worker, test.state, NULL);
    assert_int_equal(count_in_pool(&test, test.web), 3);
    end(&test);
}

/* A node becomes what another one is already: as many keep their pods as before. */
static void as_many_nodes_keep_their_pods_as_before(void **state)
{
    struct pool_test test;
    (void)state;
    begin_dump(&test, ZONES("{name: zoneOutage}"));
    struct state *before = state_copy(test.worker, test.state);
    const uint32_t entry = entry_with(&test, test.api, 1);
    const uint32_t config = test.state->nodes[entry].config;
    /* There were two such nodes, and now there are three. */
    before->nodes[entry].count = 2;
    test.state->nodes[entry].count = 3;
    assert_true(pool_lacks(test.worker, test.state, before));
    pool_collect(test.worker, test.state, before);
    assert_int_equal(count_in_pool(&test, test.api), 1);
    assert_int_equal(test.state->nodes[entry].count, 2);
    assert_int_equal(test.state->nodes[entry].config, config);
    assert_false(pool_lacks(test.worker, test.state, before));
    /* So it is if they are entries of their own. */
    test.state->nodes[entry].count = 3;
    state_move_node(test.worker, test.state, entry, config);
    state_move_node(test.worker, test.state, entry, config);
    pool_collect(test.worker, test.state, before);
    assert_int_equal(count_in_pool(&test, test.api), 2);
    assert_false(pool_lacks(test.worker, test.state, before));
    end(&test);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_pool_is_one_more_entry),
        cmocka_unit_test(pods_on_nodes_that_are_up_are_collected),
        cmocka_unit_test(pods_on_other_nodes_stay_there),
        cmocka_unit_test(every_choice_is_drawn_once),
        cmocka_unit_test(no_node_gets_more_pods_than_it_has_room_for),
        cmocka_unit_test(no_node_gets_more_pods_of_a_revision_than_gather),
        cmocka_unit_test(nodes_that_are_not_up_draw_nothing),
        cmocka_unit_test(pods_are_spread_over_nodes_of_one_label),
        cmocka_unit_test(too_many_choices_are_not_all_drawn),
        cmocka_unit_test(pods_of_a_dump_begin_in_the_pool),
        cmocka_unit_test(pods_of_a_dump_stay_where_little_happens),
        cmocka_unit_test(pods_of_a_node_that_changes_are_in_the_pool),
        cmocka_unit_test(as_many_nodes_keep_their_pods_as_before),
    };
    return cmocka_run_group_tests_name("pool", tests, NULL, NULL);
}
