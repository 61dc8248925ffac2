/* SPDX-License-Identifier: Apache-2.0 */
/*
 * How many pods of a revision can be on one node: bounds worked out by hand. Random clusters are in
 * test/modular (`gathered`).
 */
#include "cluster/ask/gathering.h"
#include "cluster/ask/room_held.h"
#include "cluster/observed_fixture.h"
#include "cluster/others.h"
#include "cluster/state/classes.h"
#include "cluster/state/configs.h"
#include "cluster/state/population_model.h"
#include "cluster/state/state.h"
#include "cluster/state/worker.h"
#include "cluster/state/workloads.h"
#include "cluster/workloads_fixture.h"
#include "decide/scheduler/scheduler.h"

#include <stdio.h>

#define INTENTS "  intents: [{name: converges}]\n"
#define THREE   "cpu: '3', memory: 64Gi, pods: '110'"
#define SPEC(count, rest) \
    CLUSTER(NODES("a", count, "", THREE) NODES("b", "1", "", THREE), rest INTENTS)
#define REPLICATED(replicas, pod)                                                             \
    "---\napiVersion: apps/v1\nkind: Deployment\nmetadata: {name: web, namespace: default}\n" \
    "spec:\n  replicas: " replicas "\n  selector: {matchLabels: {app: web}}\n  template:\n"   \
    "    metadata: {labels: {app: web}}\n    spec:\n      containers: [{name: c, image: x, "  \
    "resources: {requests: {cpu: 500m, memory: 64Mi}}}]\n" pod
#define WEB REPLICATED("3", "")
#define PROFILE(text)                                                         \
    "  controllers: {scheduler: {configuration: {profiles: [{schedulerName: " \
    "default-scheduler, " text "}]}}}\n"
#define PACKED                                                                        \
    PROFILE("pluginConfig: [{name: NodeResourcesFit, args: {scoringStrategy: {type: " \
            "MostAllocated}}}], plugins: {score: {disabled: [{name: PodTopologySpread}]}}")

enum { GROUPS = 2, REVISIONS_MOST = 4 };

/* What others have, pods of 500m and of 64 MiB, and how many nodes may be away. */
struct beside_web {
    uint32_t pods;
    uint32_t nodes_back;
    bool shown;         /* true: those of the set are among them */
    int64_t memory_mib; /* 0: 64 */
};

static void let_others_have(struct others *others, struct pods_held *pods, struct beside_web beside)
{
    *pods = (struct pods_held){.on_node = beside.pods};
    pods->request.amounts[ROOM_CPU] = pods->request.amounts[ROOM_SCORED_CPU] = 500;
    pods->request.amounts[ROOM_MEMORY] = pods->request.amounts[ROOM_SCORED_MEMORY] =
        (beside.memory_mib ? beside.memory_mib : 64) << 20;
    pods->request.amounts[ROOM_PODS] = 1;
    for (uint32_t p = 0; p < ROOM_PLACES; p++)
        pods->most[p] = beside.pods;
    *others = (struct others){.pods = pods,
                              .pod_kinds = 1,
                              .own_kinds = 1,
                              .shown = beside.shown,
                              .nodes_back = beside.nodes_back};
}

/* The most pods of the first revision on a node of the first group. */
static uint32_t most_of(const char *manifests, struct beside_web beside,
                        struct population_options options)
{
    struct fixture fixture;
    struct others others;
    struct pods_held pods;
    uint32_t most[GROUPS * REVISIONS_MOST];
    bool images;
    let_others_have(&others, &pods, beside);
    options.features = features_of_version(30);
    options.others = &others;
    assert_true(fixture_load(&fixture, manifests));
    struct population *population = fixture_population(&fixture, &options);
    struct worker *worker = population_worker_create(population, &fixture.memory);
    assert_true(gathering_count(population) <= GROUPS * REVISIONS_MOST);
    gathering_find(worker, most, &images);
    population_worker_free(worker);
    population_free(population);
    fixture_release(&fixture);
    return most[0];
}

static uint32_t most_beside(const char *manifests, uint32_t pods, uint32_t nodes_back)
{
    return most_of(manifests, (struct beside_web){pods, nodes_back},
                   (struct population_options){0});
}

/* There are six nodes with room for six pods, and at most four pods of the set. All of them are on
 * one node if others fill the five others, and three if others fill the four that have none. Two
 * are on one if others hold four pods on each of the three that have none: then these may have too
 * few points. */
static void others_have_to_fill_all_nodes_but_one(void **state)
{
    (void)state;
    assert_int_equal(most_beside(SPEC("5", "") WEB, 11, 0), 1);
    assert_int_equal(most_beside(SPEC("5", "") WEB, 12, 0), 2);
    assert_int_equal(most_beside(SPEC("5", "") WEB, 23, 0), 2);
    assert_int_equal(most_beside(SPEC("5", "") WEB, 24, 0), 3);
    assert_int_equal(most_beside(SPEC("5", "") WEB, 29, 0), 3);
    assert_int_equal(most_beside(SPEC("5", "") WEB, 30, 0), 4);
}

static uint32_t most_among(struct beside_web beside)
{
    return most_of(SPEC("5", "") WEB, beside, (struct population_options){0});
}

/* The pods of the set that are on nodes are among those that were counted, and fill no others. Pods
 * that request something else are none of the set's. */
static void pods_that_are_shown_count_once(void **state)
{
    (void)state;
    assert_int_equal(most_among((struct beside_web){26, 0, .shown = true}), 2);
    assert_int_equal(most_among((struct beside_web){27, 0, .shown = true}), 3);
    assert_int_equal(most_among((struct beside_web){32, 0, .shown = true}), 3);
    assert_int_equal(most_among((struct beside_web){33, 0, .shown = true}), 4);
    assert_int_equal(most_among((struct beside_web){30, 0, .shown = true, .memory_mib = 65}), 4);
}

/* Nodes that are away get no pods, as if others had filled them. */
static void nodes_that_are_away_count(void **state)
{
    (void)state;
    assert_int_equal(most_beside(SPEC("5", "") WEB, 0, 2), 1);
    assert_int_equal(most_beside(SPEC("5", "") WEB, 0, 3), 2);
    assert_int_equal(most_beside(SPEC("5", "") WEB, 0, 4), 2);
    assert_int_equal(most_beside(SPEC("5", "") WEB, 0, 5), 4);
}

static uint32_t nodes_away(const char *events, uint32_t nodes_back)
{
    struct fixture fixture;
    const struct others others = {.unknown = true};
    char manifests[4096];
    snprintf(manifests, sizeof(manifests), "%s%s%s", CLUSTER(NODES("a", "5", "", THREE), ""),
             events, INTENTS WEB);
    struct population *population =
        fixture_begin(&fixture, manifests, (struct population_options){.others = &others});
    const uint32_t away = gathering_nodes_away(population, nodes_back);
    fixture_end(&fixture, population);
    return away;
}

/* The event that comes to a node has not taken it before; others may have. */
static void the_last_event_has_not_come(void **state)
{
    (void)state;
    assert_int_equal(nodes_away("  events: [{name: maintenance, atMost: 3}]\n", 3), 2);
    assert_int_equal(nodes_away("  events: [{name: maintenance}, {name: scale, workload: "
                                "Deployment/default/web, to: [2]}]\n",
                                1),
                     0);
    /* Clients are cut off from nodes that are still up. */
    assert_int_equal(
        nodes_away("  events: [{name: maintenance}, {name: partition, from: clients}]\n", 1), 1);
    assert_int_equal(nodes_away("  events: [{name: maintenance}]\n", UINT32_MAX), UINT32_MAX);
    assert_int_equal(nodes_away("", 0), 0);
}

/* On two nodes the third pod of a Deployment of two, its surge, has to be beside another one. */
static void a_surge_counts(void **state)
{
    (void)state;
    assert_int_equal(most_beside(SPEC("1", "") REPLICATED("1", ""), 0, 0), 1);
    assert_int_equal(most_beside(SPEC("1", "") REPLICATED("2", ""), 0, 0), 2);
}

static void who_looks_at_pods_is_not_known(void **state)
{
    (void)state;
    assert_int_equal(
        most_beside(SPEC("5", "") REPLICATED(
                        "3", "      topologySpreadConstraints: [{maxSkew: 1, topologyKey: zone, "
                             "whenUnsatisfiable: ScheduleAnyway, labelSelector: {matchLabels: "
                             "{app: web}}}]\n"),
                    0, 0),
        UINT32_MAX);
    assert_int_equal(
        most_beside(SPEC("5", "") REPLICATED(
                        "3", "      affinity: {podAffinity: "
                             "{preferredDuringSchedulingIgnoredDuringExecution: [{weight: 1, "
                             "podAffinityTerm: {topologyKey: zone, labelSelector: {}}}]}}\n"),
                    0, 0),
        UINT32_MAX);
}

/* Default spreading counts what the selector of a ReplicaSet matches: pods of another set with the
 * same labels. */
static void who_is_looked_at_is_not_known(void **state)
{
    (void)state;
    assert_int_equal(most_beside(SPEC("5", "") WORKLOAD("ReplicaSet", "web", "app: web", "", "")
                                     WORKLOAD("ReplicaSet", "api", "app: api", "", ""),
                                 0, 0),
                     1);
    assert_int_equal(most_beside(SPEC("5", "") WORKLOAD("ReplicaSet", "web", "app: web", "", "")
                                     WORKLOAD("ReplicaSet", "api", "app: web", "", ""),
                                 0, 0),
                     UINT32_MAX);
}

/* Where nodes that are taken get more points, all pods gather. */
static void other_profiles_gather_pods(void **state)
{
    (void)state;
    assert_int_equal(most_beside(SPEC("5", PACKED) WEB, 0, 0), 4);
}

/* Pods of a dump may be anywhere; what sets see late may make more of them. */
static void other_starts_and_lags_are_not_known(void **state)
{
    (void)state;
    assert_int_equal(most_of(SPEC("5", "") WEB, (struct beside_web){0},
                             (struct population_options){.sets_lag = true}),
                     UINT32_MAX);
    assert_int_equal(most_beside(SPEC("5", "  start: canonical\n") WEB, 0, 0), UINT32_MAX);
}

/* ---- where runs start from a dump ---- */

#define DUMP_OF(events, pods)            \
    OBSERVED("  events: [" events "]\n") \
    NODE_OF("n1", "") NODE_OF("n2", "") NODE_OF("n3", "") SET("web", "3", "cpu: 500m") pods
#define NODE_OF(name, spec)                                                                \
    "---\napiVersion: v1\nkind: Node\nmetadata: {name: " name ", uid: " name               \
    ", labels: {kubernetes.io/hostname: " name "}}\n" spec "status: {allocatable: {" THREE \
    "}, conditions: [{type: Ready, status: 'True'}]}\n"
#define ON(name, node) POD(name, "web", node, "cpu: 500m")
#define SPREAD         ON("web-1", "n1") ON("web-2", "n2") ON("web-3", "n3")
#define DRAINS         "{name: maintenance, atMost: 3}"

struct dump_test {
    struct fixture fixture;
    struct others others;
    struct pods_held pods[8];
    struct room_held held;
    struct population *population;
    struct worker *worker;
};

static void begin_dump(struct dump_test *test, const char *manifests)
{
    *test = (struct dump_test){0};
    let_others_have(&test->others, test->pods, (struct beside_web){0});
    const struct population_options options = {.features = features_of_version(30),
                                               .others = &test->others};
    assert_true(fixture_load(&test->fixture, manifests));
    test->population = fixture_population(&test->fixture, &options);
    test->worker = population_worker_create(test->population, &test->fixture.memory);
    note_room_held(test->worker, test->population->initial, false);
    test->held = test->worker->findings.held;
}

static void end_dump(struct dump_test *test)
{
    population_worker_free(test->worker);
    population_free(test->population);
    fixture_release(&test->fixture);
}

/* The most pods of web on one node beside so many pods of others, and those that no workload looks
 * after. */
static uint32_t on_node(const char *manifests, uint32_t pods, uint32_t away)
{
    struct dump_test test;
    uint32_t found[ROOM_KINDS];
    bool images;
    begin_dump(&test, manifests);
    let_others_have(&test.others, test.pods, (struct beside_web){pods, away});
    test.others.pod_kinds += gathering_add_bystanders(test.worker, &test.pods[1]);
    gathering_on_node(test.worker, &test.held, found, &images);
    end_dump(&test);
    return found[0];
}

/* Each of three nodes has room for six pods. */
static void pods_of_a_dump_gather_from_where_they_are(void **state)
{
    (void)state;
    assert_int_equal(on_node(DUMP_OF(DRAINS, SPREAD), 0, 0), 1);
    assert_int_equal(on_node(DUMP_OF(DRAINS, SPREAD), 0, 1), 2);
    assert_int_equal(on_node(DUMP_OF(DRAINS, SPREAD), 0, 2), 3);
    assert_int_equal(on_node(DUMP_OF(DRAINS, ON("a", "n1") ON("b", "n1") ON("c", "n1")), 0, 0), 3);
    assert_int_equal(on_node(DUMP_OF(DRAINS, ON("a", "n1") ON("b", "n1") ON("c", "n2")), 0, 0), 2);
    /* Others fill one of the nodes, or those that no workload looks after do. */
    assert_int_equal(on_node(DUMP_OF(DRAINS, SPREAD), 6, 0), 2);
    assert_int_equal(on_node(DUMP_OF(DRAINS, SPREAD BARE("bare", "n3", "cpu: '3'")), 0, 0), 2);
    /* A set that has more pods than it should have makes none. */
    assert_int_equal(
        on_node(DUMP_OF(DRAINS, SPREAD ON("d", "n1") ON("e", "n1") ON("f", "n1")), 0, 2), 4);
}

/* Nothing is known of pods that look at others, nor if a node is not up. */
static void of_some_dumps_nothing_is_known(void **state)
{
    (void)state;
    assert_int_equal(
        on_node(
            DUMP_OF(DRAINS, SPREAD) "---\napiVersion: v1\nkind: Node\nmetadata: {name: n4, uid: "
                                    "n4}\nstatus: {allocatable: {" THREE
                                    "}, conditions: [{type: Ready, status: 'False'}]}\n",
            0, 0),
        UINT32_MAX);
}

/* Those that are on nodes to which no other pods go are in nobody's way. */
static void strangers_count_where_pods_go(void **state)
{
    struct dump_test test;
    (void)state;
    begin_dump(&test, DUMP_OF(DRAINS, SPREAD BARE("one", "n1", "cpu: 300m") BARE(
                                          "two", "n3", "cpu: 200m") BARE("far", "n4", "cpu: 1m"))
                          NODE_OF("n4", "spec: {taints: [{key: k, effect: NoSchedule}]}\n"));
    assert_int_equal(gathering_add_bystanders(test.worker, test.pods), 2);
    assert_int_equal(
        test.pods[0].request.amounts[ROOM_CPU] + test.pods[1].request.amounts[ROOM_CPU], 500);
    for (uint32_t i = 0; i < 2; i++) {
        assert_int_equal(test.pods[i].most[ROOM_ANYWHERE], 1);
        assert_int_equal(test.pods[i].lasting[ROOM_ANYWHERE], 1);
        assert_int_equal(test.pods[i].on_node, 1);
    }
    end_dump(&test);
}

static uint32_t at_once(const char *manifests)
{
    struct dump_test test;
    begin_dump(&test, manifests);
    const uint32_t nodes = gathering_nodes_at_once(test.population);
    end_dump(&test);
    return nodes;
}

static void drained_nodes_are_away_one_after_the_other(void **state)
{
    (void)state;
    assert_int_equal(at_once(DUMP_OF("{name: maintenance, atMost: 5}", SPREAD)), 1);
    assert_int_equal(at_once(DUMP_OF("{name: maintenance, atMost: 5, concurrent: 2}", SPREAD)), 2);
    assert_int_equal(at_once(DUMP_OF("{name: maintenance, atMost: 1, concurrent: 2}", SPREAD)), 1);
    assert_int_equal(at_once(DUMP_OF("{name: maintenance, atMost: 5, drain: false}", SPREAD)), 5);
    assert_int_equal(at_once(DUMP_OF("{name: nodeFailure, atMost: 2}, " DRAINS, SPREAD)), 3);
    assert_int_equal(
        at_once(DUMP_OF("{name: zoneOutage, topologyKey: kubernetes.io/hostname}", SPREAD)),
        UINT32_MAX);
    assert_int_equal(
        at_once(DUMP_OF("{name: scale, workload: ReplicaSet/default/web, to: [1]}", SPREAD)), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(others_have_to_fill_all_nodes_but_one),
        cmocka_unit_test(pods_that_are_shown_count_once),
        cmocka_unit_test(nodes_that_are_away_count),
        cmocka_unit_test(the_last_event_has_not_come),
        cmocka_unit_test(a_surge_counts),
        cmocka_unit_test(who_looks_at_pods_is_not_known),
        cmocka_unit_test(who_is_looked_at_is_not_known),
        cmocka_unit_test(other_profiles_gather_pods),
        cmocka_unit_test(other_starts_and_lags_are_not_known),
        cmocka_unit_test(pods_of_a_dump_gather_from_where_they_are),
        cmocka_unit_test(of_some_dumps_nothing_is_known),
        cmocka_unit_test(strangers_count_where_pods_go),
        cmocka_unit_test(drained_nodes_are_away_one_after_the_other),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
