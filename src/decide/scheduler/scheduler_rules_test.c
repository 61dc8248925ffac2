/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Rules that the recorded decisions do not show: configurations, versions after 1.26, and
 * corners of preemption and nomination. The tables of the plugins stand beside them
 * (plugin/x_test.c); all are one program.
 */
#include "decide/scheduler/rule_cases.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#define SMALL_AND_LARGE NODE("small", "", "2", "") NODE("large", "", "8", "")

static const struct rule_case configurations[] = {
    {"the default prefers the emptier node", 26, SMALL_AND_LARGE POD("new", "", "1", ""),
     "small=649 large=687; large"},
    {"MostAllocated prefers the fuller node", 26,
     SMALL_AND_LARGE POD("new", "", "1", "")
         PROFILE("pluginConfig: [{name: NodeResourcesFit, args: {scoringStrategy: {type: "
                 "MostAllocated, resources: [{name: cpu, weight: 1}, {name: memory, weight: "
                 "3}]}}}]"),
     "small=602 large=612; large"},
    {"RequestedToCapacityRatio follows its shape", 26,
     SMALL_AND_LARGE POD("new", "", "1", "")
         PROFILE("pluginConfig: [{name: NodeResourcesFit, args: {scoringStrategy: {type: "
                 "RequestedToCapacityRatio, resources: [{name: cpu, weight: 1}], "
                 "requestedToCapacityRatio: {shape: [{utilization: 0, score: 0}, {utilization: "
                 "40, score: 10}, {utilization: 100, score: 5}]}}}}]"),
     "small=673 large=630; small"},
    {"a weight multiplies", 26,
     SMALL_AND_LARGE POD("new", "", "1", "")
         PROFILE("plugins: {score: {enabled: [{name: NodeResourcesFit, weight: 10}]}}"),
     "small=1261 large=1470; large"},
    {"a filter that is disabled does not say no", 26,
     SMALL_AND_LARGE POD("new", "", "4", "")
         PROFILE("plugins: {filter: {disabled: [{name: NodeResourcesFit}]}}"),
     "small=599 large=649; large"},
    {"a plugin that is disabled everywhere does not score either", 26,
     SMALL_AND_LARGE POD("new", "", "1", "")
         PROFILE("plugins: {multiPoint: {disabled: [{name: NodeResourcesFit}, {name: "
                 "NodeResourcesBalancedAllocation}, {name: PodTopologySpread}]}}"),
     "small=300 large=300; small large"},
    {"preemption can be disabled", 26,
     NODE("n1", "", "1", "") POD("old", "", "1", ", priority: 0" RUNNING("n1", "01"))
         POD("new", "", "1", ", priority: 5")
             PROFILE("plugins: {postFilter: {disabled: [{name: DefaultPreemption}]}}"),
     "n1=NodeResourcesFit; evict preemption is disabled"},
    {"affinity is added by the profile", 26,
     NODE("n1", ", disk: ssd", "2", "") NODE("n2", "", "2", "") POD("new", "", "1", "")
         PROFILE("pluginConfig: [{name: NodeAffinity, args: {addedAffinity: "
                 "{requiredDuringSchedulingIgnoredDuringExecution: {nodeSelectorTerms: "
                 "[{matchExpressions: [{key: disk, operator: In, values: [ssd]}]}]}}}}]"),
     "n1=649 n2=NodeAffinity; n1"},
    {"required affinity of existing pods weighs as configured", 26,
     NODE("n1", "", "4", "") NODE("n2", "", "4", "")
         POD("old", ", labels: {app: a}", "1",
             ", affinity: {podAffinity: {requiredDuringSchedulingIgnoredDuringExecution: "
             "[{topologyKey: kubernetes.io/hostname, labelSelector: {matchLabels: {app: "
             "a}}}]}}" RUNNING("n1", "01")) POD("new", ", labels: {app: a}", "1", "")
             PROFILE("pluginConfig: [{name: InterPodAffinity, args: "
                     "{hardPodAffinityWeight: 0}}]"),
     "n1=649 n2=674; n2"},
    {"default constraints come from a list", 26,
     NODE("n1", ", rack: r1", "4", "") NODE("n2", ", rack: r2", "4", "")
         POD("old", ", labels: {app: a}", "1", RUNNING("n1", "01"))
             POD("new", ", labels: {app: a}", "1",
                 "") "{apiVersion: v1, kind: Service, metadata: {name: s}, spec: {selector: {app: "
                     "a}, ports: [{port: 80}]}}" END PROFILE(
                         "pluginConfig: [{name: PodTopologySpread, args: {defaultingType: List, "
                         "defaultConstraints: [{maxSkew: 1, topologyKey: rack, whenUnsatisfiable: "
                         "DoNotSchedule}]}}]"),
     "n1=PodTopologySpread n2=674; n2"},
    {"a profile is chosen by name", 26,
     SMALL_AND_LARGE POD("new", "", "1", ", schedulerName: mine")
         PROFILE("schedulerName: mine, plugins: {score: {disabled: [{name: '*'}], enabled: "
                 "[{name: NodeName}, {name: NodeResourcesFit}]}}"),
     "small=68 large=87; large"},
    {"no profile, no decision", 26, SMALL_AND_LARGE POD("new", "", "1", ", schedulerName: mine"),
     "nobody schedules this pod"},
};

#define BUDGETED                                                                                \
    NODE("n1", "", "2", "")                                                                     \
    POD("important", "", "1", ", priority: 2" RUNNING("n1", "01"))                              \
    POD("guarded", ", labels: {app: a}", "1", ", priority: 1" RUNNING("n1", "02"))              \
    POD("new", "", "2", ", priority: 5")                                                        \
    "{apiVersion: policy/v1, kind: PodDisruptionBudget, metadata: {name: b}, spec: {selector: " \
    "{matchLabels: {app: a}}, minAvailable: 1}}" END
#define WAITING(conditions)                                                                      \
    NODE("n1", "", "1", "")                                                                      \
    "{apiVersion: v1, kind: Pod, metadata: {name: leaving, deletionTimestamp: "                  \
    "'2026-01-01T00:00:00Z', deletionGracePeriodSeconds: 30}, spec: {nodeName: n1, containers: " \
    "[{name: c, image: i, resources: {requests: {cpu: 500m}}}]}, status: {phase: Running, "      \
    "startTime: '2026-01-01T00:00:01Z'" conditions                                               \
    "}}" END POD("old", "", "500m", ", priority: 0" RUNNING("n1", "02"))                         \
        POD("new", "", "1", ", priority: 5}, status: {nominatedNodeName: n1")

static const struct rule_case preemption[] = {
    {"victims against a budget come first", 28, BUDGETED,
     "n1=NodeResourcesFit; evict n1:guarded,important"},
    {"victims come by importance", 29, BUDGETED, "n1=NodeResourcesFit; evict n1:important,guarded"},
    {"any terminating pod is waited for", 26, WAITING(""),
     "n1=NodeResourcesFit; evict not eligible due to a terminating pod on the nominated "
     "node."},
    {"only a preempted pod is waited for", 27, WAITING(""),
     "n1=NodeResourcesFit; evict n1:leaving,old"},
    {"a preempted pod is waited for", 27,
     WAITING(", conditions: [{type: DisruptionTarget, status: 'True', reason: "
             "PreemptionByScheduler}]"),
     "n1=NodeResourcesFit; evict not eligible due to a terminating pod on the nominated "
     "node."},
    {"a nominated pod raises the emptiest domain", 26,
     NODE("n1", ", zone: a", "4", "") NODE("n2", ", zone: b", "4", "")
         POD("b1", ", labels: {app: a}", "500m", RUNNING("n2", "01"))
             POD("b2", ", labels: {app: a}", "500m", RUNNING("n2", "02"))
                 POD("there", ", labels: {app: a}", "500m",
                     ", priority: 9}, status: {nominatedNodeName: n1")
                     POD("new", ", labels: {app: a}", "500m", SPREAD("", SELECT_A)),
     "n1=687 n2=PodTopologySpread; n1"},
    {"a nominated pod that makes a node attractive is not there yet", 26,
     NODE("n1", "", "4", "")
         POD("there", ", labels: {app: a}", "1", ", priority: 9}, status: {nominatedNodeName: n1")
             POD("new", "", "1",
                 ", affinity: {podAffinity: {requiredDuringSchedulingIgnoredDuringExecution: "
                 "[{topologyKey: kubernetes.io/hostname, labelSelector: {matchLabels: {app: "
                 "a}}}]}}"),
     "n1=InterPodAffinity; evict"},
    {"pods of equal age and priority: either may go", 26,
     NODE("n1", "", "1", "") POD("a", ", labels: {app: a}", "500m", RUNNING("n1", "01"))
         POD("b", ", labels: {app: b}", "500m", RUNNING("n1", "01"))
             POD("new", "", "500m", ", priority: 5"),
     "n1=NodeResourcesFit; evict n1:b n1:a"},
    {"one port of two is free when one pod goes", 26,
     NODE("n1", "", "4",
          "") "{apiVersion: v1, kind: Pod, metadata: {name: high}, spec: {priority: 9, "
              "nodeName: "
              "n1, containers: [{name: c, image: i, ports: [{containerPort: 80, hostPort: "
              "80}]}]}, "
              "status: {phase: Running, startTime: '2026-01-01T00:00:01Z'}}" END
              "{apiVersion: v1, kind: Pod, metadata: {name: low}, spec: {priority: 0, "
              "nodeName: n1, "
              "containers: [{name: c, image: i, ports: [{containerPort: 80, hostPort: 80}]}]}, "
              "status: {phase: Running, startTime: '2026-01-01T00:00:02Z'}}" END
              "{apiVersion: v1, kind: Pod, metadata: {name: new}, spec: {priority: 5, "
              "containers: "
              "[{name: c, image: i, ports: [{containerPort: 80, hostPort: 80}]}]}}" END,
     "n1=NodePorts; evict n1:low"},
};

/* A population: one anonymous class of nodes, with `there` and `new` of the manifests. */
struct population {
    struct memory memory;
    struct arena arena;
    struct profiles profiles;
    struct catalog *catalog;
    struct scheduler *scheduler;
    struct view_node nodes;
    struct view view;
    uint32_t pod;
};

static void population_init(struct population *population, int minor, const char *manifests,
                            bool nominated)
{
    struct objects objects = {0};
    memory_init(&population->memory, SIZE_MAX);
    arena_init(&population->arena, &population->memory);
    rule_objects(&population->arena, manifests, &objects);
    if (!objects.items)
        bug("a population needs a node and two pods");
    struct features features = features_of_version(minor);
    struct catalog *catalog = catalog_create(&population->arena, &features);
    uint32_t template = catalog_add_anonymous_node(catalog, objects.items[0].as.node);
    struct pod_count there = {catalog_add_pod(catalog, objects.items[1].as.pod), 1};
    population->pod = catalog_add_pod(catalog, objects.items[2].as.pod);
    population->nodes.config = nominated
                                   ? catalog_intern_config(catalog, template, NULL, 0, &there, 1)
                                   : catalog_intern_config(catalog, template, &there, 1, NULL, 0);
    population->view =
        (struct view){.catalog = catalog, .nodes = &population->nodes, .node_count = 1};
    population->catalog = catalog;
    population->profiles = profiles_default(&population->arena);
    population->scheduler = scheduler_create(&population->arena, catalog, &population->profiles);
}

static bool population_is_feasible(struct population *population, uint32_t count)
{
    population->nodes.count = count;
    return scheduler_decide(population->scheduler, &population->view, population->pod, VIEW_NONE)
               ->best_count == 1;
}

static void population_release(struct population *population)
{
    scheduler_release(population->scheduler);
    arena_release(&population->arena);
}

#define OVER_HOSTS(extra)                                                                  \
    NODE("n0", "", "4", "")                                                                \
    POD("there", ", labels: {app: a}", "1", ", priority: 9")                               \
    POD("new", ", labels: {app: a}", "1",                                                  \
        ", topologySpreadConstraints: [{maxSkew: 1, topologyKey: kubernetes.io/hostname, " \
        "whenUnsatisfiable: DoNotSchedule" extra SELECT_A "}]")

/* A class whose nodes each wait for a nominated pod: the pod counts on the one
 * node that is looked at, not on its twin. */
static void test_twins_of_a_nominated_node(void **state)
{
    (void)state;
    struct population population = {0};
    population_init(&population, 26, OVER_HOSTS(""), true);
    assert_false(population_is_feasible(&population, 2));
    assert_true(population_is_feasible(&population, 1));
    population_release(&population);
}

static void test_twins_are_two_domains(void **state)
{
    (void)state;
    struct population population = {0};
    population_init(&population, 27, OVER_HOSTS(", minDomains: 2"), false);
    assert_true(population_is_feasible(&population, 2));
    assert_false(population_is_feasible(&population, 1));
    population_release(&population);
}

/* Without a configuration the plugins of the registry run, with one those of
 * object/scheduler_configuration.c: both must be the same, in the same order. */
static void test_an_empty_configuration_is_the_default(void **state)
{
    (void)state;
    struct memory memory;
    struct arena arena;
    struct problems problems;
    struct objects objects = {0};
    memory_init(&memory, SIZE_MAX);
    arena_init(&arena, &memory);
    problems_init(&problems, &arena);
    rule_objects(&arena, PROFILE("schedulerName: default-scheduler"), &objects);
    const struct profiles given = profiles_resolve(
        &arena, objects.items[0].as.scheduler_configuration, objects.items[0].place, &problems);
    const struct profiles none = profiles_default(&arena);
    const struct profile *left = &given.items[0];
    const struct profile *right = &none.items[0];
    assert_int_equal(problems.count, 0);
    assert_int_equal(left->preempts, right->preempts);
    assert_int_equal(left->filter_count, right->filter_count);
    for (uint32_t i = 0; i < right->filter_count; i++)
        assert_string_equal(left->filters[i]->name, right->filters[i]->name);
    assert_int_equal(left->score_count, right->score_count);
    for (uint32_t i = 0; i < right->score_count; i++) {
        assert_string_equal(left->scores[i].plugin->name, right->scores[i].plugin->name);
        assert_int_equal(left->scores[i].weight, right->scores[i].weight);
    }
    arena_release(&arena);
}

/* A table for each plugin: one that has none is an error of the linker. */
#define PLUGIN(name) extern const struct rule_table rules_of_##name;
#include "decide/scheduler/plugins.def"
#undef PLUGIN

/* Plugins with two tables, one for filtering and one for scoring. */
extern const struct rule_table rules_of_inter_pod_affinity_score;
extern const struct rule_table rules_of_pod_topology_spread_score;

#define PLUGIN(name) {#name, rule_table_check, NULL, NULL, (void *)(uintptr_t)&rules_of_##name},

int main(void)
{
    static const struct rule_table rules_of_configurations = RULE_TABLE(NULL, configurations);
    static const struct rule_table rules_of_preemption = RULE_TABLE(NULL, preemption);
    const struct CMUnitTest tests[] = {
#include "decide/scheduler/plugins.def"
        PLUGIN(inter_pod_affinity_score) PLUGIN(pod_topology_spread_score) PLUGIN(configurations)
            PLUGIN(preemption) cmocka_unit_test(test_twins_of_a_nominated_node),
        cmocka_unit_test(test_twins_are_two_domains),
        cmocka_unit_test(test_an_empty_configuration_is_the_default),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
