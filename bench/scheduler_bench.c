/* SPDX-License-Identifier: Apache-2.0 */
/*
 * How many scheduling decisions a second: scheduler_bench [SECONDS [MINOR]]; by the rules of the
 * newest Kubernetes unless told.
 *
 * Clusters of 50, 500 and 5,000 nodes in three zones with six pods a node, as a
 * population of 20 distinct node configs and node by node. The pods to be
 * scheduled are a plain one, one with soft spread constraints over hosts and
 * zones, and one with hard constraints and anti-affinity. A population changes
 * from decision to decision, as it does in a search. Goal: 50,000 population
 * decisions a second on one core, whatever the number of nodes.
 */
#include "decide/scheduler/scheduler.h"
#include "manifest/manifest.h"
#include "object/policy.h"
#include "processor_time.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { CONFIGS = 20, PODS_PER_NODE = 6, KINDS = 3 };

static const char manifest[] =
    "{apiVersion: v1, kind: Node, metadata: {name: a, labels: {kubernetes.io/hostname: a,"
    " topology.kubernetes.io/zone: za}}, status: {allocatable: {cpu: '8', memory: 32Gi, pods: "
    "'110'}}}\n---\n"
    "{apiVersion: v1, kind: Node, metadata: {name: b, labels: {kubernetes.io/hostname: b,"
    " topology.kubernetes.io/zone: zb}}, status: {allocatable: {cpu: '8', memory: 32Gi, pods: "
    "'110'}}}\n---\n"
    "{apiVersion: v1, kind: Node, metadata: {name: c, labels: {kubernetes.io/hostname: c,"
    " topology.kubernetes.io/zone: zc}}, status: {allocatable: {cpu: '4', memory: 16Gi, pods: "
    "'110'}}}\n---\n"
    "{apiVersion: v1, kind: Pod, metadata: {name: plain, labels: {app: plain}}, spec: {containers:"
    " [{name: c, image: 'i:1', resources: {requests: {cpu: 100m, memory: 128Mi}}}]}}\n---\n"
    "{apiVersion: v1, kind: Pod, metadata: {name: spread, labels: {app: spread}}, spec: "
    "{topologySpreadConstraints: [{maxSkew: 1, topologyKey: kubernetes.io/hostname, "
    "whenUnsatisfiable: ScheduleAnyway, labelSelector: {matchLabels: {app: spread}}}, {maxSkew: 1, "
    "topologyKey: topology.kubernetes.io/zone, whenUnsatisfiable: ScheduleAnyway, labelSelector: "
    "{matchLabels: {app: spread}}}], containers: [{name: c, image: 'i:1', resources: {requests: "
    "{cpu: 200m, memory: 256Mi}}}]}}\n---\n"
    "{apiVersion: v1, kind: Pod, metadata: {name: strict, labels: {app: strict}}, spec: "
    "{topologySpreadConstraints: [{maxSkew: 1, topologyKey: topology.kubernetes.io/zone, "
    "whenUnsatisfiable: DoNotSchedule, labelSelector: {matchLabels: {app: strict}}}], affinity: "
    "{podAntiAffinity: {requiredDuringSchedulingIgnoredDuringExecution: [{topologyKey: "
    "kubernetes.io/hostname, labelSelector: {matchLabels: {app: strict}}}]}}, containers: [{name: "
    "c, image: 'i:1', resources: {requests: {cpu: 100m, memory: 128Mi}}}]}}\n";

struct parts {
    const struct node *nodes[3];
    const struct pod *pods[KINDS];
};

static struct parts read_parts(struct arena *arena)
{
    struct parts parts = {0};
    struct documents documents = {0};
    struct objects objects = {0};
    struct problems problems;
    problems_init(&problems, arena);
    if (!manifest_parse(arena, "bench", manifest, strlen(manifest), &documents, &problems) ||
        !object_decode(arena, &documents, NULL, &objects, &problems))
        bug("the manifest of the benchmark is wrong: %s",
            problem_format(arena, &problems.items[0]));
    for (uint32_t i = 0; i < 3; i++) {
        parts.nodes[i] = objects.items[i].as.node;
        parts.pods[i] = objects.items[3 + i].as.pod;
    }
    return parts;
}

/* What the i-th of twenty configs carries: six pods, mixed. */
static void fill_counts(struct pod_count *counts, const uint32_t *classes, uint32_t i)
{
    uint32_t strict = i % 3 == 0;
    uint32_t spread = i % (PODS_PER_NODE - strict);
    counts[0] = (struct pod_count){classes[0], PODS_PER_NODE - strict - spread};
    counts[1] = (struct pod_count){classes[1], spread};
    counts[2] = (struct pod_count){classes[2], strict};
}

struct setup {
    bool population;
    struct catalog *catalog;
    struct profiles profiles;
    struct scheduler *scheduler;
    struct view_node *nodes;
    struct view view;
    uint32_t classes[KINDS];
};

static void build_population(struct arena *arena, const struct parts *parts, uint32_t nodes,
                             struct setup *setup)
{
    uint32_t templates[3];
    for (uint32_t i = 0; i < 3; i++)
        templates[i] = catalog_add_anonymous_node(setup->catalog, parts->nodes[i]);
    setup->nodes = ARENA_ARRAY(arena, struct view_node, CONFIGS);
    for (uint32_t i = 0; i < CONFIGS; i++) {
        struct pod_count counts[KINDS];
        fill_counts(counts, setup->classes, i);
        setup->nodes[i].config =
            catalog_intern_config(setup->catalog, templates[i % 3], counts, KINDS, NULL, 0);
        setup->nodes[i].count = nodes / CONFIGS + (i < nodes % CONFIGS);
    }
    setup->view =
        (struct view){.catalog = setup->catalog, .nodes = setup->nodes, .node_count = CONFIGS};
}

static void build_concrete(struct arena *arena, const struct parts *parts, uint32_t nodes,
                           struct setup *setup)
{
    setup->nodes = ARENA_ARRAY(arena, struct view_node, nodes);
    for (uint32_t i = 0; i < nodes; i++) {
        struct node *node = arena_copy(arena, parts->nodes[i % 3], sizeof(*node));
        node->meta.name = arena_printf(arena, "node-%u", i);
        node->meta.labels.items = arena_copy(arena, node->meta.labels.items,
                                             node->meta.labels.count * sizeof(struct label));
        for (uint32_t l = 0; l < node->meta.labels.count; l++)
            if (strcmp(node->meta.labels.items[l].key, LABEL_HOSTNAME) == 0)
                node->meta.labels.items[l].value = node->meta.name;
        struct pod_count counts[KINDS];
        fill_counts(counts, setup->classes, i % CONFIGS);
        setup->nodes[i].config = catalog_intern_config(
            setup->catalog, catalog_add_named_node(setup->catalog, node), counts, KINDS, NULL, 0);
        setup->nodes[i].count = 1;
    }
    setup->view =
        (struct view){.catalog = setup->catalog, .nodes = setup->nodes, .node_count = nodes};
}

static double decide_for(struct setup *setup, uint32_t pod, double seconds)
{
    uint64_t decisions = 0;
    uint64_t best = 0;
    uint32_t count = setup->nodes[0].count;
    scheduler_decide(setup->scheduler, &setup->view, pod, VIEW_NONE);
    int64_t start = processor_time_ns();
    int64_t end = start + (int64_t)(seconds * 1e9);
    int64_t now = start;
    while (now < end) {
        for (uint32_t i = 0; i < 16; i++) {
            if (setup->population)
                setup->nodes[0].count = count + (i & 1);
            best += scheduler_decide(setup->scheduler, &setup->view, pod, VIEW_NONE)->best_count;
        }
        decisions += 16;
        now = processor_time_ns();
    }
    if (best == 0)
        bug("no pod could be scheduled");
    return (double)decisions / ((double)(now - start) / 1e9);
}

static void measure(const struct parts *parts, struct memory *memory, bool population,
                    uint32_t nodes, double seconds, int minor)
{
    struct arena arena;
    struct setup setup = {.population = population};
    arena_init(&arena, memory);
    struct features features = features_of_version(minor);
    setup.catalog = catalog_create(&arena, &features);
    setup.profiles = profiles_default(&arena);
    for (uint32_t i = 0; i < KINDS; i++)
        setup.classes[i] = catalog_add_pod(setup.catalog, parts->pods[i]);
    if (population)
        build_population(&arena, parts, nodes, &setup);
    else
        build_concrete(&arena, parts, nodes, &setup);
    setup.scheduler = scheduler_create(&arena, setup.catalog, &setup.profiles);
    printf("%-10s %6u nodes %7u pods", population ? "population" : "concrete", nodes,
           nodes * PODS_PER_NODE);
    for (uint32_t i = 0; i < KINDS; i++)
        printf("  %-7s %10.0f/s", parts->pods[i]->meta.name,
               decide_for(&setup, setup.classes[i], seconds));
    printf("\n");
    scheduler_release(setup.scheduler);
    arena_release(&arena);
}

int main(int argc, char **argv)
{
    double seconds = argc > 1 ? atof(argv[1]) : 1.0;
    const int minor = argc > 2 ? atoi(argv[2]) : FEATURES_MINOR_LAST;
    static const uint32_t sizes[] = {50, 500, 5000};
    struct memory memory;
    struct arena arena;
    memory_init(&memory, SIZE_MAX);
    arena_init(&arena, &memory);
    struct parts parts = read_parts(&arena);
    for (uint32_t form = 0; form < 2; form++)
        for (uint32_t i = 0; i < sizeof(sizes) / sizeof(sizes[0]); i++)
            measure(&parts, &memory, form == 0, sizes[i], seconds, minor);
    arena_release(&arena);
    return 0;
}
