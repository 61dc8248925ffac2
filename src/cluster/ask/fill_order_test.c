/* SPDX-License-Identifier: Apache-2.0 */
/*
 * In which order pods fill nodes: what is known of a component, and what that rules out. Each case
 * that is not known is one in which the argument of fill_order.h would be wrong.
 */
#include "cluster/ask/admission.h"
#include "cluster/ask/fill_order.h"
#include "cluster/ask/gathering.h"
#include "cluster/state/population_model.h"
#include "cluster/state/state.h"
#include "cluster/state/worker.h"
#include "cluster/state/workloads.h"
#include "cluster/workloads_fixture.h"
#include "decide/scheduler/scheduler.h"

#define INTENTS "  intents: [{name: converges}]\n"
#define NODE    "cpu: '3', memory: 64Gi, pods: '110'"
#define SMALL   "cpu: 1500m, memory: 64Gi, pods: '110'"
#define SPEC(node, rest) \
    CLUSTER(NODES("a", "5", "", node) NODES("b", "1", "", node), "  start: empty\n" rest INTENTS)
#define EVENTS(rest) "  events: [{name: maintenance}" rest "]\n"
#define WEB(replicas, pod)                                                                    \
    "---\napiVersion: apps/v1\nkind: Deployment\nmetadata: {name: web, namespace: default}\n" \
    "spec:\n  replicas: " replicas "\n  selector: {matchLabels: {app: web}}\n  template:\n"   \
    "    metadata: {labels: {app: web}}\n    spec:\n      containers: [{name: c, image: x, "  \
    "resources: {requests: {cpu: 500m, memory: 64Mi}}}]\n" pod
#define PROFILE(text)                                                         \
    "  controllers: {scheduler: {configuration: {profiles: [{schedulerName: " \
    "default-scheduler, " text "}]}}}\n"

enum { GROUPS = 2, REVISIONS_MOST = 4 };

static const int64_t MIB = INT64_C(1) << 20;

/* What a pod of 500m requests that has so much memory, as a place as well. */
static struct room room_of(int64_t cpu_milli, int64_t memory)
{
    struct room room = {0};
    room.amounts[ROOM_CPU] = room.amounts[ROOM_SCORED_CPU] = cpu_milli;
    room.amounts[ROOM_MEMORY] = room.amounts[ROOM_SCORED_MEMORY] = memory;
    room.amounts[ROOM_PODS] = 1;
    return room;
}

/* ---- what is known ---- */

struct order_case {
    const char *what;
    const char *manifests;
    struct fill_order given;
    bool known;
    uint32_t avoided;
    uint32_t made;
};

static bool find(const struct order_case *order, struct fill_order *found)
{
    struct fixture fixture;
    const struct others unknown = {.unknown = true};
    struct population_options options = {.others = &unknown, .features = features_of_version(30)};
    *found = order->given;
    assert_true(fixture_load(&fixture, order->manifests));
    struct population *population = fixture_population(&fixture, &options);
    struct worker *worker = population_worker_create(population, &fixture.memory);
    const bool known = fill_order_find(worker, found);
    population_worker_free(worker);
    population_free(population);
    fixture_release(&fixture);
    return known;
}

#define SAME                                                            \
    {                                                                   \
        .least = room_of(500, 64 * MIB), .most = room_of(500, 80 * MIB) \
    }

/* A node has room for three pods. A pod that would be the third one goes to a node with at most one
 * instead. With two on both it may go to either. */
static void order_is_known_by_these_rules(void **state)
{
    (void)state;
    const struct order_case cases[] = {
        {"as it is", SPEC(SMALL, EVENTS("")) WEB("3", ""), SAME, true, 1, 3},
        {"two pods of a set are better off on a large node", SPEC(NODE, EVENTS("")) WEB("3", ""),
         SAME, false},
        {"pods request different amounts",
         SPEC(SMALL, EVENTS("")) WEB("3", ""),
         {.least = room_of(400, 64 * MIB), .most = room_of(500, 80 * MIB)},
         false},
        {"places run out as well",
         SPEC("cpu: 1500m, memory: 64Gi, pods: '3'", EVENTS("")) WEB("3", ""), SAME, true, 1, 3},
        {"places may run out before",
         SPEC("cpu: 1500m, memory: 64Gi, pods: '2'", EVENTS("")) WEB("3", ""), SAME, false},
        {"full nodes are better",
         SPEC(SMALL, EVENTS("") PROFILE("pluginConfig: [{name: NodeResourcesFit, args: "
                                        "{scoringStrategy: {type: MostAllocated}}}]")) WEB("3", ""),
         SAME, false},
        {"nobody spreads pods",
         SPEC(SMALL, EVENTS("") PROFILE(
                         "plugins: {score: {disabled: [{name: PodTopologySpread}]}}")) WEB("3", ""),
         SAME, false},
        {"pods look at pods",
         SPEC(SMALL, EVENTS(""))
             WEB("3", "      topologySpreadConstraints: [{maxSkew: 1, topologyKey: zone, "
                      "whenUnsatisfiable: ScheduleAnyway, labelSelector: {matchLabels: {app: "
                      "web}}}]\n"),
         SAME, false},
        {"replicas change",
         SPEC(SMALL, EVENTS(", {name: scale, workload: Deployment/default/web, to: [4]}"))
             WEB("3", ""),
         SAME, false},
        {"an autoscaler", SPEC(SMALL, EVENTS("")) WEB("2", "") AUTOSCALER("web"), SAME, false},
        {"pods that others delete",
         SPEC(SMALL, EVENTS(", {name: delete, object: Deployment/default/web}")) WEB("3", ""), SAME,
         false},
        {"a Job makes pods again",
         SPEC(SMALL, EVENTS(""))
             WEB("3", "") "---\napiVersion: batch/v1\nkind: Job\nmetadata: {name: j, namespace: "
                          "default}\nspec: {template: {spec: {restartPolicy: Never, containers: "
                          "[{name: c, image: x, resources: {requests: {cpu: 500m, memory: "
                          "64Mi}}}]}}}\n",
         SAME, false},
    };
    for (uint32_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        struct fill_order found;
        const bool known = find(&cases[i], &found);
        if (known != cases[i].known)
            fail_msg("%s: %d", cases[i].what, known);
        if (known && (found.avoided != cases[i].avoided || found.made != cases[i].made))
            fail_msg("%s: %u avoided, %u made", cases[i].what, found.avoided, found.made);
    }
}

/* ---- what it rules out ---- */

struct tie {
    uint32_t pods; /* of the others */
    uint32_t made; /* of all pods */
    uint32_t avoided;
    bool shown; /* true: the pods of the Deployment are among those of the others */
};

/* The most pods of the Deployment on a node of the first group; `order`: it is known. */
static uint32_t most_beside(const char *manifests, struct tie tie, bool known)
{
    struct fixture fixture;
    struct pods_held pods = {.request = room_of(500, 64 * MIB), .on_node = tie.pods};
    const struct fill_order order = {.least = room_of(500, 64 * MIB),
                                     .most = room_of(500, 64 * MIB),
                                     .made = tie.made,
                                     .avoided = tie.avoided};
    const struct others others = {.pods = &pods,
                                  .pod_kinds = 1,
                                  .own_kinds = 1,
                                  .shown = tie.shown,
                                  .order = known ? &order : NULL};
    struct population_options options = {.others = &others, .features = features_of_version(30)};
    uint32_t most[GROUPS * REVISIONS_MOST];
    bool images;
    for (uint32_t p = 0; p < ROOM_PLACES; p++)
        pods.most[p] = tie.pods;
    assert_true(fixture_load(&fixture, manifests));
    struct population *population = fixture_population(&fixture, &options);
    struct worker *worker = population_worker_create(population, &fixture.memory);
    gathering_find(worker, most, &images);
    population_worker_free(worker);
    population_free(population);
    fixture_release(&fixture);
    return most[0];
}

static uint32_t most_of_three(struct tie tie)
{
    return most_beside(SPEC(NODE, EVENTS("")) WEB("3", ""), tie, true);
}

/* Others with 30 pods fill five of six nodes exactly. All three pods of the set are on the sixth
 * then, as far as numbers go: with a pod more, with one that has left a node, or where a pod may
 * fill a node beside one with a pod, this may be so. */
static void an_exact_tie_is_ruled_out(void **state)
{
    (void)state;
    assert_int_equal(
        most_beside(SPEC(NODE, EVENTS("")) WEB("3", ""), (struct tie){30, 31, 1, false}, false), 4);
    assert_int_equal(most_of_three((struct tie){30, 31, 1, false}), 2);
    assert_int_equal(most_of_three((struct tie){31, 32, 1, false}), 3);
    assert_int_equal(most_of_three((struct tie){30, 32, 1, false}), 3);
    assert_int_equal(most_of_three((struct tie){30, 31, 0, false}), 3);
}

/* Is it ruled out that a pod is bound to a node with so many of its set, where others with 15 pods
 * fill the other five? Nodes have room for three. */
static bool is_ruled_out(const char *manifests, uint32_t here)
{
    struct fixture fixture;
    struct pods_held pods = {.request = room_of(500, 64 * MIB), .on_node = 15};
    const struct fill_order order = {
        .least = room_of(500, 64 * MIB), .most = room_of(500, 64 * MIB), .made = 16, .avoided = 2};
    const struct others others = {.pods = &pods, .pod_kinds = 1, .order = &order};
    struct population_options options = {.others = &others, .features = features_of_version(36)};
    for (uint32_t p = 0; p < ROOM_PLACES; p++)
        pods.most[p] = 15;
    assert_true(fixture_load(&fixture, manifests));
    struct population *population = fixture_population(&fixture, &options);
    struct worker *worker = population_worker_create(population, &fixture.memory);
    const struct state *initial = population->initial;
    assert_int_equal(initial->node_count, GROUPS);
    struct view_node nodes[] = {{initial->nodes[0].config, initial->nodes[0].count - 1},
                                initial->nodes[1],
                                {initial->nodes[0].config, 1}};
    for (uint32_t p = 0; p < here; p++)
        nodes[2].config = config_with_new_pod(worker, nodes[2].config, 0);
    const struct view view = {.catalog = worker->catalog, .nodes = nodes, .node_count = 3};
    const uint32_t class = population->revisions.items[0].pending_class;
    const struct beside most[] = {{1500, INT64_MAX / 4}, {1500, INT64_MAX / 4}};
    assert_non_null(scheduler_decide(worker->scheduler, &view, class, VIEW_NONE));
    const bool out = fill_order_rules_out(worker, &view, class, 2, (uint32_t[]){0, 1}, 2, most);
    population_worker_free(worker);
    population_free(population);
    fixture_release(&fixture);
    return out;
}

#define SMALL_WEB(replicas) SPEC(SMALL, EVENTS("")) WEB(replicas, "")

/* The second pod of two may be on the node of the first: that went there when it had none. Of four
 * pods one may have been elsewhere, and may terminate there. A fourth of three is never made. */
static void only_the_last_pod_is_ruled_out(void **state)
{
    (void)state;
    assert_true(is_ruled_out(SMALL_WEB("3"), 2));
    assert_false(is_ruled_out(SMALL_WEB("2"), 1));
    assert_false(is_ruled_out(SMALL_WEB("4"), 2));
    assert_true(is_ruled_out(SMALL_WEB("2"), 2));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(order_is_known_by_these_rules),
        cmocka_unit_test(an_exact_tie_is_ruled_out),
        cmocka_unit_test(only_the_last_pod_is_ruled_out),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
