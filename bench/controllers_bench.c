/* SPDX-License-Identifier: Apache-2.0 */
/*
 * How many decisions a second each controller makes in the form that the
 * checker uses: pods and nodes as classes with counts.
 *
 * The populations are fixed: a hundred thousand pods in eight classes, five
 * thousand nodes in twenty. Beside them the same controllers with a class for
 * each of a hundred pods or nodes, to see what folding is worth. Each line: the
 * best of several rounds, on one core.
 *
 *     controllers_bench [MINOR]   by the rules of this version of Kubernetes; the newest
 */
#include "base/vec.h"
#include "decide/controller/daemon_set/daemon_set_controller.h"
#include "decide/controller/deployment/deployment.h"
#include "decide/controller/disruption.h"
#include "decide/controller/eviction.h"
#include "decide/controller/hpa_memory.h"
#include "decide/controller/job_controller.h"
#include "decide/controller/kubelet.h"
#include "decide/controller/node_lifecycle.h"
#include "decide/controller/replica_set/replica_set_controller.h"
#include "decide/controller/stateful_set/stateful_set_controller.h"
#include "decide/controller/taint_manager.h"
#include "processor_time.h"

#include <stdio.h>
#include <stdlib.h>

enum { ROUNDS = 5, CLASSES_MOST = 100 };

#define SECONDS(count) ((int64_t)(count)*NANOSECONDS_PER_SECOND)

struct bench {
    struct features features;
    struct memory memory;
    struct arena arena;
    uint32_t classes;
    int64_t each; /* pods or nodes of a class */
    int64_t checksum;
};

/* The class whose turn it is to change. */
static uint32_t turn(const struct bench *bench, uint32_t i)
{
    return bench->classes ? i % bench->classes : 0;
}

static void run_hpa(struct bench *bench, uint32_t times)
{
    static struct hpa_pod_class pods[CLASSES_MOST];
    static struct hpa_sample samples[CLASSES_MOST];
    static const struct hpa_request request = {NULL, 500};
    const struct hpa_metric metric = {.source = METRIC_RESOURCE,
                                      .target = HPA_TARGET_UTILIZATION,
                                      .target_value = 60,
                                      .cpu = true};
    struct scaling_policy policies[] = {{SCALING_PODS, 4, 15}, {SCALING_PERCENT, 100, 15}};
    const struct scaling_rules rules = {.policies = policies, .policy_count = 2};
    struct hpa_input input = {.features = &bench->features,
                              .spec_replicas = (int32_t)(bench->each * bench->classes),
                              .min_replicas = 1,
                              .max_replicas = 1000000,
                              .scale_up = &rules,
                              .scale_down = &rules,
                              .metrics = &metric,
                              .metric_count = 1,
                              .pods = pods,
                              .pod_count = bench->classes};
    hpa_input_set_tolerance(&input);
    for (uint32_t i = 0; i < bench->classes; i++) {
        samples[i] =
            (struct hpa_sample){HPA_SAMPLE_VALUE, 200 + 30 * (i % 8), SECONDS(15), SECONDS(15)};
        pods[i] = (struct hpa_pod_class){.count = bench->each,
                                         .phase = POD_RUNNING,
                                         .readiness = i % 8 ? HPA_READY_TRUE : HPA_READY_FALSE,
                                         .started = true,
                                         .start_age = SECONDS(600),
                                         .ready_age = SECONDS(500),
                                         .samples = &samples[i],
                                         .requests = &request};
    }
    struct hpa_memory memory = {0};
    const struct arena_mark mark = arena_mark(&bench->arena);
    for (uint32_t i = 0; i < times; i++) {
        struct hpa_proposal proposal;
        struct hpa_decision decision;
        samples[turn(bench, i)].milli = 150 + i % 300;
        hpa_decide(&input, &memory, &proposal, &decision);
        hpa_memory_record(&bench->arena, &memory, &input, &decision);
        hpa_memory_age(&memory, SECONDS(15));
        hpa_memory_bound(&memory, &input);
        bench->checksum += decision.replicas;
    }
    arena_rewind(&bench->arena, mark);
}

static void run_budget(struct bench *bench, uint32_t times)
{
    static struct budget_pod_class pods[CLASSES_MOST];
    static const int32_t scales[] = {1000, 2000, 3000};
    const struct pod_disruption_budget budget = {.min_available = {true, true, 80}};
    for (uint32_t i = 0; i < bench->classes; i++)
        pods[i] = (struct budget_pod_class){.count = bench->each,
                                            .owner = i % 3,
                                            .ready = i % 4 != 0,
                                            .disruption_age = BUDGET_NOT_DISRUPTED};
    for (uint32_t i = 0; i < times; i++) {
        struct budget_status status = {0};
        pods[turn(bench, i)].ready = i % 5 != 0;
        budget_decide(&budget, pods, bench->classes, scales, 3, &status);
        const struct eviction_pod pod = {POD_RUNNING, false, true};
        const struct eviction_budget seen = {.current_healthy = status.current_healthy,
                                             .desired_healthy = status.desired_healthy,
                                             .disruptions_allowed = status.disruptions_allowed,
                                             .observed = true};
        bench->checksum +=
            status.current_healthy + (int)eviction_decide(&bench->features, &pod, &seen, 1);
    }
}

static void run_job(struct bench *bench, uint32_t times)
{
    static struct job_pod_class pods[CLASSES_MOST];
    const struct job job = {.parallelism = {true, 40}, .completions = {true, 100000000}};
    for (uint32_t i = 0; i < bench->classes; i++)
        pods[i] = (struct job_pod_class){.count = bench->each,
                                         .phase = i % 3 ? POD_RUNNING : POD_SUCCEEDED,
                                         .assigned = true,
                                         .ready = i % 2 == 0,
                                         .finalizer = true,
                                         .index = JOB_NO_INDEX,
                                         .ready_age = SECONDS(i % 8),
                                         .creation_age = SECONDS(60 + i % 8)};
    const struct arena_mark mark = arena_mark(&bench->arena);
    for (uint32_t i = 0; i < times; i++) {
        const struct job_input input = {.features = &bench->features,
                                        .job = &job,
                                        .tracking = true,
                                        .started = true,
                                        .create_limit = -1,
                                        .pods = pods,
                                        .pod_count = bench->classes};
        struct job_decision decision;
        pods[turn(bench, i)].ready = i % 5 != 0;
        job_decide(&bench->arena, &input, &decision);
        bench->checksum += decision.deleted;
        arena_rewind(&bench->arena, mark);
    }
}

static void run_node_lifecycle(struct bench *bench, uint32_t times)
{
    static struct lifecycle_node nodes[CLASSES_MOST];
    static struct lifecycle_report reports[CLASSES_MOST];
    const struct node_lifecycle_rules rules = node_lifecycle_default_rules(&bench->features);
    struct lifecycle_zone zones[] = {lifecycle_zone_initial(&rules), lifecycle_zone_initial(&rules),
                                     lifecycle_zone_initial(&rules)};
    for (uint32_t i = 0; i < bench->classes; i++)
        nodes[i] = (struct lifecycle_node){
            .count = bench->each,
            .zone = i % 3,
            .conditions = {STATUS_TRUE, STATUS_FALSE, STATUS_FALSE, STATUS_FALSE, STATUS_FALSE},
            .has_lease = true,
        };
    for (uint32_t i = 0; i < times; i++) {
        const uint32_t node = turn(bench, i);
        nodes[node].lease_new = true;
        nodes[node].conditions[NODE_READY] = i % 7 ? STATUS_TRUE : STATUS_FALSE;
        nodes[node].heartbeat = true;
        node_lifecycle_monitor(&rules, nodes, bench->classes, zones, 3, reports);
        node_lifecycle_age(nodes, bench->classes, zones, 3, SECONDS(5));
        bench->checksum += nodes[node].queue;
    }
}

static void run_taint_manager(struct bench *bench, uint32_t times)
{
    static const struct taint taints[] = {
        {"node.kubernetes.io/not-ready", "", TAINT_NO_EXECUTE, TIME_NONE}};
    static const struct toleration tolerations[] = {
        {"gpu", TOLERATION_EXISTS, "", TAINT_NO_EXECUTE, {false, 0}},
        {"node.kubernetes.io/not-ready", TOLERATION_EXISTS, "", TAINT_NO_EXECUTE, {true, 300}}};
    static struct taint_eviction evictions[CLASSES_MOST];
    for (uint32_t i = 0; i < times; i++) {
        for (uint32_t p = 0; p < bench->classes; p++) {
            bool evict;
            const uint32_t tainted = (i + p) % 2;
            const int64_t seconds =
                taint_manager_tolerated_seconds(taints, tainted, tolerations, 2);
            taint_manager_update(&evictions[p], false, tainted, seconds, &evict);
            bench->checksum += taint_manager_age(&evictions[p], false, SECONDS(5)) ? 1 : 0;
        }
    }
}

/* Sets have no classes: two of them, whatever their size. */
static void run_deployment(struct bench *bench, uint32_t times)
{
    const int32_t replicas = (int32_t)(bench->each * bench->classes);
    struct replica_set_facts sets[] = {{.name = "a", .replicas = replicas / 2},
                                       {.name = "b", .present_template = true}};
    const struct deployment_facts deployment = {.replicas = replicas,
                                                .max_surge = replicas / 4,
                                                .max_unavailable = replicas / 4,
                                                .history_limit = INT32_MAX,
                                                .progress_deadline_seconds = INT32_MAX};
    const struct arena_mark mark = arena_mark(&bench->arena);
    for (uint32_t i = 0; i < times; i++) {
        sets[0].available_replicas = sets[0].replicas;
        sets[1].replicas = (int32_t)(i % 64) * replicas / 64;
        sets[1].available_replicas = sets[1].replicas - (int32_t)(i % 3);
        bench->checksum += deployment_sync(&bench->arena, &deployment, sets, 2, "c")->actions.count;
        arena_rewind(&bench->arena, mark);
    }
}

static void count_way(void *context, const uint32_t *amounts)
{
    *(int64_t *)context += amounts[0];
}

/* A sync that removes a tenth of the pods, and all ways to do so. */
static void run_replica_set(struct bench *bench, uint32_t times)
{
    static struct replica_set_pod_class pods[CLASSES_MOST];
    for (uint32_t i = 0; i < bench->classes; i++)
        pods[i] = (struct replica_set_pod_class){.count = (uint32_t)bench->each,
                                                 .phase = POD_RUNNING,
                                                 .assigned = true,
                                                 .ready = true,
                                                 .restarts = (int32_t)i,
                                                 .ready_age = SECONDS(600),
                                                 .creation_age = SECONDS(700)};
    const int64_t total = bench->each * bench->classes;
    for (uint32_t i = 0; i < times; i++) {
        pods[turn(bench, i)].ready = i % 5 != 0;
        const struct replica_set_facts_in facts = {.replicas = (int32_t)(total - total / 10),
                                                   .burst = INT32_MAX,
                                                   .creations_allowed = -1,
                                                   .pods = pods,
                                                   .pod_class_count = bench->classes};
        const struct replica_set_decision decision = replica_set_sync(&facts);
        bench->checksum += (int64_t)replica_set_each_removal(&bench->arena, pods, bench->classes,
                                                             (uint32_t)decision.removed, count_way,
                                                             &bench->checksum);
    }
}

/* Pods with identities: as many as there are classes. */
static void run_stateful_set(struct bench *bench, uint32_t times)
{
    static struct stateful_pod pods[CLASSES_MOST];
    for (uint32_t i = 0; i < bench->classes; i++)
        pods[i] = (struct stateful_pod){.ordinal = (int32_t)i,
                                        .created = true,
                                        .ready = true,
                                        .available = true,
                                        .current_revision = true};
    const struct arena_mark mark = arena_mark(&bench->arena);
    for (uint32_t i = 0; i < times; i++) {
        pods[turn(bench, i)].update_revision = i % 7 == 0;
        const struct stateful_set_facts facts = {.features = &bench->features,
                                                 .replicas = (int32_t)bench->classes,
                                                 .pods = pods,
                                                 .pod_count = bench->classes};
        bench->checksum += stateful_set_sync(&bench->arena, &facts)->actions.count;
        arena_rewind(&bench->arena, mark);
    }
}

static void run_daemon_set(struct bench *bench, uint32_t times)
{
    static struct daemon_pod pods[CLASSES_MOST];
    static struct daemon_node_class nodes[CLASSES_MOST];
    for (uint32_t i = 0; i < bench->classes; i++) {
        pods[i] = (struct daemon_pod){.assigned = true, .ready = true, .available = true};
        nodes[i] = (struct daemon_node_class){.count = (uint32_t)bench->each,
                                              .present = true,
                                              .should_run = true,
                                              .should_continue = true,
                                              .pods = &pods[i],
                                              .pod_count = 1};
    }
    const struct arena_mark mark = arena_mark(&bench->arena);
    for (uint32_t i = 0; i < times; i++) {
        pods[turn(bench, i)].updated = i % 5 != 0;
        const struct daemon_set_facts facts = {.features = &bench->features,
                                               .max_unavailable = {true, true, 10},
                                               .nodes = nodes,
                                               .node_class_count = bench->classes};
        bench->checksum += daemon_set_sync(&bench->arena, &facts)->replacements;
        arena_rewind(&bench->arena, mark);
    }
}

/* Whom the kubelet of a node evicts that is low on memory. */
static void run_eviction(struct bench *bench, uint32_t times)
{
    static struct kubelet_eviction_pod pods[CLASSES_MOST];
    static bool victims[CLASSES_MOST];
    for (uint32_t i = 0; i < bench->classes; i++)
        pods[i] = (struct kubelet_eviction_pod){
            .count = (uint32_t)bench->each, .measured = true, .priority = (int32_t)(i % 3)};
    for (uint32_t i = 0; i < times; i++) {
        pods[turn(bench, i)].memory_used = i % 1000;
        bench->checksum += kubelet_victims(KUBELET_MEMORY_AVAILABLE, pods, bench->classes, victims);
    }
}

struct row {
    const char *name;
    void (*run)(struct bench *bench, uint32_t times);
    const char *unit;
    uint32_t classes;
    int64_t each;
    uint32_t times;
};

static void measure(struct bench *bench, const struct row *row, uint32_t classes, int64_t each,
                    uint32_t times)
{
    double best = 0;
    bench->classes = classes;
    bench->each = each;
    for (int round = 0; round < ROUNDS; round++) {
        const int64_t start = processor_time_ns();
        row->run(bench, times);
        const double rate = 1e9 * times / (double)(processor_time_ns() - start);
        if (rate > best)
            best = rate;
    }
    printf("%-28s %7lld in %3u classes: %10.0f %s/s\n", row->name, (long long)classes * each,
           classes, best, row->unit);
}

int main(int argc, char **argv)
{
    static const struct row rows[] = {
        {"HorizontalPodAutoscaler", run_hpa, "syncs", 8, 12500, 400000},
        {"Deployment", run_deployment, "syncs", 8, 12500, 400000},
        {"ReplicaSet, all removals", run_replica_set, "syncs", 8, 12500, 200000},
        {"StatefulSet", run_stateful_set, "syncs", 8, 1, 400000},
        {"DaemonSet", run_daemon_set, "syncs", 20, 250, 200000},
        {"kubelet, eviction", run_eviction, "looks", 8, 12, 400000},
        {"PodDisruptionBudget", run_budget, "syncs", 8, 12500, 1000000},
        {"Job", run_job, "syncs", 8, 12500, 400000},
        {"node lifecycle", run_node_lifecycle, "passes", 20, 250, 200000},
        {"taint manager", run_taint_manager, "updates of all pods", 8, 12500, 400000},
    };
    static struct bench bench;
    bench.features = features_of_version(argc > 1 ? atoi(argv[1]) : FEATURES_MINOR_LAST);
    memory_init(&bench.memory, SIZE_MAX);
    arena_init(&bench.arena, &bench.memory);
    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        measure(&bench, &rows[i], rows[i].classes, rows[i].each, rows[i].times);
        measure(&bench, &rows[i], CLASSES_MOST, 1, rows[i].times / 20);
    }
    arena_release(&bench.arena);
    printf("checksum %lld\n", (long long)bench.checksum);
    return 0;
}
