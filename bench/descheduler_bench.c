/* SPDX-License-Identifier: Apache-2.0 */
/*
 * How many descheduling cycles a second: descheduler_bench [SECONDS].
 *
 * A population of 100 nodes in three zones with 3,000 pods, one of 5,000 nodes
 * with 150,000, and a small one of 3 nodes with 9 pods; topology spread over
 * hosts and zones, duplicates, and node utilization. Each cycle starts from the
 * view, as it does in a search: `first` is the canonical cycle, `all` every
 * outcome (not of the largest: by then outcomes are counted in thousands).
 */
#include "decide/descheduler/descheduler.h"
#include "manifest/manifest.h"
#include "processor_time.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char manifest[] =
    "{apiVersion: v1, kind: Namespace, metadata: {name: default}}\n---\n"
    "{apiVersion: v1, kind: Node, metadata: {name: a, labels: {kubernetes.io/hostname: a, zone: "
    "a}},"
    " status: {allocatable: {cpu: '8', memory: 32Gi, pods: '110'}}}\n---\n"
    "{apiVersion: v1, kind: Node, metadata: {name: b, labels: {kubernetes.io/hostname: b, zone: "
    "b}},"
    " status: {allocatable: {cpu: '8', memory: 32Gi, pods: '110'}}}\n---\n"
    "{apiVersion: v1, kind: Node, metadata: {name: c, labels: {kubernetes.io/hostname: c, zone: "
    "c}},"
    " status: {allocatable: {cpu: '8', memory: 32Gi, pods: '110'}}}\n---\n"
    "{apiVersion: v1, kind: Pod, metadata: {name: web, namespace: default, labels: {app: web}, "
    "ownerReferences: [{apiVersion: apps/v1, kind: ReplicaSet, name: web, uid: u}]}, spec: "
    "{nodeName: a, topologySpreadConstraints: [{maxSkew: 1, topologyKey: kubernetes.io/hostname, "
    "whenUnsatisfiable: DoNotSchedule, labelSelector: {matchLabels: {app: web}}}, {maxSkew: 1, "
    "topologyKey: zone, whenUnsatisfiable: DoNotSchedule, labelSelector: {matchLabels: {app: web}}}"
    "], containers: [{name: c, image: 'i:1', resources: {requests: {cpu: 100m}}}]}, status: "
    "{phase: "
    "Running}}\n---\n"
    "{apiVersion: v1, kind: Pod, metadata: {name: api, namespace: default, labels: {app: api}, "
    "ownerReferences: [{apiVersion: apps/v1, kind: ReplicaSet, name: api, uid: v}]}, spec: "
    "{nodeName: a, containers: [{name: c, image: 'i:1', resources: {requests: {cpu: 200m}}}]}, "
    "status: {phase: Running}}\n---\n";

static const char policy_text[] =
    "{apiVersion: descheduler/v1alpha2, kind: DeschedulerPolicy, profiles: [{name: p, "
    "pluginConfig: "
    "[{name: %s, args: {%s}}], plugins: {balance: {enabled: [%s]}}}]}\n";

struct plan {
    const char *plugin;
    const char *arguments;
    int minor;
};

static const struct plan plans[] = {
    {"RemovePodsViolatingTopologySpreadConstraint", "", 27},
    {"RemovePodsViolatingTopologySpreadConstraint", "", 28},
    {"RemoveDuplicates", "", 27},
    {"LowNodeUtilization", "thresholds: {cpu: 50}, targetThresholds: {cpu: 51}", 27},
};

struct population {
    struct catalog *catalog;
    struct view view;
    uint32_t nodes;
    uint32_t pods;
};

static void read_objects(struct arena *arena, const char *text, struct objects *objects)
{
    struct documents documents = {0};
    struct problems problems;
    problems_init(&problems, arena);
    if (!manifest_parse(arena, "bench", text, strlen(text), &documents, &problems) ||
        !object_decode(arena, &documents, NULL, objects, &problems))
        bug("the manifest of the benchmark is wrong: %s",
            problem_format(arena, &problems.items[0]));
}

/* Nearly level: a few nodes have some pods more than the others. */
static void build(struct arena *arena, const struct objects *objects, uint32_t nodes,
                  uint32_t pods_per_node, struct population *population)
{
    const struct features features = features_of_version(FEATURES_MINOR_FIRST);
    struct catalog *catalog = catalog_create(arena, &features);
    catalog_surround(catalog, objects);
    const uint32_t web = catalog_add_pod(catalog, objects->items[4].as.pod);
    const uint32_t api = catalog_add_pod(catalog, objects->items[5].as.pod);
    struct view_node *entries = ARENA_ARRAY(arena, struct view_node, 4);
    uint32_t templates[3];
    *population = (struct population){.catalog = catalog, .nodes = nodes};
    for (uint32_t i = 0; i < 3; i++)
        templates[i] = catalog_add_anonymous_node(catalog, objects->items[1 + i].as.node);
    for (uint32_t i = 0; i < 4; i++) {
        const uint32_t more = i == 3 ? 2 : 0;
        const struct pod_count counts[2] = {{web, pods_per_node - pods_per_node / 3 + more},
                                            {api, pods_per_node / 3}};
        entries[i].config = catalog_intern_config(catalog, templates[i % 3], counts, 2, NULL, 0);
        entries[i].count = i == 3 ? 1 : i == 0 ? nodes - 1 - 2 * (nodes / 3) : nodes / 3;
        population->pods += entries[i].count * (pods_per_node + more);
    }
    population->view = (struct view){.catalog = catalog, .nodes = entries, .node_count = 4};
}

static void measure(struct arena *arena, const struct population *population,
                    const struct plan *plan, double seconds)
{
    struct objects policies = {0};
    const struct arena_mark mark = arena_mark(arena);
    read_objects(arena,
                 arena_printf(arena, policy_text, plan->plugin, plan->arguments, plan->plugin),
                 &policies);
    const struct descheduler_setup setup = {.policy = policies.items[0].as.descheduler_policy,
                                            .features =
                                                descheduler_features_of_version(plan->minor)};
    const struct arena_mark inner = arena_mark(arena);
    uint64_t cycles[2] = {0};
    uint64_t evictions = 0;
    uint32_t outcomes = 0;
    double rates[2] = {0};
    for (int all = 0; all < (population->nodes > 1000 ? 1 : 2); all++) {
        const int64_t start = processor_time_ns();
        const int64_t end = start + (int64_t)(seconds * 1e9);
        int64_t now = start;
        while (now < end) {
            struct cluster *cluster = cluster_of_view(arena, &population->view);
            struct descheduler_result result;
            struct descheduler_outcomes found;
            if (all) {
                descheduler_enumerate(arena, &setup, cluster, (struct descheduler_limits){0},
                                      &found);
                outcomes = found.items.count;
            } else {
                descheduler_run(arena, &setup, cluster, false, &result);
                evictions = result.evicted.count;
            }
            cycles[all]++;
            arena_rewind(arena, inner);
            now = processor_time_ns();
        }
        rates[all] = (double)cycles[all] * 1e9 / (double)(now - start);
    }
    printf("%5u nodes %6u pods  %-45s v0.%d  first %9.0f/s  all %9.0f/s  %llu evictions, %u "
           "outcomes\n",
           population->nodes, population->pods, plan->plugin, plan->minor, rates[0], rates[1],
           (unsigned long long)evictions, outcomes);
    arena_rewind(arena, mark);
}

int main(int argc, char **argv)
{
    static const uint32_t sizes[][2] = {{3, 3}, {100, 30}, {5000, 30}};
    const double seconds = argc > 1 ? atof(argv[1]) : 0.3;
    struct memory memory;
    struct arena arena;
    struct objects objects = {0};
    memory_init(&memory, SIZE_MAX);
    arena_init(&arena, &memory);
    read_objects(&arena, manifest, &objects);
    for (int s = 0; s < 3; s++) {
        struct population population;
        build(&arena, &objects, sizes[s][0], sizes[s][1], &population);
        for (size_t p = 0; p < sizeof(plans) / sizeof(plans[0]); p++)
            measure(&arena, &population, &plans[p], seconds);
    }
    arena_release(&arena);
    return 0;
}
