/* SPDX-License-Identifier: Apache-2.0 */
/*
 * How many loops of the cluster autoscaler a second: autoscaler_bench [SECONDS], or for a count of
 * instructions autoscaler_bench WORK NODES LOOPS, with WORK from 0 on.
 *
 * Clusters of 10, 100 and 1,000 nodes in three zonal groups with ten pods each, of two kinds: one
 * in which all nodes are used, one with as many pods that wait as there are nodes, and one of which
 * every third node is nearly empty, for both planners. Before each loop a pod is written anew, and
 * the loop forgets all of the one before. The last column is the time as a multiple of that of the
 * smallest cluster: it is 1 where the time does not grow with the nodes.
 */
#include "decide/autoscaler/autoscaler.h"
#include "decide/autoscaler/group_reading.h"
#include "manifest/manifest.h"
#include "processor_time.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum work { USED, WAITING, IDLE, IDLE_PARALLEL, WORKS };

static const char *const work_names[] = {"all nodes used", "pods wait", "a third idle, classic",
                                         "a third idle, parallel"};

static void add(struct text *text, enum work work, uint32_t nodes)
{
    static const char zones[] = "abc";
    for (uint32_t i = 0; i < nodes; i++) {
        const char zone = zones[i % 3];
        const uint32_t pods = work >= IDLE && i % 3 == 0 ? 2 : 10;
        text_printf(text,
                    "{apiVersion: v1, kind: Node, metadata: {name: n%04u, annotations: "
                    "{example.org/group: %c}, labels: {kubernetes.io/hostname: n%04u, zone: %c}}, "
                    "spec: {providerID: n%04u}, status: {capacity: {cpu: '4', memory: 16Gi, pods: "
                    "'110'}, conditions: [{type: Ready, status: 'True'}]}}\n---\n",
                    i, zone, i, zone, i);
        for (uint32_t p = 0; p < pods; p++)
            text_printf(
                text,
                "{apiVersion: v1, kind: Pod, metadata: {name: p%04u-%u, namespace: "
                "default, uid: p%04u-%u, labels: {app: w%u}, ownerReferences: [{apiVersion: "
                "apps/v1, kind: ReplicaSet, name: w%u, uid: w%u, controller: true}]}, spec: "
                "{nodeName: n%04u, containers: [{name: c, image: i, resources: {requests: "
                "{cpu: %s}}}]}, status: {phase: Running}}\n---\n",
                i, p, i, p, p % 2, p % 2, p % 2, i, p % 2 ? "250m" : "350m");
    }
    for (uint32_t i = 0; work == WAITING && i < nodes; i++)
        text_printf(text,
                    "{apiVersion: v1, kind: Pod, metadata: {name: q%04u, namespace: default, uid: "
                    "q%04u, creationTimestamp: '2024-03-01T11:00:00Z', labels: {app: q}, "
                    "ownerReferences: [{apiVersion: apps/v1, kind: ReplicaSet, name: w0, uid: w0, "
                    "controller: true}]}, spec: {containers: [{name: c, image: i, resources: "
                    "{requests: {cpu: '2'}}}]}, status: {phase: Pending, conditions: [{type: "
                    "PodScheduled, status: 'False', reason: Unschedulable}]}}\n---\n",
                    i, i);
    for (uint32_t i = 0; i < 2; i++)
        text_printf(text,
                    "{apiVersion: apps/v1, kind: ReplicaSet, metadata: {name: w%u, namespace: "
                    "default}, spec: {selector: {matchLabels: {app: w%u}}, template: {metadata: "
                    "{labels: {app: w%u}}, spec: {containers: [{name: c, image: i}]}}}}\n---\n",
                    i, i, i);
}

static void build(struct arena *arena, enum work work, uint32_t nodes,
                  struct cluster_autoscaler *autoscaler)
{
    const struct features features = features_of_version(FEATURES_MINOR_FIRST);
    const int64_t noon = 1709294400LL * NANOSECONDS_PER_SECOND;
    struct documents documents = {0};
    struct objects objects = {0};
    struct problems problems;
    struct text text;
    problems_init(&problems, arena);
    text_init(&text, arena->memory);
    add(&text, work, nodes);
    if (!manifest_parse(arena, "bench", text_content(&text), text.length, &documents, &problems) ||
        !object_decode(arena, &documents, NULL, &objects, &problems))
        bug("the manifest of the benchmark is wrong: %s",
            problem_format(arena, &problems.items[0]));
    text_release(&text);
    autoscaler_init(autoscaler, arena, &features, noon);
    autoscaler->options.parallel_drain = work == IDLE_PARALLEL;
    for (uint32_t i = 0; i < 3; i++) {
        struct autoscaler_group *group = groups_add(autoscaler, arena_strndup(arena, "abc" + i, 1));
        group->max = (int64_t)2 * nodes;
        group->target = nodes / 3 + (i < nodes % 3);
    }
    autoscaler_world_set(&autoscaler->world, &objects);
}

/* The autoscaler as it was before its first loop, but for the records of nodes, which are emptied.
 */
static void forget(struct cluster_autoscaler *autoscaler, uint32_t nodes)
{
    MAP_EACH (&autoscaler->records, entry) {
        struct node_record *record = entry->value;
        *record = (struct node_record){.name = record->name};
    }
    hints_init(&autoscaler->filter_hints, autoscaler->arena);
    hints_init(&autoscaler->removal_hints, autoscaler->arena);
    autoscaler->index = 0;
    autoscaler->last_scale_up = autoscaler->last_delete = autoscaler->last_fail = 0;
    for (uint32_t i = 0; i < autoscaler->groups.count; i++) {
        struct autoscaler_group *group = autoscaler->groups.items[i];
        group->cached = NULL;
        group->has_request = false;
        group->target = nodes / 3 + (i < nodes % 3);
    }
}

static void run_loop(struct memory *memory, struct cluster_autoscaler *autoscaler)
{
    struct arena loop_arena;
    struct loop_result result;
    arena_init(&loop_arena, memory);
    autoscaler->loop_arena = &loop_arena;
    autoscaler_loop(autoscaler, autoscaler->epoch, &result);
    arena_release(&loop_arena);
}

/* Seconds for one loop: of so many loops, or of as many as there is time for. */
static double measure(struct memory *memory, enum work work, uint32_t nodes, double seconds,
                      uint64_t most)
{
    struct arena arena;
    struct cluster_autoscaler autoscaler;
    uint64_t loops = 0;
    arena_init(&arena, memory);
    build(&arena, work, nodes, &autoscaler);
    struct object pod = autoscaler.world.items.items[1]->object;
    const struct objects changed = {.items = &pod, .count = 1};
    run_loop(memory, &autoscaler); /* everything is new to the first one */
    const int64_t start = processor_time_ns();
    int64_t now = start;
    while (most > 0 ? loops < most : now - start < (int64_t)(seconds * 1e9)) {
        forget(&autoscaler, nodes);
        autoscaler_world_set(&autoscaler.world, &changed);
        run_loop(memory, &autoscaler);
        loops++;
        now = processor_time_ns();
    }
    arena_release(&arena);
    return (double)(now - start) / 1e9 / (double)loops;
}

int main(int argc, char **argv)
{
    static const uint32_t sizes[] = {10, 100, 1000};
    const double seconds = argc == 2 ? strtod(argv[1], NULL) : 1;
    struct memory memory;
    memory_init(&memory, SIZE_MAX);
    if (argc == 4) {
        measure(&memory, (enum work)(strtoul(argv[1], NULL, 10) % WORKS),
                (uint32_t)strtoul(argv[2], NULL, 10), 0, strtoul(argv[3], NULL, 10));
        return 0;
    }
    for (int work = 0; work < WORKS; work++) {
        double smallest = 0;
        for (size_t i = 0; i < sizeof(sizes) / sizeof(sizes[0]); i++) {
            const double time = measure(&memory, (enum work)work, sizes[i], seconds, 0);
            smallest = i == 0 ? time : smallest;
            printf("%-24s %5u nodes  %9.1f loops/s  %7.2f times as long\n", work_names[work],
                   sizes[i], 1 / time, time / smallest);
        }
    }
    return 0;
}
