/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Merges and the graph that they make, together.
 *
 * Soundness: in random histories the changes that truly went into an object are
 * those that the graph leads back to, whatever the mode, the order, the number
 * of ancestors and the interleaving. That this can fail is shown by a wrong
 * ancestor. Then the published experiment (a Deployment scaled up and down):
 * how many mergelogs there are for each number of ancestors; and that a new
 * CPID keeps apart what one that replaces another would mix.
 */
#include "tracing/graph/graph.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

/* ---- soundness ---- */

enum { OBJECTS = 12, ROOTS = 40, STEPS = 90 };

struct world {
    struct memory memory;
    struct merge_graph *graph;
    struct fathom_trace_rules rules;
    uint64_t random;
    uint64_t ids;
    struct fathom_trace_context contexts[OBJECTS];
    uint64_t truth[OBJECTS]; /* bit i: root i went into it */
    struct fathom_trace_id roots[ROOTS];
    uint32_t root_count;
    uint64_t merges;
    uint64_t new_merges;
};

static uint64_t next_random(uint64_t *state)
{
    *state ^= *state << 13;
    *state ^= *state >> 7;
    *state ^= *state << 17;
    return *state;
}

/* A quarter of all objects. */
static uint64_t some_objects(uint64_t *state)
{
    const uint64_t half = next_random(state);
    return half & next_random(state);
}

static struct fathom_trace_id next_id(struct world *world)
{
    struct fathom_trace_id id = {{0}};
    const uint64_t number = ++world->ids;
    memcpy(id.bytes, &number, sizeof(number));
    return id;
}

static void put(struct world *world, const struct fathom_trace_id *cpid,
                const struct fathom_trace_id *sources, size_t count)
{
    const struct fathom_trace_mergelog mergelog = {*cpid, sources, count, (int64_t)world->ids};
    assert_int_equal(merge_graph_put(world->graph, &mergelog), MERGE_ADDED);
}

static void begin(struct world *world)
{
    merge_graph_free(world->graph);
    world->graph = merge_graph_create(&world->memory);
    world->ids = 0;
    world->root_count = 0;
    memset(world->contexts, 0, sizeof(world->contexts));
    memset(world->truth, 0, sizeof(world->truth));
}

/* The roots that the graph leads back to. */
static uint64_t traced(struct world *world, const struct fathom_trace_id *cpid)
{
    uint64_t found = 0;
    const struct merge_nodes roots =
        merge_graph_roots(world->graph, merge_graph_find(world->graph, cpid));
    for (uint32_t i = 0; i < roots.count; i++) {
        const struct merge_node root = merge_graph_node(world->graph, roots.items[i]);
        for (uint32_t j = 0; j < world->root_count; j++)
            if (fathom_trace_id_equal(&root.cpid, &world->roots[j]))
                found |= UINT64_C(1) << j;
    }
    return found;
}

static void merge(struct world *world, const struct fathom_trace_context *inputs, size_t count,
                  struct fathom_trace_context *result)
{
    struct fathom_trace_id sources[OBJECTS];
    size_t source_count = 0;
    const struct fathom_trace_id fresh = next_id(world);
    const enum fathom_trace_merged how = fathom_trace_merge_contexts(
        &world->rules, inputs, count, &fresh, result, sources, &source_count);
    assert_int_not_equal(how, FATHOM_TRACE_FAILED);
    assert_true(result->ancestor_count <= world->rules.ancestors_most);
    if (how == FATHOM_TRACE_NEW) {
        put(world, &fresh, sources, source_count);
        world->new_merges++;
    }
    world->merges++;
}

/* A person creates an object or changes it. */
static void change(struct world *world, uint32_t object)
{
    struct fathom_trace_context inputs[2] = {world->contexts[object], {{{0}}, 0, {{{0}}}}};
    inputs[1].id = next_id(world);
    put(world, &inputs[1].id, NULL, 0);
    world->roots[world->root_count] = inputs[1].id;
    world->truth[object] |= UINT64_C(1) << world->root_count++;
    merge(world, inputs, 2, &world->contexts[object]);
}

/* A controller reads some objects and writes some. */
static void reconcile(struct world *world)
{
    struct fathom_trace_context inputs[OBJECTS];
    uint64_t truth = 0;
    size_t count = 0;
    const uint64_t read = some_objects(&world->random);
    for (uint32_t i = 0; i < OBJECTS; i++)
        if (read >> i & 1) {
            inputs[count++] = world->contexts[i];
            truth |= world->truth[i];
        }
    struct fathom_trace_context result;
    merge(world, inputs, count, &result);
    if (fathom_trace_id_is_none(&result.id)) {
        assert_true(truth == 0);
        return;
    }
    assert_true(traced(world, &result.id) == truth);
    const uint64_t written = some_objects(&world->random) & read;
    for (uint32_t i = 0; i < OBJECTS; i++)
        if (written >> i & 1) {
            world->contexts[i] = result;
            world->truth[i] = truth;
        }
    /* ... and creates one, or an object that was deleted comes again. */
    const uint64_t created = next_random(&world->random) % 24;
    if (created < OBJECTS) {
        world->contexts[created] = result;
        world->truth[created] = truth;
    }
}

static void run_history(struct world *world)
{
    begin(world);
    for (int step = 0; step < STEPS; step++) {
        const uint64_t choice = next_random(&world->random) % 8;
        if (choice < 2 && world->root_count < ROOTS)
            change(world, (uint32_t)(next_random(&world->random) % OBJECTS));
        else
            reconcile(world);
        /* Somebody who knows no contexts loses some ancestors. */
        if (choice == 7) {
            struct fathom_trace_context *context =
                &world->contexts[next_random(&world->random) % OBJECTS];
            context->ancestor_count /= 2;
        }
    }
}

static void the_graph_leads_back_to_what_happened(void **state)
{
    (void)state;
    struct world world = {.random = 88172645463325252};
    memory_init(&world.memory, SIZE_MAX);
    for (int round = 0; world.merges < 520000; round++) {
        static const uint32_t most[] = {0, 1, 2, 3, 5, 8, 15, 64};
        world.rules = (struct fathom_trace_rules){(enum fathom_trace_mode)(round & 1),
                                                  (enum fathom_trace_order)(round >> 1 & 1),
                                                  most[round >> 2 & 7]};
        run_history(&world);
    }
    /* Both kinds of merges are among them. */
    assert_true(world.new_merges > world.merges / 10);
    assert_true(world.new_merges < world.merges - world.merges / 10);
    merge_graph_free(world.graph);
    assert_int_equal(world.memory.used_bytes, 0);
}

/* An ancestor that is none hides a change: the check above can fail. */
static void a_wrong_ancestor_makes_a_root_disappear(void **state)
{
    (void)state;
    struct world world = {.rules = fathom_trace_rules_default()};
    memory_init(&world.memory, SIZE_MAX);
    for (int wrong = 0; wrong < 2; wrong++) {
        begin(&world);
        change(&world, 0);
        change(&world, 1);
        if (wrong)
            world.contexts[0].ancestors[world.contexts[0].ancestor_count++] = world.contexts[1].id;
        struct fathom_trace_context result;
        merge(&world, world.contexts, 2, &result);
        assert_int_equal(traced(&world, &result.id), wrong ? 1 : 3);
    }
    merge_graph_free(world.graph);
}

/* ---- a Deployment scaled 1, 3, 1, 3, ... ---- */

enum { PODS_MOST = 8, QUEUE_MOST = 64, EVENTS = 3 };

enum event { EVENT_DEPLOYMENT, EVENT_REPLICA_SET, EVENT_POD };

struct cluster {
    struct fathom_tracer *tracer;
    bool every_sync; /* merge in each sync, not only in those that write */
    uint64_t random; /* 0: first come, first served, and the kubelet last */
    unsigned mergelogs;
    unsigned roots;
    enum event events[EVENTS];
    unsigned event_count;
    unsigned starting; /* pods that the kubelet has not started yet, as pod numbers */
    unsigned starting_pods[QUEUE_MOST];
    struct fathom_trace_context deployment;
    int deployment_spec;
    int generation;
    int deployment_status[3];
    bool has_set;
    struct fathom_trace_context set;
    int set_spec;
    int set_status[2];
    struct {
        struct fathom_trace_context context;
        unsigned number;
        bool ready;
    } pods[PODS_MOST];
    int pod_count;
    unsigned pod_numbers;
};

static void count_mergelog(void *context, const struct fathom_trace_mergelog *mergelog)
{
    struct cluster *cluster = context;
    if (mergelog->source_count)
        cluster->mergelogs++;
    else
        cluster->roots++;
}

static void push_event(struct cluster *cluster, enum event event)
{
    for (unsigned i = 0; i < cluster->event_count; i++)
        if (cluster->events[i] == event)
            return;
    cluster->events[cluster->event_count++] = event;
}

static int ready_pods(const struct cluster *cluster, int first)
{
    int ready = 0;
    for (int i = 0; i < first; i++)
        ready += cluster->pods[i].ready;
    return ready;
}

static void create_set(struct cluster *cluster)
{
    cluster->has_set = true;
    cluster->set = cluster->deployment;
    cluster->set_spec = cluster->deployment_spec;
    memcpy(cluster->deployment_status, (int[3]){1, 0, 0}, sizeof(cluster->deployment_status));
    push_event(cluster, EVENT_REPLICA_SET);
    push_event(cluster, EVENT_DEPLOYMENT);
}

static void sync_deployment(struct cluster *cluster)
{
    if (!cluster->has_set) {
        create_set(cluster);
        return;
    }
    const int status[3] = {cluster->generation, cluster->set_status[0], cluster->set_status[1]};
    const bool scale = cluster->set_spec != cluster->deployment_spec;
    const bool report = memcmp(cluster->deployment_status, status, sizeof(status)) != 0;
    if (!cluster->every_sync && !scale && !report)
        return;
    const struct fathom_trace_context read[2] = {cluster->deployment, cluster->set};
    struct fathom_trace_context merged;
    fathom_trace_merge(cluster->tracer, read, 2, &merged);
    if (scale) {
        cluster->set = merged;
        cluster->set_spec = cluster->deployment_spec;
        push_event(cluster, EVENT_REPLICA_SET);
    }
    if (report) {
        cluster->deployment = merged;
        memcpy(cluster->deployment_status, status, sizeof(status));
        push_event(cluster, EVENT_DEPLOYMENT);
    }
}

static void sync_set(struct cluster *cluster)
{
    const int want = cluster->set_spec;
    const int surviving = cluster->pod_count < want ? cluster->pod_count : want;
    const int status[2] = {want, ready_pods(cluster, surviving)};
    const bool report = memcmp(cluster->set_status, status, sizeof(status)) != 0;
    if (!cluster->every_sync && !report && cluster->pod_count >= want)
        return;
    struct fathom_trace_context read[PODS_MOST + 1] = {cluster->set};
    for (int i = 0; i < cluster->pod_count; i++)
        read[i + 1] = cluster->pods[i].context;
    struct fathom_trace_context merged;
    fathom_trace_merge(cluster->tracer, read, (size_t)cluster->pod_count + 1, &merged);
    if (cluster->pod_count > want)
        cluster->pod_count = want;
    while (cluster->pod_count < want) {
        cluster->pods[cluster->pod_count].context = merged;
        cluster->pods[cluster->pod_count].ready = false;
        cluster->pods[cluster->pod_count].number = ++cluster->pod_numbers;
        cluster->starting_pods[cluster->starting++] = cluster->pod_numbers;
        cluster->pod_count++;
    }
    if (report) {
        cluster->set = merged;
        memcpy(cluster->set_status, status, sizeof(status));
        push_event(cluster, EVENT_REPLICA_SET);
    }
}

static void start_pod(struct cluster *cluster)
{
    for (int i = 0; i < cluster->pod_count; i++)
        if (cluster->pods[i].number == cluster->starting_pods[0])
            cluster->pods[i].ready = true;
    cluster->starting--;
    memmove(cluster->starting_pods, cluster->starting_pods + 1,
            cluster->starting * sizeof(cluster->starting_pods[0]));
    push_event(cluster, EVENT_POD);
}

static void settle(struct cluster *cluster)
{
    while (cluster->event_count || cluster->starting) {
        const uint32_t all = cluster->event_count + (cluster->starting > 0);
        const uint32_t chosen =
            cluster->random ? (uint32_t)(next_random(&cluster->random) % all) : 0;
        if (chosen == cluster->event_count) {
            start_pod(cluster);
            continue;
        }
        const enum event event = cluster->events[chosen];
        cluster->event_count--;
        memmove(cluster->events + chosen, cluster->events + chosen + 1,
                (cluster->event_count - chosen) * sizeof(cluster->events[0]));
        if (event != EVENT_POD)
            sync_deployment(cluster);
        if (event != EVENT_DEPLOYMENT)
            sync_set(cluster);
    }
}

/* A person sets the replicas, with `kubectl --trace`. */
static void scale(struct cluster *cluster, int replicas)
{
    struct fathom_trace_context read[2] = {cluster->deployment};
    fathom_trace_root(cluster->tracer, &read[1]);
    if (cluster->generation++)
        fathom_trace_merge(cluster->tracer, read, 2, &cluster->deployment);
    else
        cluster->deployment = read[1];
    cluster->deployment_spec = replicas;
    push_event(cluster, EVENT_DEPLOYMENT);
    settle(cluster);
}

/* Mergelogs of each of the eight steps; the sum is given. */
static unsigned scale_up_and_down(struct fathom_trace_rules rules, bool every_sync, uint64_t random,
                                  unsigned by_step[8])
{
    static struct cluster cluster;
    cluster = (struct cluster){.every_sync = every_sync, .random = random};
    struct fathom_trace_options options;
    fathom_trace_options_init(&options);
    options.service = "cluster";
    options.rules = rules;
    options.on_mergelog = count_mergelog;
    options.on_context = &cluster;
    cluster.tracer = fathom_tracer_create(&options, NULL, 0);
    assert_non_null(cluster.tracer);
    for (int step = 0; step < 8; step++) {
        const unsigned before = cluster.mergelogs;
        scale(&cluster, step % 2 ? 3 : 1);
        by_step[step] = cluster.mergelogs - before;
    }
    assert_int_equal(cluster.roots, 8);
    fathom_tracer_free(cluster.tracer);
    return cluster.mergelogs;
}

#define LITERAL_CONCAT                               \
    {                                                \
        FATHOM_TRACE_LITERAL, FATHOM_TRACE_CONCAT, 0 \
    }
#define ORDERED_CONCAT                               \
    {                                                \
        FATHOM_TRACE_ORDERED, FATHOM_TRACE_CONCAT, 0 \
    }
#define ORDERED_LEVEL                               \
    {                                               \
        FATHOM_TRACE_ORDERED, FATHOM_TRACE_LEVEL, 0 \
    }

/* Five Deployments that have nothing to do with each other. */
static void mergelogs_by_number_of_ancestors(void **state)
{
    (void)state;
    static const struct {
        struct fathom_trace_rules rules;
        bool every_sync;
        unsigned expected[31]; /* 0: not said */
    } rows[] = {
        {LITERAL_CONCAT, true, {405, 155, 145, 145, 35, 110, 35, 35, 70, 65, 35,
                                35,  35,  35,  35,  35, 35,  35, 35, 35, 35, [30] = 35}},
        {LITERAL_CONCAT,
         false,
         {220, 95, 90, 90, 0, 70, [10] = 35, [15] = 35, [20] = 35, [30] = 35}},
        {ORDERED_CONCAT, true, {405, 150, 145, 110, 105, 70, 65, 35, 35, 35, 35,
                                35,  35,  35,  35,  35,  35, 35, 35, 35, 35, [30] = 35}},
        {ORDERED_LEVEL, true, {405, 150, 60, 60, 50, 50, 45, 40, 40, 45, 45,
                               40,  40,  35, 35, 35, 35, 35, 35, 35, 35, [30] = 35}},
    };
    for (size_t row = 0; row < sizeof(rows) / sizeof(rows[0]); row++)
        for (uint32_t most = 0; most <= 30; most++) {
            unsigned by_step[8];
            struct fathom_trace_rules rules = rows[row].rules;
            rules.ancestors_most = most;
            const unsigned all = 5 * scale_up_and_down(rules, rows[row].every_sync, 0, by_step);
            if (rows[row].expected[most])
                assert_int_equal(all, rows[row].expected[most]);
            assert_true(all >= 35); /* a merge for each of the seven updates */
        }
}

static void mergelogs_by_step(void **state)
{
    (void)state;
    static const struct {
        struct fathom_trace_rules rules;
        bool every_sync;
        unsigned by_step[8];
    } rows[] = {
        {{FATHOM_TRACE_LITERAL, FATHOM_TRACE_CONCAT, 0}, true, {0, 15, 7, 15, 7, 15, 7, 15}},
        {{FATHOM_TRACE_LITERAL, FATHOM_TRACE_CONCAT, 0}, false, {0, 8, 4, 8, 4, 8, 4, 8}},
        {{FATHOM_TRACE_LITERAL, FATHOM_TRACE_CONCAT, 1}, true, {0, 1, 3, 7, 3, 7, 3, 7}},
        {{FATHOM_TRACE_LITERAL, FATHOM_TRACE_CONCAT, 5}, true, {0, 1, 1, 1, 2, 7, 3, 7}},
        {{FATHOM_TRACE_ORDERED, FATHOM_TRACE_CONCAT, 5}, true, {0, 1, 1, 1, 1, 1, 2, 7}},
        {{FATHOM_TRACE_LITERAL, FATHOM_TRACE_CONCAT, 10}, true, {0, 1, 1, 1, 1, 1, 1, 1}},
        {{FATHOM_TRACE_ORDERED, FATHOM_TRACE_CONCAT, 10}, true, {0, 1, 1, 1, 1, 1, 1, 1}},
    };
    for (size_t row = 0; row < sizeof(rows) / sizeof(rows[0]); row++) {
        unsigned by_step[8];
        scale_up_and_down(rows[row].rules, rows[row].every_sync, 0, by_step);
        assert_memory_equal(by_step, rows[row].by_step, sizeof(by_step));
    }
}

/* In whatever order controllers and kubelets act: with enough ancestors there is
 * one mergelog for each update, and with fewer of them more. */
static void mergelogs_of_random_interleavings(void **state)
{
    (void)state;
    static const uint32_t most[] = {0, 1, 2, 5, 10, 15, 30};
    enum { SAMPLES = sizeof(most) / sizeof(most[0]), RUNS = 50 };
    unsigned sums[SAMPLES] = {0};
    for (uint64_t run = 1; run <= RUNS; run++)
        for (int i = 0; i < SAMPLES; i++) {
            unsigned by_step[8];
            const struct fathom_trace_rules rules = {FATHOM_TRACE_LITERAL, FATHOM_TRACE_CONCAT,
                                                     most[i]};
            sums[i] += scale_up_and_down(rules, true, run * 7919, by_step);
            for (int step = 1; step < 8; step++)
                assert_true(by_step[step] >= 1);
        }
    /* Means of five Deployments, about as published for ten other interleavings. */
    static const double published[SAMPLES] = {326.7, 152.1, 132.8, 99.4, 35, 35, 35};
    for (int i = 0; i < SAMPLES; i++) {
        const double mean = 5.0 * sums[i] / RUNS;
        assert_true(mean > published[i] * 0.95 && mean < published[i] * 1.05);
        if (most[i] >= 10)
            assert_int_equal(sums[i], 7 * RUNS);
    }
}

/* ---- figures 5 and 6, and why a merge makes a new CPID ---- */

static void tell(struct merge_graph *graph, struct fathom_trace_id cpid,
                 const struct fathom_trace_id *sources, size_t count)
{
    const struct fathom_trace_mergelog mergelog = {cpid, sources, count, 0};
    assert_int_equal(merge_graph_put(graph, &mergelog), MERGE_ADDED);
}

static bool is_related(struct merge_graph *graph, struct fathom_trace_id from,
                       struct fathom_trace_id to)
{
    const struct merge_nodes nodes =
        merge_graph_related(graph, merge_graph_find(graph, &from), UINT32_MAX);
    for (uint32_t i = 0; i < nodes.count; i++) {
        const struct merge_node node = merge_graph_node(graph, nodes.items[i]);
        if (fathom_trace_id_equal(&node.cpid, &to))
            return true;
    }
    return false;
}

static void an_endpoints_object_joins_two_changes(void **state)
{
    (void)state;
    struct world world = {.rules = fathom_trace_rules_default()};
    memory_init(&world.memory, SIZE_MAX);
    begin(&world);
    change(&world, 0); /* Deployment: alpha; its ReplicaSet and Pod inherit it */
    change(&world, 1); /* Service: beta; its Endpoints inherit it */
    const struct fathom_trace_context pod = world.contexts[0];
    const struct fathom_trace_context endpoints = world.contexts[1];
    struct fathom_trace_context gamma;
    merge(&world, world.contexts, 2, &gamma);
    assert_true(is_related(world.graph, pod.id, gamma.id));
    assert_false(is_related(world.graph, pod.id, endpoints.id));
    assert_int_equal(traced(&world, &gamma.id), 3);
    assert_int_equal(
        merge_graph_related(world.graph, merge_graph_find(world.graph, &pod.id), 99).count, 2);
    /* Figure 6: gamma and delta make epsilon. */
    change(&world, 2);
    const struct fathom_trace_context pair[2] = {gamma, world.contexts[2]};
    struct fathom_trace_context epsilon;
    merge(&world, pair, 2, &epsilon);
    assert_true(is_related(world.graph, pod.id, epsilon.id));
    assert_false(is_related(world.graph, pod.id, world.contexts[2].id));
    assert_int_equal(
        merge_graph_related(world.graph, merge_graph_find(world.graph, &pod.id), 99).count, 3);
    merge_graph_free(world.graph);
}

/* Spans carry the CPID that the object had. With a log of replacements instead
 * (alpha is beta from now on) the spans of beta from before would be alpha's. */
static void new_cpids_keep_apart_what_replacing_mixes(void **state)
{
    (void)state;
    struct memory memory;
    memory_init(&memory, SIZE_MAX);
    enum { ALPHA, BETA, GAMMA, DELTA, FIRST, SECOND, ALL };
    struct fathom_trace_id id[ALL];
    for (int i = 0; i < ALL; i++)
        id[i] = fathom_trace_id_new();
    struct merge_graph *ours = merge_graph_create(&memory);
    struct merge_graph *replacing = merge_graph_create(&memory);
    for (int root = ALPHA; root <= DELTA; root++)
        tell(ours, id[root], NULL, 0);
    tell(ours, id[FIRST], (struct fathom_trace_id[]){id[ALPHA], id[BETA]}, 2);
    assert_false(is_related(ours, id[ALPHA], id[BETA]));
    assert_true(is_related(ours, id[ALPHA], id[FIRST]));
    /* Then another pair merges; what comes after both is told apart. */
    tell(ours, id[SECOND], (struct fathom_trace_id[]){id[GAMMA], id[DELTA]}, 2);
    assert_false(is_related(ours, id[ALPHA], id[SECOND]));
    assert_false(is_related(ours, id[GAMMA], id[FIRST]));
    assert_true(is_related(ours, id[GAMMA], id[SECOND]));
    /* Replacing alpha, then gamma, by beta: beta's own past is both of theirs,
     * and what beta does afterwards is neither's alone. */
    tell(replacing, id[BETA], (struct fathom_trace_id[]){id[ALPHA], id[GAMMA]}, 2);
    assert_true(is_related(replacing, id[ALPHA], id[BETA]));
    assert_true(is_related(replacing, id[GAMMA], id[BETA]));
    merge_graph_free(ours);
    merge_graph_free(replacing);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_graph_leads_back_to_what_happened),
        cmocka_unit_test(a_wrong_ancestor_makes_a_root_disappear),
        cmocka_unit_test(mergelogs_by_number_of_ancestors),
        cmocka_unit_test(mergelogs_by_step),
        cmocka_unit_test(mergelogs_of_random_interleavings),
        cmocka_unit_test(an_endpoints_object_joins_two_changes),
        cmocka_unit_test(new_cpids_keep_apart_what_replacing_mixes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
