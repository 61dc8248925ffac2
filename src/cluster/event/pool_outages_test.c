/* SPDX-License-Identifier: Apache-2.0 */
/* Outages of a zone with two pods in the pool: on which nodes they turn out to be. */
#include "cluster/event/zones_fixture.h"
#include "cluster/expand.h"
#include "cluster/observed_fixture.h"
#include "cluster/state/actions.h"
#include "cluster/state/classes.h"
#include "cluster/state/config_facts.h"
#include "cluster/state/configs.h"
#include "cluster/state/pool.h"
#include "cluster/state/population_model.h"
#include "cluster/state/state.h"
#include "cluster/state/worker.h"

struct outages {
    struct step_sink sink;
    struct worker *worker;
    uint32_t spread;   /* steps after which two nodes that are not up have pods */
    uint32_t together; /* steps after which one of them has both */
};

static bool see_outage(struct step_sink *sink, const struct step *step)
{
    struct outages *outages = (struct outages *)sink;
    struct worker *worker = outages->worker;
    uint32_t nodes = 0;
    bool both = false;
    if (step->action != ACT_EVENT_ZONE_FAILS)
        return true;
    const struct state *state = state_unpack(worker, step->words, step->length);
    for (uint32_t n = 0; n < state->node_count; n++) {
        const enum node_condition condition = config_condition(worker, state->nodes[n].config);
        const uint32_t pods = config_at(worker, state->nodes[n].config)->pod_count;
        if (condition == NODE_POOL || pods == 0)
            continue;
        assert_int_not_equal(condition, NODE_UP);
        nodes += state->nodes[n].count;
        both |= pods == 2;
    }
    outages->spread += nodes == 2;
    outages->together += both;
    return true;
}

static struct outages outages_of(const char *manifests)
{
    struct fixture fixture;
    const struct others others = {.pools = true};
    const struct population_options how = {.features = features_of_version(26), .others = &others};
    uint32_t words[WORDS_MOST];
    assert_true(fixture_load(&fixture, manifests));
    struct population *population = fixture_population(&fixture, &how);
    struct worker *worker = population_worker_create(population, &fixture.memory);
    struct state *state = state_copy(worker, population->initial);
    uint32_t *pool = &state->nodes[pool_entry(worker, state)].config;
    for (uint32_t i = 0; i < 2; i++)
        *pool = config_replace(worker, *pool, VIEW_NONE, class_at(population, 0, STAGE_READY, 0));
    const uint32_t length = state_pack(worker, state, words);
    struct outages outages = {{.emit = see_outage}, .worker = worker};
    population_expand(&population->model, worker, words, length, &outages.sink);
    population_worker_free(worker);
    population_free(population);
    fixture_release(&fixture);
    return outages;
}

#define RACKS                                                              \
    CLUSTER(NODES("a", "3", "metadata: {labels: {rack: a}}, ", ROOMY)      \
                NODES("b", "1", "metadata: {labels: {rack: b}}, ", ROOMY), \
            "  events: [{name: zoneOutage, topologyKey: rack}"             \
            "]\n  intents: [{name: converges}]\n")                         \
    DEPLOYMENT("web", "app: web", "")

/* Where nodes are tainted, or come back, one after the other, it makes a difference which of them
 * has which pods. */
static void pods_are_lost_together_or_one_by_one(void **state)
{
    (void)state;
    const struct outages outages = outages_of(ZONES_OF("4", ""));
    assert_int_equal(outages.spread, 0);
    assert_int_equal(outages.together, 2);
    assert_int_equal(outages_of(ZONES_OF("4", ", recovers: true")).spread, 2);
    assert_int_equal(outages_of(ZONES_OF("4", ", atMost: 2")).spread, 2);
    assert_int_equal(outages_of(ZONES_OF("4", "}, {name: nodeFailure")).spread, 2);
    assert_int_equal(outages_of(ZONES_OF("4", "}, {name: scale, workload: "
                                              "Deployment/default/web, to: [1]"))
                         .spread,
                     0);
    /* The first nodes of rack a that are noticed are tainted, the last ones are not. */
    assert_int_equal(outages_of(RACKS).spread, 1);
}

/* ---- pods of a dump that are where they were ---- */

#define DUMP                                     \
    OBSERVED("  events: [{name: zoneOutage}]\n") \
    NODE("n1", "a")                              \
    NODE("n2", "b")                              \
    NODE("n3", "b")                              \
    SET("web", "3", "cpu: 300m")                 \
    POD("web-1", "web", "n1", "cpu: 300m")       \
    POD("web-2", "web", "n2", "cpu: 300m")

struct losses {
    struct step_sink sink;
    struct worker *worker;
    uint32_t lost[4]; /* steps after which so many pods are on nodes that are not up */
};

/* Nodes that are up have the pod that they had, and none that was drawn for nothing. */
static bool see_loss(struct step_sink *sink, const struct step *step)
{
    struct losses *losses = (struct losses *)sink;
    struct worker *worker = losses->worker;
    uint32_t lost = 0;
    if (step->action != ACT_EVENT_ZONE_FAILS)
        return true;
    const struct state *state = state_unpack(worker, step->words, step->length);
    for (uint32_t n = 0; n < state->node_count; n++) {
        const enum node_condition condition = config_condition(worker, state->nodes[n].config);
        const uint32_t pods = config_at(worker, state->nodes[n].config)->pod_count;
        assert_true(condition != NODE_UP || pods <= 1);
        if (condition != NODE_UP && condition != NODE_POOL)
            lost += pods * state->nodes[n].count;
    }
    assert_true(lost < 4);
    losses->lost[lost]++;
    return true;
}

/* Either zone is lost, with the pod that is there, and with the one of the pool or without: on n1,
 * on n2, or on n3. */
static void a_zone_is_lost_with_pods_that_stayed(void **state)
{
    struct fixture fixture;
    const struct others others = {.pools = true, .unknown = true};
    const struct population_options how = {.features = features_of_version(26), .others = &others};
    uint32_t words[WORDS_MOST];
    (void)state;
    assert_true(fixture_load(&fixture, DUMP));
    struct population *population = fixture_population(&fixture, &how);
    assert_true(population->pool_keeps);
    struct worker *worker = population_worker_create(population, &fixture.memory);
    struct state *begun = state_copy(worker, population->initial);
    uint32_t *pool = &begun->nodes[pool_entry(worker, begun)].config;
    *pool = config_replace(worker, *pool, VIEW_NONE, class_at(population, 0, STAGE_READY, 0));
    const uint32_t length = state_pack(worker, begun, words);
    struct losses losses = {{.emit = see_loss}, .worker = worker};
    population_expand(&population->model, worker, words, length, &losses.sink);
    assert_int_equal(losses.lost[0], 0);
    assert_int_equal(losses.lost[1], 2);
    assert_int_equal(losses.lost[2], 3);
    population_worker_free(worker);
    population_free(population);
    fixture_release(&fixture);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(pods_are_lost_together_or_one_by_one),
        cmocka_unit_test(a_zone_is_lost_with_pods_that_stayed),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
