/* SPDX-License-Identifier: Apache-2.0 */
/* States that differ only in which pods have started are taken as one, and from that one all of
 * them are found again. */
#include "cluster/population.h"
#include "cluster/state/classes.h"
#include "cluster/state/configs.h"
#include "cluster/state/population_model.h"
#include "cluster/state/starts.h"
#include "cluster/state/state.h"
#include "cluster/state/worker.h"
#include "setup/scope_fixture.h"

#include <string.h>

#define MANIFESTS(intent)                                                                     \
    "apiVersion: fathom/v1\nkind: Check\nmetadata: {name: test}\nspec:\n"                     \
    "  scale: {mode: exact}\n"                                                                \
    "  nodeGroups:\n"                                                                         \
    "  - {name: a, count: 2, node: {status: {allocatable: {cpu: '4', memory: 16Gi, pods: "    \
    "'110'}}}}\n"                                                                             \
    "  intents: [" intent "]\n"                                                               \
    "---\napiVersion: apps/v1\nkind: Deployment\nmetadata: {name: web, namespace: default}\n" \
    "spec:\n  replicas: 4\n  selector: {matchLabels: {app: web}}\n  template:\n"              \
    "    metadata: {labels: {app: web}}\n    spec:\n      containers:\n"                      \
    "      - {name: c, image: x, resources: {requests: {cpu: 500m, memory: 1Gi}}}\n"

#define AT_LEAST "{name: replicasAtLeast, workload: Deployment/default/web, value: 2}"

struct tried {
    struct fixture fixture;
    struct population *population;
};

static void try_with(struct tried *tried, const char *manifests)
{
    struct setups setups = {0};
    const struct population_options options = {.features = features_of_version(26),
                                               .reductions = REDUCTIONS_ALWAYS};
    assert_true(fixture_load(&tried->fixture, manifests));
    scope_enumerate(&tried->fixture.arena, &tried->fixture.scope, &setups);
    tried->population =
        population_create(&tried->fixture.memory, &tried->fixture.scope, &setups.items[0],
                          tried->fixture.check->intents, tried->fixture.check->intent_count,
                          &options, &tried->fixture.problems);
}

static void release(struct tried *tried)
{
    population_free(tried->population);
    fixture_release(&tried->fixture);
}

/* Two nodes with two pods each, of which so many have not started. */
static struct state *state_with(const struct tried *tried, uint32_t first, uint32_t second)
{
    struct worker *worker = tried->population->maker;
    struct state *state = state_copy(worker, tried->population->initial);
    const uint32_t starting[] = {first, second};
    const uint32_t node = state->nodes[0].config;
    state->node_count = 0;
    for (uint32_t n = 0; n < 2; n++) {
        uint32_t config = node;
        for (uint32_t p = 0; p < 2; p++)
            config = config_replace(
                worker, config, VIEW_NONE,
                class_at(tried->population, 0, p < starting[n] ? STAGE_STARTING : STAGE_READY, 0));
        state->nodes[state->node_count++] = (struct view_node){config, 1};
    }
    return state;
}

static uint32_t pack(const struct tried *tried, struct state *state, uint32_t *words)
{
    return state_pack(tried->population->maker, state, words);
}

static void starts_are_gathered(void **unused)
{
    struct tried tried;
    uint32_t words[2][WORDS_MOST];
    (void)unused;
    try_with(&tried, MANIFESTS(AT_LEAST));
    struct worker *worker = tried.population->maker;
    struct state *apart = state_with(&tried, 1, 1);
    struct state *together = state_with(&tried, 0, 2);
    assert_true(state_gather_starts(worker, apart));
    assert_true(state_gather_starts(worker, together));
    const uint32_t length = pack(&tried, apart, words[0]);
    assert_int_equal(pack(&tried, together, words[1]), length);
    assert_memory_equal(words[0], words[1], length * sizeof(**words));
    /* How many they are counts. */
    struct state *fewer = state_with(&tried, 0, 1);
    assert_true(state_gather_starts(worker, fewer));
    assert_true(pack(&tried, fewer, words[1]) != length ||
                memcmp(words[0], words[1], length * sizeof(**words)) != 0);
    assert_false(state_gather_starts(worker, state_with(&tried, 0, 0)));
    assert_false(state_gather_starts(worker, state_with(&tried, 2, 2)));
    release(&tried);
}

static void count_visit(void *context, const struct state *placed)
{
    (void)placed;
    ++*(uint32_t *)context;
}

static void all_places_are_found(void **unused)
{
    struct tried tried;
    uint32_t visits = 0;
    (void)unused;
    try_with(&tried, MANIFESTS(AT_LEAST));
    struct worker *worker = tried.population->maker;
    struct state *state = state_with(&tried, 0, 2);
    assert_true(state_gather_starts(worker, state));
    /* Both on one of the nodes, whichever it is, or one on each; nodes are told apart here. */
    assert_true(state_each_gathered(worker, state, 0, 100, count_visit, &visits));
    assert_in_range(visits, 2, 3);
    assert_false(state_each_gathered(worker, state, 0, 1, count_visit, &visits));
    release(&tried);
}

static void only_where_nobody_asks(void **unused)
{
    struct tried tried;
    (void)unused;
    try_with(&tried, MANIFESTS(AT_LEAST));
    assert_true(tried.population->counts_starts);
    release(&tried);
    try_with(&tried, MANIFESTS(AT_LEAST ", {name: balanced, topologyKey: kubernetes.io/hostname, "
                                        "when: always}"));
    assert_false(tried.population->counts_starts);
    release(&tried);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(starts_are_gathered),
        cmocka_unit_test(all_places_are_found),
        cmocka_unit_test(only_where_nobody_asks),
    };
    return cmocka_run_group_tests_name("starts", tests, NULL, NULL);
}
