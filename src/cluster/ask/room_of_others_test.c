/* SPDX-License-Identifier: Apache-2.0 */
/* Bounds worked out by hand: how much others need so that a pod finds no node. */
#include "cluster/ask/room_of_others.h"
#include "cluster/state/classes.h"
#include "cluster/state/config_facts.h"
#include "cluster/state/configs.h"
#include "cluster/state/population_model.h"
#include "cluster/state/state.h"
#include "cluster/state/worker.h"
#include "cluster/workloads_fixture.h"

#define WEB(requests) WORKLOAD("Deployment", "web", "app: web", requests, "")
#define INTENTS       "  intents: [{name: converges}]\n"
#define SMALL         "cpu: '1', memory: 1000Mi, pods: '5'"
#define LARGE         "cpu: '2', memory: 1000Mi, pods: '5'"

static const int64_t MIB = INT64_C(1024) * 1024;

struct room_test {
    struct fixture fixture;
    struct others others;
    struct pods_held pods[ROOM_MOST];
    struct room most; /* what the others have, in pods that request next to nothing */
    struct room lasting;
    struct population *population;
    struct worker *worker;
    struct state *state;
};

static void begin_at(struct room_test *test, const char *manifests, int version)
{
    static const char *const resources[] = {"example.org/gpu"};
    *test = (struct room_test){.others = {.resources = resources, .resource_count = 1}};
    const struct population_options options = {.features = features_of_version(version),
                                               .others = &test->others};
    assert_true(fixture_load(&test->fixture, manifests));
    test->population = fixture_population(&test->fixture, &options);
    test->worker = population_worker_create(test->population, &test->fixture.memory);
    test->state = state_copy(test->worker, test->population->initial);
}

static void begin(struct room_test *test, const char *manifests)
{
    begin_at(test, manifests, 26);
}

static void end(struct room_test *test)
{
    population_worker_free(test->worker);
    population_free(test->population);
    fixture_release(&test->fixture);
}

/* All nodes are listed. */
static struct view view_of(struct room_test *test)
{
    test->state->listed_count = test->state->node_count;
    return state_view(test->worker, test->state);
}

/* The others have as many pods as that, each of which requests the least of one resource. */
static void let_others_hold(struct room_test *test)
{
    test->others.pods = test->pods;
    test->others.pod_kinds = 0;
    for (uint32_t r = 0; r < ROOM_MOST; r++) {
        struct pods_held *pods = &test->pods[test->others.pod_kinds++];
        *pods = (struct pods_held){.on_node = UINT32_MAX};
        pods->request.amounts[r] = 1;
        for (uint32_t p = 0; p < ROOM_PLACES; p++) {
            pods->most[p] = (uint32_t)test->most.amounts[r];
            pods->lasting[p] = (uint32_t)test->lasting.amounts[r];
        }
    }
}

/* Whether a pod of web can be kept from these entries. */
static enum crowding crowding_of(struct room_test *test, const struct view *view,
                                 const uint32_t *entries, uint32_t count)
{
    let_others_hold(test);
    return others_crowd(test->worker, view, test->population->revisions.items[0].pending_class,
                        entries, count, NULL);
}

/* Whether a pod of web can be kept from all nodes. */
static enum crowding crowding(struct room_test *test)
{
    const struct view view = view_of(test);
    uint32_t entries[8];
    assert_true(view.node_count <= 8);
    for (uint32_t n = 0; n < view.node_count; n++)
        entries[n] = n;
    return crowding_of(test, &view, entries, view.node_count);
}

/* Others that have so much of the resource crowd the pod out, and those with one less do not. */
static void assert_bound(struct room_test *test, uint32_t resource, int64_t amount)
{
    test->most.amounts[resource] = amount - 1;
    assert_int_equal(crowding(test), CROWDING_NONE);
    test->most.amounts[resource] = amount;
    assert_int_equal(crowding(test), CROWDING_PASSING);
    test->lasting.amounts[resource] = amount - 1;
    assert_int_equal(crowding(test), CROWDING_PASSING);
    test->lasting.amounts[resource] = amount;
    assert_int_equal(crowding(test), CROWDING_LASTING);
    test->most.amounts[resource] = 0;
    test->lasting.amounts[resource] = 0;
}

static void put(struct room_test *test, uint32_t entry, enum pod_stage stage)
{
    const uint32_t class = class_at(test->population, 0, stage, 0);
    state_move_node(
        test->worker, test->state, entry,
        config_replace(test->worker, test->state->nodes[entry].config, VIEW_NONE, class));
}

static void each_resource_has_its_bound(void **state)
{
    struct room_test test;
    (void)state;
    begin(&test, CLUSTER(NODES("a", "2", "",
                               "cpu: '1', memory: 1000Mi, ephemeral-storage: 900Mi, pods: "
                               "'5', example.org/gpu: '4'"),
                         INTENTS) WEB("cpu: 600m, memory: 100Mi, ephemeral-storage: 300Mi, "
                                      "example.org/gpu: '3'"));
    assert_bound(&test, ROOM_CPU, INT64_C(2) * 401);
    assert_bound(&test, ROOM_MEMORY, 2 * (900 * MIB + 1));
    assert_bound(&test, ROOM_EPHEMERAL_STORAGE, 2 * (600 * MIB + 1));
    assert_bound(&test, ROOM_PODS, INT64_C(2) * 5);
    assert_bound(&test, ROOM_EXTENDED, INT64_C(2) * 2);
    end(&test);
}

static void what_nobody_requests_does_not_matter(void **state)
{
    struct room_test test;
    (void)state;
    begin_at(&test, CLUSTER(NODES("a", "2", "", SMALL), INTENTS) WEB("cpu: 600m"), 27);
    test.most.amounts[ROOM_MEMORY] = UINT32_MAX;
    test.lasting.amounts[ROOM_MEMORY] = UINT32_MAX;
    test.most.amounts[ROOM_EXTENDED] = 1000;
    assert_int_equal(crowding(&test), CROWDING_NONE);
    end(&test);
}

/* Where runs begin a node may be overcommitted. Until Kubernetes 1.27 a pod that requests anything
 * does not go there, whatever it is of which there is too little. */
static void overcommitted_nodes_are_full(void **state)
{
    static const struct {
        const char *manifests;
        int version;
        bool looks; /* at what it does not request */
    } cases[] = {
        {CLUSTER(NODES("a", "2", "", SMALL), INTENTS) WEB("cpu: 600m"), 26, true},
        {CLUSTER(NODES("a", "2", "", SMALL), INTENTS) WEB("cpu: 600m"), 28, false},
        {CLUSTER(NODES("a", "2", "", SMALL), INTENTS) WEB(""), 26, false},
    };
    (void)state;
    for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
        struct room_test test;
        begin_at(&test, cases[i].manifests, cases[i].version);
        test.most.amounts[ROOM_MEMORY] = UINT32_MAX;
        assert_int_equal(crowding(&test), CROWDING_NONE);
        test.fixture.scope.start = START_OBSERVED;
        assert_int_equal(crowding(&test), cases[i].looks ? CROWDING_PASSING : CROWDING_NONE);
        test.most.amounts[ROOM_MEMORY] = 0;
        if (cases[i].looks)
            assert_bound(&test, ROOM_MEMORY, 2 * (1000 * MIB + 1));
        end(&test);
    }
}

/* One node is full for want of CPU and the other one for want of memory. */
static void resources_fill_different_nodes(void **state)
{
    struct room_test test;
    (void)state;
    begin(&test, CLUSTER(NODES("a", "2", "", SMALL), INTENTS) WEB("cpu: 600m, memory: 100Mi"));
    test.most.amounts[ROOM_CPU] = 401;
    test.most.amounts[ROOM_MEMORY] = 900 * MIB;
    assert_int_equal(crowding(&test), CROWDING_NONE);
    test.most.amounts[ROOM_MEMORY]++;
    assert_int_equal(crowding(&test), CROWDING_PASSING);
    test.lasting = test.most;
    test.lasting.amounts[ROOM_CPU]--;
    assert_int_equal(crowding(&test), CROWDING_PASSING);
    end(&test);
}

/* The smaller nodes are filled first, whatever their order. */
static void nodes_of_different_sizes_are_filled_one_by_one(void **state)
{
    static const char *const manifests[] = {
        CLUSTER(NODES("a", "2", "", SMALL) NODES("b", "1", "", LARGE), INTENTS) WEB("cpu: 600m"),
        CLUSTER(NODES("a", "1", "", LARGE) NODES("b", "2", "", SMALL), INTENTS) WEB("cpu: 600m"),
    };
    (void)state;
    for (size_t i = 0; i < sizeof(manifests) / sizeof(*manifests); i++) {
        struct room_test test;
        begin(&test, manifests[i]);
        assert_bound(&test, ROOM_CPU, 401 + 401 + 1401);
        end(&test);
    }
}

/* Two small nodes are full for want of CPU, and the large one, which comes first, for want of
 * memory. */
static void the_cheapest_nodes_are_filled_first(void **state)
{
    struct room_test test;
    uint32_t entries[2];
    (void)state;
    begin(&test, CLUSTER(NODES("a", "2", "", SMALL) NODES("b", "1", "", LARGE), INTENTS)
                     WEB("cpu: 600m, memory: 100Mi"));
    const struct view view = view_of(&test);
    for (uint32_t n = 0; n < 2; n++)
        entries[view.nodes[n].count == 1 ? 0 : 1] = n;
    test.most.amounts[ROOM_MEMORY] = 900 * MIB + 1;
    test.most.amounts[ROOM_CPU] = 401 + 400;
    assert_int_equal(crowding_of(&test, &view, entries, 2), CROWDING_NONE);
    test.most.amounts[ROOM_CPU]++;
    assert_int_equal(crowding_of(&test, &view, entries, 2), CROWDING_PASSING);
    end(&test);
}

/* What the workload has there itself, others need not fill; a pod that terminates holds its room.
 */
static void own_pods_are_counted(void **state)
{
    static const enum pod_stage stages[] = {STAGE_STARTING, STAGE_READY, STAGE_TERMINATING};
    (void)state;
    for (size_t i = 0; i < sizeof(stages) / sizeof(*stages); i++) {
        struct room_test test;
        begin(&test, CLUSTER(NODES("a", "3", "", SMALL), INTENTS) WEB("cpu: 300m"));
        assert_bound(&test, ROOM_CPU, INT64_C(3) * 701);
        put(&test, 0, stages[i]);
        assert_bound(&test, ROOM_CPU, INT64_C(2) * 701 + 401);
        assert_bound(&test, ROOM_PODS, INT64_C(2) * 5 + 4);
        end(&test);
    }
}

/* Nodes on which the pod does not fit anyway are not among the entries; those that are cordoned
 * are not up. */
static void only_nodes_that_fit_and_are_up_count(void **state)
{
    struct room_test test;
    (void)state;
    begin(&test, CLUSTER(NODES("a", "2", "", SMALL) NODES("b", "1", "", LARGE),
                         "  events: [{name: maintenance, atMost: 1}]\n" INTENTS) WEB("cpu: 600m"));
    const struct view view = view_of(&test);
    uint32_t large = 0;
    while (config_at(test.worker, view.nodes[large].config)->template->allocatable.cpu_milli < 2000)
        large++;
    test.most.amounts[ROOM_CPU] = 1400;
    assert_int_equal(crowding_of(&test, &view, &large, 1), CROWDING_NONE);
    test.most.amounts[ROOM_CPU] = 1401;
    assert_int_equal(crowding_of(&test, &view, &large, 1), CROWDING_PASSING);
    state_move_node(test.worker, test.state, large,
                    config_with_condition(test.worker, view.nodes[large].config, NODE_CORDONED));
    assert_bound(&test, ROOM_CPU, 401 + 401);
    end(&test);
}

static void of_unknown_others_anything_may_be(void **state)
{
    struct room_test test;
    (void)state;
    begin(&test, CLUSTER(NODES("a", "2", "", SMALL), INTENTS) WEB("cpu: 600m"));
    test.others.unknown = true;
    assert_int_equal(crowding(&test), CROWDING_LASTING);
    end(&test);
}

/* ---- pods ---- */

/* The others have these pods alone. */
static enum crowding crowding_beside_all(struct room_test *test, struct pods_held *pods,
                                         uint32_t kinds)
{
    const struct view view = view_of(test);
    uint32_t entries[8];
    for (uint32_t n = 0; n < view.node_count; n++)
        entries[n] = n;
    test->others.pods = pods;
    test->others.pod_kinds = kinds;
    const enum crowding crowding =
        others_crowd(test->worker, &view, test->population->revisions.items[0].pending_class,
                     entries, view.node_count, NULL);
    test->others.pods = test->pods; /* those that were given may be gone soon */
    test->others.pod_kinds = 0;
    return crowding;
}

static enum crowding crowding_beside(struct room_test *test, struct pods_held pods)
{
    return crowding_beside_all(test, &pods, 1);
}

static struct pods_held pods_of(uint32_t count, int64_t cpu)
{
    struct pods_held pods = {.request.amounts = {[ROOM_CPU] = cpu, [ROOM_PODS] = 1},
                             .on_node = count};
    for (uint32_t p = 0; p < ROOM_PLACES; p++)
        pods.most[p] = count;
    return pods;
}

/* So many of the pods can be there for ever, at any place. */
static struct pods_held lasting_of(struct pods_held pods, uint32_t count)
{
    for (uint32_t p = 0; p < ROOM_PLACES; p++)
        pods.lasting[p] = count;
    return pods;
}

/* It takes two pods of 500m to keep a third from a node of one CPU. */
/* A node of each size is left out by one pod of 140m and 140Mi, and by two. Two such pods are one
 * too few, though each of them could fill the small node by CPU while the other does so by memory.
 */
static void a_pod_is_on_one_node(void **state)
{
    struct room_test test;
    (void)state;
    begin(&test, CLUSTER(NODES("a", "1", "", "cpu: 199m, memory: 199Mi, pods: '9'")
                             NODES("b", "1", "", "cpu: 299m, memory: 299Mi, pods: '9'"),
                         INTENTS) WEB("cpu: 100m, memory: 100Mi"));
    struct pods_held pods = pods_of(2, 140);
    pods.request.amounts[ROOM_MEMORY] = 140 * MIB;
    assert_int_equal(crowding_beside(&test, pods), CROWDING_NONE);
    for (uint32_t p = 0; p < ROOM_PLACES; p++)
        pods.most[p] = 3;
    assert_int_equal(crowding_beside(&test, pods), CROWDING_PASSING);
    end(&test);
}

static void nodes_are_filled_with_whole_pods(void **state)
{
    struct room_test test;
    (void)state;
    begin(&test, CLUSTER(NODES("a", "3", "", SMALL), INTENTS) WEB("cpu: 500m"));
    assert_int_equal(crowding_beside(&test, pods_of(5, 500)), CROWDING_NONE);
    assert_int_equal(crowding_beside(&test, pods_of(6, 500)), CROWDING_PASSING);
    assert_int_equal(crowding_beside(&test, lasting_of(pods_of(6, 500), 5)), CROWDING_PASSING);
    assert_int_equal(crowding_beside(&test, lasting_of(pods_of(6, 500), 6)), CROWDING_LASTING);
    end(&test);
}

/* There are as many of them as nodes, but only one on each. */
static void daemons_are_on_every_node(void **state)
{
    struct room_test test;
    (void)state;
    begin(&test, CLUSTER(NODES("a", "3", "", SMALL), INTENTS) WEB("cpu: 500m"));
    struct pods_held daemons = pods_of(6, 400);
    assert_int_equal(crowding_beside(&test, daemons), CROWDING_PASSING);
    daemons.on_node = 1;
    assert_int_equal(crowding_beside(&test, daemons), CROWDING_NONE);
    daemons.on_node = 2;
    assert_int_equal(crowding_beside(&test, daemons), CROWDING_PASSING);
    end(&test);
}

/* Beside a small one on every node there is no room for the halves of three pairs. */
static void some_pods_are_on_every_node_and_some_are_not(void **state)
{
    struct room_test test;
    struct pods_held pods[] = {pods_of(3, 100), pods_of(5, 400)};
    (void)state;
    begin(&test, CLUSTER(NODES("a", "3", "", SMALL), INTENTS) WEB("cpu: 500m"));
    assert_int_equal(crowding_beside_all(&test, pods, 2), CROWDING_PASSING);
    pods[0].on_node = 1;
    assert_int_equal(crowding_beside_all(&test, pods, 2), CROWDING_NONE);
    end(&test);
}

/* Of the pods of which two can be on one node only one can be in the group. */
static void no_more_pods_are_on_every_node_than_at_its_place(void **state)
{
    struct room_test test;
    struct pods_held pods[] = {pods_of(6, 100), pods_of(3, 100), pods_of(3, 300)};
    (void)state;
    begin(&test,
          CLUSTER(NODES("a", "1", "", SMALL) NODES("b", "2", "", SMALL), INTENTS) WEB("cpu: 500m"));
    pods[0].on_node = 2;
    pods[0].most[room_place(1)] = 1;
    pods[1].on_node = 1;
    pods[1].most[room_place(1)] = 2;
    assert_int_equal(crowding_beside_all(&test, pods, 3), CROWDING_NONE);
    pods[0].most[room_place(1)] = 2;
    assert_int_equal(crowding_beside_all(&test, pods, 3), CROWDING_PASSING);
    end(&test);
}

/* The others have pods enough for all nodes, but not in one group. */
static void places_have_pods_of_their_own(void **state)
{
    struct room_test test;
    (void)state;
    begin(&test,
          CLUSTER(NODES("a", "2", "", SMALL) NODES("b", "2", "", SMALL), INTENTS) WEB("cpu: 500m"));
    struct pods_held pods = pods_of(8, 500);
    /* Those that are at one place are not at the other. */
    assert_int_equal(crowding_beside(&test, pods_of(7, 500)), CROWDING_NONE);
    assert_int_equal(crowding_beside(&test, pods), CROWDING_PASSING);
    pods.most[room_place(1)] = 3;
    assert_int_equal(crowding_beside(&test, pods), CROWDING_NONE);
    pods.most[room_place(1)] = 4;
    assert_int_equal(crowding_beside(&test, pods), CROWDING_PASSING);
    end(&test);
}

#define SMALL_BUT_FOR_PODS "cpu: '1', memory: 1000Mi, pods: '110'"
#define LARGE_BUT_FOR_PODS "cpu: '2', memory: 1000Mi, pods: '110'"

/* To keep a pod of 500m from these nodes takes four pods for the large one, and two for each of the
 * small ones: whole pods, whatever the sizes of the nodes are. */
static void nodes_of_different_sizes_are_filled_with_whole_pods(void **state)
{
    struct room_test test;
    (void)state;
    begin(&test,
          CLUSTER(NODES("a", "2", "", SMALL_BUT_FOR_PODS) NODES("b", "1", "", LARGE_BUT_FOR_PODS),
                  INTENTS) WEB("cpu: 500m"));
    assert_int_equal(crowding_beside(&test, pods_of(7, 500)), CROWDING_NONE);
    assert_int_equal(crowding_beside(&test, pods_of(8, 500)), CROWDING_PASSING);
    /* Pods of 300m and 200m hold multiples of 100m: 600m, 600m and 1600m fill them. */
    struct pods_held pods[] = {pods_of(1, 200), pods_of(8, 300)};
    assert_int_equal(crowding_beside_all(&test, pods, 2), CROWDING_NONE);
    pods[0] = pods_of(2, 200);
    assert_int_equal(crowding_beside_all(&test, pods, 2), CROWDING_PASSING);
    end(&test);
}

/* Nodes of one group differ in what the workload has there. The others need five pods to fill them,
 * and have as many, but not in this group. */
static void nodes_of_a_place_are_filled_by_pods_there(void **state)
{
    struct room_test test;
    (void)state;
    begin(&test, CLUSTER(NODES("a", "3", "", SMALL_BUT_FOR_PODS), INTENTS) WEB("cpu: 500m"));
    put(&test, 0, STAGE_READY);
    struct pods_held pods = pods_of(5, 500);
    assert_int_equal(crowding_beside(&test, pods), CROWDING_PASSING);
    pods.most[room_place(0)] = 4;
    assert_int_equal(crowding_beside(&test, pods), CROWDING_NONE);
    end(&test);
}

/* Pods that terminate on a node that has come back fill this node, and no other one. */
static void nodes_that_come_back_are_full(void **state)
{
    struct room_test test;
    (void)state;
    begin(&test, CLUSTER(NODES("a", "3", "", SMALL), INTENTS) WEB("cpu: 500m"));
    test.others.nodes_back = 1;
    assert_int_equal(crowding_beside(&test, pods_of(3, 500)), CROWDING_NONE);
    assert_int_equal(crowding_beside(&test, pods_of(4, 500)), CROWDING_PASSING);
    assert_int_equal(crowding_beside(&test, pods_of(2, 600)), CROWDING_PASSING);
    /* They do not terminate for ever. */
    assert_int_equal(crowding_beside(&test, lasting_of(pods_of(4, 500), 4)), CROWDING_PASSING);
    assert_int_equal(crowding_beside(&test, lasting_of(pods_of(6, 500), 6)), CROWDING_LASTING);
    end(&test);
}

/* By amount alone it is known that the large node is not filled, too. */
static void nodes_that_come_back_are_not_full_for_ever(void **state)
{
    struct room_test test;
    (void)state;
    begin(&test,
          CLUSTER(NODES("a", "2", "", SMALL) NODES("b", "1", "", LARGE), INTENTS) WEB("cpu: 600m"));
    test.most.amounts[ROOM_CPU] = 401 + 401 + 1400;
    test.lasting.amounts[ROOM_CPU] = 401 + 401 + 1400;
    assert_int_equal(crowding(&test), CROWDING_NONE);
    test.others.nodes_back = 1;
    assert_int_equal(crowding(&test), CROWDING_PASSING);
    end(&test);
}

/* What is asked of components that are alike but for requests is asked of each, with its own
 * requests and others. */
static void who_is_crowded_out_with_one_request_is_crowded_out(void **state)
{
    struct room_test test;
    struct pods_held pods = pods_of(3, 150);
    struct room requests = {.amounts = {[ROOM_CPU] = 900, [ROOM_PODS] = 1}};
    struct others siblings[2];
    (void)state;
    begin(&test, CLUSTER(NODES("a", "3", "", SMALL), INTENTS) WEB("cpu: 500m"));
    for (uint32_t i = 0; i < 2; i++) {
        siblings[i] = test.others;
        siblings[i].pods = &pods;
        siblings[i].pod_kinds = 1;
    }
    test.others.siblings = siblings;
    test.others.sibling_count = 2;
    assert_int_equal(crowding_beside_all(&test, NULL, 0), CROWDING_NONE);
    assert_false(test.worker->findings.siblings_differ);
    siblings[1].requests = &requests;
    assert_int_equal(crowding_beside_all(&test, NULL, 0), CROWDING_PASSING);
    siblings[1].requests = NULL;
    siblings[0].requests = &requests;
    assert_int_equal(crowding_beside_all(&test, NULL, 0), CROWDING_PASSING);
    assert_true(test.worker->findings.siblings_differ);
    end(&test);
}

/* In the pool an answer is given again for the same pod and as many nodes of the same kinds, and
 * for no others. */
static void answers_are_remembered_in_the_pool(void **state)
{
    struct room_test test;
    (void)state;
    begin(&test, CLUSTER(NODES("a", "3", "", SMALL) NODES("b", "2", "", LARGE), INTENTS)
                     WEB("cpu: 500m") WORKLOAD("Deployment", "api", "app: api", "cpu: '1'", ""));
    test.population->pools = true;
    const struct view view = view_of(&test);
    const uint32_t small = view.nodes[0].count == 3 ? 0 : 1;
    const uint32_t large = 1 - small;
    const uint32_t api = test.population->revisions.items[1].pending_class;
    test.most.amounts[ROOM_CPU] = INT64_C(2) * 501;
    assert_int_equal(crowding_of(&test, &view, &small, 1), CROWDING_NONE);
    assert_int_equal(crowding_of(&test, &view, &large, 1), CROWDING_NONE);
    assert_int_equal(others_crowd(test.worker, &view, api, &small, 1, NULL), CROWDING_PASSING);
    test.state->nodes[small].count = 2;
    const struct view fewer = view_of(&test);
    assert_int_equal(crowding_of(&test, &fewer, &small, 1), CROWDING_PASSING);
    assert_int_equal(crowding_of(&test, &fewer, &large, 1), CROWDING_NONE);
    /* What others hold is the same in all states of a model. */
    test.most.amounts[ROOM_CPU] = 0;
    assert_int_equal(crowding_of(&test, &fewer, &small, 1), CROWDING_PASSING);
    end(&test);
}

#define IN_ZONE(name, count, zone) \
    NODES(name, count, "metadata: {labels: {topology.kubernetes.io/zone: " zone "}}, ", SMALL)

/* Where a zone fails and comes back, its nodes are full, and no others. A node of no zone may be
 * one of them, because its label may be one that is not read. */
static void zones_that_come_back_are_full(void **state)
{
    struct room_test test;
    (void)state;
    begin(&test,
          CLUSTER(IN_ZONE("a", "1", "a") IN_ZONE("b", "2", "b") NODES("c", "1", "", SMALL),
                  "  events: [{name: zoneOutage, recovers: true}]\n" INTENTS) WEB("cpu: 500m"));
    test.others.nodes_back = 10;
    assert_int_equal(crowding_beside(&test, pods_of(1, 500)), CROWDING_PASSING);
    test.others.zones_back = (struct zones_back){"topology.kubernetes.io/zone", 1, 0};
    assert_int_equal(crowding_beside(&test, pods_of(1, 500)), CROWDING_NONE);
    assert_int_equal(crowding_beside(&test, pods_of(2, 500)), CROWDING_PASSING);
    test.others.zones_back.nodes = 1;
    assert_int_equal(crowding_beside(&test, pods_of(1, 500)), CROWDING_PASSING);
    test.others.zones_back = (struct zones_back){"topology.kubernetes.io/zone", 2, 0};
    assert_int_equal(crowding_beside(&test, pods_of(1, 500)), CROWDING_PASSING);
    test.others.zones_back.zones = 1;
    test.others.nodes_back = 2;
    assert_int_equal(crowding_beside(&test, pods_of(2, 500)), CROWDING_NONE);
    end(&test);
}

/* Pods that are where they were at the start leave less to fill, or nothing. */
static void pods_that_stay_hold_their_room(void **state)
{
    struct room_test test;
    struct room staying[1] = {{{0}}};
    (void)state;
    begin(&test, CLUSTER(NODES("a", "2", "", SMALL), INTENTS) WEB("cpu: 600m"));
    test.others.staying = staying;
    test.others.group_count = 1;
    staying[0].amounts[ROOM_CPU] = 300;
    assert_bound(&test, ROOM_CPU, INT64_C(2) * 101);
    staying[0].amounts[ROOM_CPU] = 400;
    assert_bound(&test, ROOM_CPU, INT64_C(2) * 1);
    staying[0].amounts[ROOM_CPU] = 401;
    assert_int_equal(crowding(&test), CROWDING_LASTING);
    end(&test);
}

/* Of a group with nodes of several groups the fullest counts. */
static void the_fullest_of_mixed_groups_counts(void **state)
{
    struct room_test test;
    struct room staying[2] = {{{0}}, {{0}}};
    (void)state;
    begin(&test, CLUSTER(NODES("a", "2", "", SMALL), INTENTS) WEB("cpu: 600m"));
    test.others.staying = staying;
    test.others.group_count = 2;
    staying[1].amounts[ROOM_CPU] = 401;
    assert_bound(&test, ROOM_CPU, INT64_C(2) * 401);
    test.fixture.scope.groups[0].mixed = 1 << 0 | 1 << 1;
    assert_int_equal(crowding(&test), CROWDING_LASTING);
    end(&test);
}

/* Nobody knows at which of its places a node of such a group is. */
static void mixed_groups_are_at_several_places(void **state)
{
    struct room_test test;
    (void)state;
    begin(&test,
          CLUSTER(NODES("a", "2", "", SMALL) NODES("b", "2", "", SMALL), INTENTS) WEB("cpu: 500m"));
    struct pods_held pods = pods_of(8, 500);
    pods.most[room_place(1)] = 3;
    assert_int_equal(crowding_beside(&test, pods), CROWDING_NONE);
    test.fixture.scope.groups[1].mixed = 1 << 0 | 1 << 1;
    assert_int_equal(crowding_beside(&test, pods), CROWDING_PASSING);
    pods.most[room_place(0)] = 4;
    assert_int_equal(crowding_beside(&test, pods), CROWDING_NONE);
    pods.most[room_place(0)] = 5;
    assert_int_equal(crowding_beside(&test, pods), CROWDING_PASSING);
    end(&test);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_resource_has_its_bound),
        cmocka_unit_test(what_nobody_requests_does_not_matter),
        cmocka_unit_test(overcommitted_nodes_are_full),
        cmocka_unit_test(resources_fill_different_nodes),
        cmocka_unit_test(nodes_of_different_sizes_are_filled_one_by_one),
        cmocka_unit_test(the_cheapest_nodes_are_filled_first),
        cmocka_unit_test(own_pods_are_counted),
        cmocka_unit_test(only_nodes_that_fit_and_are_up_count),
        cmocka_unit_test(of_unknown_others_anything_may_be),
        cmocka_unit_test(a_pod_is_on_one_node),
        cmocka_unit_test(nodes_are_filled_with_whole_pods),
        cmocka_unit_test(daemons_are_on_every_node),
        cmocka_unit_test(some_pods_are_on_every_node_and_some_are_not),
        cmocka_unit_test(no_more_pods_are_on_every_node_than_at_its_place),
        cmocka_unit_test(places_have_pods_of_their_own),
        cmocka_unit_test(nodes_of_different_sizes_are_filled_with_whole_pods),
        cmocka_unit_test(nodes_of_a_place_are_filled_by_pods_there),
        cmocka_unit_test(nodes_that_come_back_are_full),
        cmocka_unit_test(zones_that_come_back_are_full),
        cmocka_unit_test(nodes_that_come_back_are_not_full_for_ever),
        cmocka_unit_test(who_is_crowded_out_with_one_request_is_crowded_out),
        cmocka_unit_test(answers_are_remembered_in_the_pool),
        cmocka_unit_test(pods_that_stay_hold_their_room),
        cmocka_unit_test(the_fullest_of_mixed_groups_counts),
        cmocka_unit_test(mixed_groups_are_at_several_places),
    };
    return cmocka_run_group_tests_name("room_of_others", tests, NULL, NULL);
}
