/* SPDX-License-Identifier: Apache-2.0 */
/* Which pods that terminate are forgotten depends on the node that they are on. */
#include "cluster/state/classes.h"
#include "cluster/state/config_facts.h"
#include "cluster/state/configs.h"
#include "cluster/state/ends.h"
#include "cluster/state/nodes.h"
#include "cluster/state/population_model.h"
#include "cluster/state/state.h"
#include "cluster/state/worker.h"
#include "cluster/workloads_fixture.h"

#define WEB_ON_NODES                                                                            \
    CLUSTER(NODES("a", "3", "", ROOMY), "  events: [{name: maintenance}, {name: nodeFailure}, " \
                                        "{name: delete, object: Node/a-*, recovers: true}]\n"   \
                                        "  intents: [{name: converges}]\n")                     \
    DEPLOYMENT("web", "app: web", "")

static uint32_t left_there(struct worker *worker, enum node_condition condition, uint32_t class)
{
    struct state *state = state_copy(worker, worker->population->initial);
    uint32_t n = 0;
    while (config_condition(worker, state->nodes[n].config) != NODE_UP)
        n++;
    const uint32_t empty = config_with_condition(worker, state->nodes[n].config, condition);
    state->nodes[n].config =
        config_replace(worker, config_replace(worker, empty, VIEW_NONE, class), VIEW_NONE, class);
    ends_forget(worker, state);
    return config_at(worker, state->nodes[n].config)->pod_count;
}

static void it_depends_on_the_node(void **state)
{
    static const struct {
        enum node_condition condition;
        uint32_t kept_for_room;
    } conditions[] = {{NODE_UP, 2}, {NODE_CORDONED, 0}, {NODE_DOWN, 0}, {NODE_AWAY, 2}};
    struct fixture fixture;
    const struct others others = {.pools = true};
    const struct population_options options = {.features = features_of_version(26),
                                               .others = &others};
    (void)state;
    assert_true(fixture_load(&fixture, WEB_ON_NODES));
    struct population *population = fixture_population(&fixture, &options);
    struct worker *worker = population_worker_create(population, &fixture.memory);
    const uint32_t ending = class_at(population, 0, STAGE_TERMINATING, 0);
    const uint32_t late = class_late(worker, ending, true);
    for (size_t i = 0; i < sizeof(conditions) / sizeof(*conditions); i++) {
        const enum node_condition condition = conditions[i].condition;
        population->ends = ENDS_FORGOTTEN;
        assert_int_equal(left_there(worker, condition, ending), 0);
        assert_int_equal(left_there(worker, condition, class_at(population, 0, STAGE_READY, 0)), 2);
        population->ends = ENDS_KEPT_FOR_ROOM;
        assert_int_equal(left_there(worker, condition, ending), conditions[i].kept_for_room);
    }
    /* The drain does not wait for pods that came later. */
    assert_int_equal(left_there(worker, NODE_CORDONED, late), 2);
    population->ends = ENDS_FORGOTTEN;
    assert_int_equal(left_there(worker, NODE_GONE_AWHILE, ending), 2);
    population_worker_free(worker);
    population_free(population);
    fixture_release(&fixture);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(it_depends_on_the_node)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
