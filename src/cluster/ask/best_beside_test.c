/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Which nodes may be the best beside others: bounds worked out by hand, and random clusters in
 * which others are put on nodes, as many as they have. Wherever the scheduler places the pod then,
 * that must have been thought possible.
 */
#include "cluster/ask/best_beside.h"
#include "cluster/ask/room_held.h"
#include "cluster/state/classes.h"
#include "cluster/state/configs.h"
#include "cluster/state/population_model.h"
#include "cluster/state/state.h"
#include "cluster/state/worker.h"
#include "cluster/state/workloads.h"
#include "cluster/workloads_fixture.h"
#include "decide/scheduler/scheduler.h"

#include <stdlib.h>

#define INTENTS            "  intents: [{name: converges}]\n"
#define WEB(requests, pod) WORKLOAD("Deployment", "web", "app: web", requests, pod)
#define APART                                                                              \
    "      topologySpreadConstraints: [{maxSkew: 1, topologyKey: kubernetes.io/hostname, " \
    "whenUnsatisfiable: ScheduleAnyway, labelSelector: {matchLabels: {app: web}}}]\n"
#define PROFILE(text)                                                         \
    "  controllers: {scheduler: {configuration: {profiles: [{schedulerName: " \
    "default-scheduler, " text "}]}}}\n"
#define ONLY_ROOM \
    PROFILE("plugins: {score: {disabled: [{name: '*'}], enabled: [{name: NodeResourcesFit}]}}")

#define MIB (INT64_C(1) << 20)
#define GIB (INT64_C(1) << 30)

enum { KINDS = 3, NODES_MOST = 8 };

struct best_test {
    struct fixture fixture;
    struct others others;
    struct pods_held pods[KINDS];
    struct population *population;
    struct worker *worker;
    uint32_t revisions[1 + KINDS]; /* of web, and of the others */
    uint32_t node_count;
    uint32_t nodes[NODES_MOST]; /* the config of each */
};

static void begin_with(struct best_test *test, const char *manifests,
                       struct population_options options)
{
    *test = (struct best_test){0};
    test->others.pods = test->pods;
    options.others = &test->others;
    assert_true(fixture_load(&test->fixture, manifests));
    test->population = fixture_population(&test->fixture, &options);
    test->worker = population_worker_create(test->population, &test->fixture.memory);
    uint32_t others = 0;
    for (uint32_t r = 0; r < test->population->revisions.count; r++) {
        const struct revision *revision = &test->population->revisions.items[r];
        const bool web = strcmp(labels_find(&revision->pod->meta.labels, "app"), "web") == 0;
        test->revisions[web ? 0 : ++others] = r;
    }
    const struct state *state = test->population->initial;
    for (uint32_t n = 0; n < state->node_count; n++)
        for (uint32_t i = 0; i < state->nodes[n].count; i++)
            test->nodes[test->node_count++] = state->nodes[n].config;
}

static void begin(struct best_test *test, const char *manifests)
{
    begin_with(test, manifests, (struct population_options){.features = features_of_version(26)});
}

static void end(struct best_test *test)
{
    population_worker_free(test->worker);
    population_free(test->population);
    fixture_release(&test->fixture);
}

static uint32_t web_class(const struct best_test *test)
{
    return test->population->revisions.items[test->revisions[0]].pending_class;
}

/* Puts a pod on the node that has this config: of web (0), or of the others. */
static uint32_t with_pod(struct best_test *test, uint32_t config, uint32_t revision)
{
    return config_replace(test->worker, config, VIEW_NONE,
                          class_at(test->population, test->revisions[revision], STAGE_READY, 0));
}

/* The view of these nodes; those that are alike are one entry. `entry_of`: the entry of each. */
static struct view view_of(const struct best_test *test, const uint32_t *nodes,
                           struct view_node *entries, uint32_t *entry_of)
{
    struct view view = {.catalog = test->worker->catalog, .nodes = entries};
    for (uint32_t n = 0; n < test->node_count; n++) {
        uint32_t entry = 0;
        while (entry < view.node_count && entries[entry].config != nodes[n])
            entry++;
        if (entry == view.node_count)
            entries[view.node_count++] = (struct view_node){nodes[n], 0};
        entries[entry].count++;
        entry_of[n] = entry;
    }
    return view;
}

/* Finds for each node whether a pod of web may be placed there. */
static void find_possible(struct best_test *test, bool *possible)
{
    struct view_node entries[NODES_MOST];
    uint32_t entry_of[NODES_MOST];
    const struct view view = view_of(test, test->nodes, entries, entry_of);
    const uint32_t class = web_class(test);
    const struct decision *decision =
        scheduler_decide(test->worker->scheduler, &view, class, VIEW_NONE);
    bool images;
    uint32_t count;
    for (uint32_t n = 0; n < test->node_count; n++)
        possible[n] = false;
    if (decision->best_count == 0)
        return;
    const uint32_t *best = best_beside(test->worker, &view, class, decision, &count, &images);
    assert_true(count > 0);
    for (uint32_t n = 0; n < test->node_count; n++)
        for (uint32_t b = 0; b < count; b++)
            possible[n] |= best[b] == entry_of[n];
}

static bool is_possible(struct best_test *test, uint32_t node)
{
    bool possible[NODES_MOST];
    find_possible(test, possible);
    return possible[node];
}

/* The others have so many pods of one kind. */
static void let_others_have(struct best_test *test, uint32_t count, int64_t cpu, int64_t memory)
{
    struct pods_held *pods = &test->pods[0];
    *pods = (struct pods_held){.on_node = count};
    pods->request.amounts[ROOM_CPU] = pods->request.amounts[ROOM_SCORED_CPU] = cpu;
    pods->request.amounts[ROOM_MEMORY] = pods->request.amounts[ROOM_SCORED_MEMORY] = memory;
    pods->request.amounts[ROOM_PODS] = 1;
    for (uint32_t p = 0; p < ROOM_PLACES; p++)
        pods->most[p] = count;
    test->others.pod_kinds = 1;
}

/* ---- by hand ---- */

/* A node with a pod of web gets 200 points less than one without, and at most 98 and 50 more for
 * its room. The others have to fill the nodes without. */
static void others_have_to_fill_the_better_nodes(void **state)
{
    struct best_test test;
    (void)state;
    begin(&test, CLUSTER(NODES("a", "3", "", "cpu: '1', memory: 1000Mi, pods: '5'"), INTENTS)
                     WEB("cpu: 300m", APART));
    test.nodes[0] = with_pod(&test, test.nodes[0], 0);
    let_others_have(&test, 1, 701, 0);
    assert_false(is_possible(&test, 0));
    assert_true(is_possible(&test, 1));
    let_others_have(&test, 2, 700, 0);
    assert_false(is_possible(&test, 0));
    let_others_have(&test, 2, 701, 0);
    assert_true(is_possible(&test, 0));
    /* One node has come back with pods that terminate. */
    let_others_have(&test, 1, 701, 0);
    test.others.nodes_back = 1;
    assert_true(is_possible(&test, 0));
    end(&test);
}

/* Of unknown others anything may be, and in the pool nobody knows where pods are. */
static void nothing_is_known(void **state)
{
    struct best_test test;
    (void)state;
    begin(&test, CLUSTER(NODES("a", "3", "", ROOMY), INTENTS) WEB("cpu: 300m", APART));
    test.nodes[0] = with_pod(&test, test.nodes[0], 0);
    assert_false(is_possible(&test, 0));
    test.others.unknown = true;
    assert_true(is_possible(&test, 0));
    test.others.unknown = false;
    test.population->pools = true;
    assert_true(is_possible(&test, 0));
    end(&test);
}

/* Groups of nodes may be taken together that scores tell apart. */
static void groups_are_taken_together(void **state)
{
    struct best_test test;
    (void)state;
    begin(&test, CLUSTER(NODES("a", "3", "", ROOMY), INTENTS) WEB("cpu: 300m", APART));
    test.nodes[0] = with_pod(&test, test.nodes[0], 0);
    ((struct setup_group *)test.population->scope->groups)[0].mixed = 3;
    assert_true(is_possible(&test, 0));
    end(&test);
}

#define EVEN_NODES(count) \
    CLUSTER(NODES("a", count, "", "cpu: 3200m, memory: 3200Mi, pods: '5'"), INTENTS ONLY_ROOM)
#define EVEN_PODS WEB("cpu: 320m, memory: 320Mi", "")

/* The node with a pod gets 80 points for its room. The other ones get 90, or 83 if others hold 200m
 * and 200 MiB there, and 80 if they hold a step more, of either. */
static void others_lower_the_score_of_better_nodes(void **state)
{
    struct best_test test;
    (void)state;
    begin(&test, EVEN_NODES("3") EVEN_PODS);
    test.nodes[0] = with_pod(&test, test.nodes[0], 0);
    let_others_have(&test, 2, 200, 200 * MIB);
    assert_false(is_possible(&test, 0));
    let_others_have(&test, 2, 201, 200 * MIB);
    assert_true(is_possible(&test, 0));
    let_others_have(&test, 2, 200, 200 * MIB + 1);
    assert_true(is_possible(&test, 0));
    let_others_have(&test, 4, 200, 200 * MIB);
    assert_true(is_possible(&test, 0));
    /* Some of it may be there from the start. */
    struct room staying[] = {{.amounts = {[ROOM_SCORED_CPU] = 100}}};
    test.others.staying = staying;
    test.others.group_count = 1;
    let_others_have(&test, 2, 100, 200 * MIB);
    assert_false(is_possible(&test, 0));
    let_others_have(&test, 2, 101, 200 * MIB);
    assert_true(is_possible(&test, 0));
    end(&test);
}

/* The better node gets 81 points if others hold 352m and 200 MiB there, and 80 if they hold more,
 * of either. More than all they have they hold nowhere. */
static void others_hold_no_more_than_they_have(void **state)
{
    struct best_test test;
    (void)state;
    begin(&test, EVEN_NODES("2") EVEN_PODS);
    test.nodes[0] = with_pod(&test, test.nodes[0], 0);
    let_others_have(&test, 1, 352, 200 * MIB);
    assert_false(is_possible(&test, 0));
    let_others_have(&test, 1, 353, 200 * MIB);
    assert_true(is_possible(&test, 0));
    let_others_have(&test, 1, 200, 352 * MIB);
    assert_false(is_possible(&test, 0));
    let_others_have(&test, 1, 200, 352 * MIB + 1);
    assert_true(is_possible(&test, 0));
    struct room staying[] = {{.amounts = {[ROOM_SCORED_CPU] = 100}}};
    test.others.staying = staying;
    test.others.group_count = 1;
    let_others_have(&test, 1, 252, 200 * MIB);
    assert_false(is_possible(&test, 0));
    let_others_have(&test, 1, 253, 200 * MIB);
    assert_true(is_possible(&test, 0));
    end(&test);
}

/* What scores count for a container without requests is held as well. */
static void pods_without_requests_count_in_scores(void **state)
{
    struct best_test test;
    (void)state;
    begin(&test, CLUSTER(NODES("a", "1", "", ROOMY), INTENTS) WEB("", ""));
    const uint32_t class = web_class(&test);
    assert_int_equal(room_request(test.worker, class, ROOM_CPU), 0);
    assert_int_equal(room_request(test.worker, class, ROOM_SCORED_CPU), 100);
    assert_int_equal(room_request(test.worker, class, ROOM_SCORED_MEMORY), 200 * 1024 * 1024);
    end(&test);
}

/* So many entries may be the best; `images`: could images decide? */
static uint32_t count_possible(struct best_test *test, bool *images)
{
    struct view_node entries[NODES_MOST];
    uint32_t entry_of[NODES_MOST];
    uint32_t count;
    const struct view view = view_of(test, test->nodes, entries, entry_of);
    const struct decision *decision =
        scheduler_decide(test->worker->scheduler, &view, web_class(test), VIEW_NONE);
    best_beside(test->worker, &view, web_class(test), decision, &count, images);
    return count;
}

/* Where images that nodes have not reported could make a difference, that is said. */
static void images_are_an_assumption(void **state)
{
    struct best_test test;
    bool images;
    (void)state;
    begin(&test, CLUSTER(NODES("a", "3", "", ROOMY), INTENTS) WEB("cpu: 300m", APART));
    test.nodes[0] = with_pod(&test, test.nodes[0], 0);
    let_others_have(&test, 2, 100, 0); /* hardly changes anything */
    assert_int_equal(count_possible(&test, &images), 1);
    assert_false(images);
    let_others_have(&test, 2, 3000, 12 * GIB);
    assert_int_equal(count_possible(&test, &images), 1);
    assert_true(images);
    end(&test);
}

/* Others may pull the same images to any node. */
static void images_are_pulled(void **state)
{
    struct best_test test;
    bool images;
    (void)state;
    begin_with(
        &test, CLUSTER(NODES("a", "3", "", ROOMY), INTENTS) WEB("cpu: 300m", APART),
        (struct population_options){.features = features_of_version(26), .images_pulled = true});
    test.nodes[0] = with_pod(&test, test.nodes[0], 0);
    let_others_have(&test, 2, 100, 0);
    assert_int_equal(count_possible(&test, &images), 1);
    let_others_have(&test, 2, 3000, 12 * GIB);
    assert_int_equal(count_possible(&test, &images), 2);
    assert_false(images);
    end(&test);
}

/* ---- at random ---- */

struct random_test {
    uint64_t seed;
    uint32_t clusters;
    uint32_t narrowed; /* clusters in which not every node may be the best */
    uint32_t decisions;
};

static uint32_t below(struct random_test *random, uint32_t most)
{
    random->seed = random->seed * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (uint32_t)(random->seed >> 33) % most;
}

#define PICK(random, items) ((items)[below((random), sizeof(items) / sizeof((items)[0]))])

#define ZONE(name) "metadata: {labels: {topology.kubernetes.io/zone: " name "}}, "
#define SOFT(key, skew)                                                             \
    "{maxSkew: " skew ", topologyKey: " key ", whenUnsatisfiable: ScheduleAnyway, " \
    "labelSelector: {matchLabels: {app: web}}}"
#define SHUNS(key)                                                                              \
    "      affinity: {podAntiAffinity: {preferredDuringSchedulingIgnoredDuringExecution: "      \
    "[{weight: 50, podAffinityTerm: {topologyKey: " key ", labelSelector: {matchLabels: {app: " \
    "web}}}}]}}\n"
#define HOST     "kubernetes.io/hostname"
#define ZONE_KEY "topology.kubernetes.io/zone"

static const char *random_manifests(struct random_test *random, struct arena *arena)
{
    static const char *const sizes[] = {"cpu: '1', memory: 2Gi, pods: '5'",
                                        "cpu: '2', memory: 2Gi, pods: '9'",
                                        "cpu: '4', memory: 4Gi, pods: '110'"};
    static const char *const taints[] = {
        "", "", "", "spec: {taints: [{key: a, value: b, effect: PreferNoSchedule}]}, "};
    static const char *const requests[] = {"",
                                           "cpu: 100m",
                                           "cpu: 300m, memory: 300Mi",
                                           "memory: 700Mi",
                                           "cpu: 900m, memory: 100Mi",
                                           "cpu: 1500m"};
    static const char *const pods[] = {
        "",
        "",
        APART,
        "      topologySpreadConstraints: [" SOFT(ZONE_KEY, "1") "]\n",
        "      topologySpreadConstraints: [" SOFT(HOST, "1") ", " SOFT(ZONE_KEY, "1") "]\n",
        "      topologySpreadConstraints: [" SOFT(HOST, "3") "]\n",
        SHUNS(HOST),
        SHUNS(ZONE_KEY),
    };
    static const char *const profiles[] = {
        "",
        "",
        "",
        ONLY_ROOM,
        PROFILE("pluginConfig: [{name: NodeResourcesFit, args: {scoringStrategy: {type: "
                "MostAllocated}}}]"),
        PROFILE("plugins: {score: {disabled: [{name: NodeResourcesBalancedAllocation}, {name: "
                "PodTopologySpread}], enabled: [{name: PodTopologySpread, weight: 1}]}}"),
        PROFILE("plugins: {score: {disabled: [{name: PodTopologySpread}], enabled: [{name: "
                "PodTopologySpread, weight: 9}]}}"),
    };
    return arena_printf(arena,
                        CLUSTER("  - {name: a, count: %u, node: {" ZONE(
                                    "a") "%sstatus: {allocatable: {%s}}}}\n"
                                         "  - {name: b, count: %u, node: {" ZONE(
                                             "b") "%sstatus: {allocatable: {%s}}}}\n"
                                                  "  - {name: c, count: 2, node: {" ZONE(
                                                      "c") "%sstatus: {allocatable: {%s}}}}\n",
                                INTENTS "%s") WORKLOAD("Deployment", "web", "app: web", "%s", "%s")
                            WORKLOAD("Deployment", "x", "app: x", "%s", "")
                                WORKLOAD("Deployment", "q", "app: q", "%s", "")
                                    WORKLOAD("Deployment", "z", "app: z", "%s", ""),
                        1 + below(random, 3), PICK(random, taints), PICK(random, sizes),
                        1 + below(random, 3), PICK(random, taints), PICK(random, sizes),
                        PICK(random, taints), PICK(random, sizes), PICK(random, profiles),
                        PICK(random, requests), PICK(random, pods), PICK(random, requests),
                        PICK(random, requests), PICK(random, requests));
}

/* The others are the revisions after web's, each with some pods. */
static void choose_others(struct random_test *random, struct best_test *test)
{
    test->others.pod_kinds = KINDS;
    test->others.nodes_back = 0;
    for (uint32_t k = 0; k < KINDS; k++) {
        const uint32_t count = below(random, 2) ? below(random, 4) : below(random, 12);
        struct pods_held *pods = &test->pods[k];
        *pods = (struct pods_held){.on_node = count};
        for (uint32_t r = 0; r < ROOM_EXTENDED; r++)
            pods->request.amounts[r] = room_request(
                test->worker,
                test->population->revisions.items[test->revisions[k + 1]].pending_class, r);
        for (uint32_t p = 0; p < ROOM_PLACES; p++)
            pods->most[p] = count;
    }
}

/* Is there room on a node for one more pod of the others? */
static bool has_room(const struct best_test *test, uint32_t config, uint32_t kind)
{
    const struct node_config *node = config_at(test->worker, config);
    for (uint32_t r = ROOM_CPU; r <= ROOM_PODS; r++) {
        int64_t left = room_of_node(test->worker, config, r) - test->pods[kind].request.amounts[r];
        for (uint32_t p = 0; p < node->pod_entry_count; p++)
            left -= node->pods[p].count * room_request(test->worker, node->pods[p].pod, r);
        if (left < 0)
            return false;
    }
    return true;
}

/* The node that the next pod goes to: any; mostly one without a pod of web; or the first one that
 * has room, of those without one. */
enum placing { PLACE_ANYWHERE, PLACE_APART, PLACE_PACKED, PLACINGS };

static uint32_t choose_node(struct random_test *random, const struct best_test *test,
                            const uint32_t *nodes, enum placing placing, uint32_t kind)
{
    uint32_t node = below(random, test->node_count);
    const uint32_t pods_of_web = config_at(test->worker, test->nodes[node])->pod_count;
    if (placing == PLACE_APART && pods_of_web > 0)
        return choose_node(random, test, nodes, PLACE_ANYWHERE, kind);
    for (uint32_t n = 0; placing == PLACE_PACKED && n < test->node_count; n++)
        if (config_at(test->worker, test->nodes[n])->pod_count == 0 &&
            has_room(test, nodes[n], kind))
            return n;
    return node;
}

static void place_others(struct random_test *random, struct best_test *test, uint32_t *nodes)
{
    const enum placing placing = below(random, PLACINGS);
    const uint32_t first = below(random, KINDS);
    for (uint32_t k = 0; k < KINDS; k++) {
        const uint32_t kind = (first + k) % KINDS;
        for (uint32_t i = 0; i < test->pods[kind].most[ROOM_ANYWHERE]; i++) {
            const uint32_t node = choose_node(random, test, nodes, placing, kind);
            if (has_room(test, nodes[node], kind))
                nodes[node] = with_pod(test, nodes[node], kind + 1);
        }
    }
}

static uint32_t check_placement(struct random_test *random, struct best_test *test,
                                const bool *possible)
{
    struct view_node entries[NODES_MOST];
    uint32_t entry_of[NODES_MOST];
    uint32_t nodes[NODES_MOST];
    uint32_t wrong = 0;
    memcpy(nodes, test->nodes, sizeof(nodes));
    place_others(random, test, nodes);
    const struct view view = view_of(test, nodes, entries, entry_of);
    const struct decision *decision =
        scheduler_decide(test->worker->scheduler, &view, web_class(test), VIEW_NONE);
    random->decisions += decision->best_count > 0;
    for (uint32_t n = 0; n < test->node_count; n++)
        for (uint32_t b = 0; b < decision->best_count; b++)
            wrong += decision->best[b] == entry_of[n] && !possible[n];
    return wrong;
}

static uint32_t check_cluster(struct random_test *random)
{
    bool possible[NODES_MOST];
    struct best_test test;
    struct memory memory;
    struct arena arena;
    memory_init(&memory, SIZE_MAX);
    arena_init(&arena, &memory);
    const char *manifests = random_manifests(random, &arena);
    begin_with(
        &test, manifests,
        (struct population_options){.features = features_of_version(26 + (int)below(random, 8))});
    const uint32_t own = below(random, 4);
    for (uint32_t p = 0; p < own; p++) {
        const uint32_t node = below(random, test.node_count);
        test.nodes[node] = with_pod(&test, test.nodes[node], 0);
    }
    choose_others(random, &test);
    find_possible(&test, possible);
    uint32_t impossible = 0;
    uint32_t wrong = 0;
    for (uint32_t n = 0; n < test.node_count; n++)
        impossible += !possible[n];
    random->clusters++;
    random->narrowed += impossible > 0;
    for (uint32_t i = 0; impossible > 0 && i < 40; i++)
        wrong += check_placement(random, &test, possible);
    if (wrong > 0)
        print_message("%s", manifests);
    end(&test);
    arena_release(&arena);
    return wrong;
}

static void no_node_is_chosen_that_was_ruled_out(void **state)
{
    const char *count = getenv("FATHOM_CLUSTERS");
    const char *first = getenv("FATHOM_FIRST");
    const uint64_t begin_with = first ? strtoull(first, NULL, 10) : 1;
    struct random_test random = {0};
    uint32_t wrong = 0;
    (void)state;
    for (uint64_t i = begin_with; i < begin_with + (count ? strtoull(count, NULL, 10) : 1500);
         i++) {
        random.seed = i * 1000003;
        below(&random, 2);
        const uint32_t found = check_cluster(&random);
        if (found > 0)
            print_message("cluster %llu: %u wrong\n", (unsigned long long)i, found);
        wrong += found;
    }
    print_message("%u clusters, %u with nodes that are ruled out, %u decisions\n", random.clusters,
                  random.narrowed, random.decisions);
    assert_int_equal(wrong, 0);
    assert_true(random.narrowed * 4 > random.clusters);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(others_have_to_fill_the_better_nodes),
        cmocka_unit_test(nothing_is_known),
        cmocka_unit_test(groups_are_taken_together),
        cmocka_unit_test(others_lower_the_score_of_better_nodes),
        cmocka_unit_test(others_hold_no_more_than_they_have),
        cmocka_unit_test(pods_without_requests_count_in_scores),
        cmocka_unit_test(images_are_an_assumption),
        cmocka_unit_test(images_are_pulled),
        cmocka_unit_test(no_node_is_chosen_that_was_ruled_out),
    };
    return cmocka_run_group_tests_name("best_beside", tests, NULL, NULL);
}
