/* SPDX-License-Identifier: Apache-2.0 */
/* Rules of the descheduler that recorded cycles touch lightly or not at all:
 * small clusters, whom the canonical cycle evicts, and how many outcomes differ
 * in more than names. */
#include "decide/descheduler/descheduler.h"
#include "manifest/manifest.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#define NODE(name, zone, more)                                                          \
    "---\n{apiVersion: v1, kind: Node, metadata: {name: " name                          \
    ", labels: {kubernetes.io/hostname: " name ", zone: " zone "}}, spec: {" more "}, " \
    "status: {allocatable: {cpu: '1', memory: 1Gi, pods: '10'}}}\n"
#define POD(name, app, node, meta, spec)                                                       \
    "---\n{apiVersion: v1, kind: Pod, metadata: {name: " name ", namespace: default, labels: " \
    "{app: " app "}, ownerReferences: [{apiVersion: apps/v1, kind: ReplicaSet, name: " app     \
    ", uid: u}], " meta "}, spec: {nodeName: " node ", " spec                                  \
    ", containers: [{name: c, image: i, resources: {requests: {cpu: 200m}}}]}, status: "       \
    "{phase: Running}}\n"
#define TWICE_OWNED(name)                                                                       \
    "---\n{apiVersion: v1, kind: Pod, metadata: {name: " name ", namespace: default, "          \
    "ownerReferences: [{apiVersion: a/v1, kind: A, name: a, uid: u}, {apiVersion: b/v1, kind: " \
    "B, name: b, uid: v}]}, spec: {nodeName: n1, containers: [{name: c, image: i}]}, status: "  \
    "{phase: Running}}\n"
#define RESTARTED(name, phase)                                                                   \
    "---\n{apiVersion: v1, kind: Pod, metadata: {name: " name ", namespace: default, "           \
    "ownerReferences: [{apiVersion: a/v1, kind: A, name: a, uid: u}]}, spec: {nodeName: n1, "    \
    "containers: [{name: c, image: i}]}, status: {phase: " phase ", containerStatuses: [{name: " \
    "c, ready: true, image: i, imageID: '', restartCount: 3}]}}\n"
#define SPREAD(key)                                              \
    "topologySpreadConstraints: [{maxSkew: 1, topologyKey: " key \
    ", whenUnsatisfiable: DoNotSchedule, labelSelector: {matchLabels: {app: web}}}]"
#define POLICY(point, plugin, args, evictor, limits)                                     \
    "---\n{apiVersion: descheduler/v1alpha2, kind: DeschedulerPolicy, " limits           \
    "profiles: [{name: p, pluginConfig: [{name: DefaultEvictor, args: {" evictor         \
    "}}, {name: " plugin ", args: {" args "}}], plugins: {" point ": {enabled: [" plugin \
    "]}}}]}\n"
#define NAMESPACE "---\n{apiVersion: v1, kind: Namespace, metadata: {name: default}}\n"
#define LOW_UTILIZATION                                                                           \
    POLICY("balance", "LowNodeUtilization", "thresholds: {cpu: 10}, targetThresholds: {cpu: 50}", \
           "", "")
#define TOPOLOGY_SPREAD(limits) \
    POLICY("balance", "RemovePodsViolatingTopologySpreadConstraint", "", "", limits)
#define EVERYTHING_IS_GUARDED                                                                   \
    "---\n{apiVersion: policy/v1, kind: PodDisruptionBudget, metadata: {name: all, namespace: " \
    "default}, spec: {minAvailable: 1, selector: {}}, status: {currentHealthy: 0, "             \
    "desiredHealthy: 1, expectedPods: 1, disruptionsAllowed: 0}}\n"
#define PLAIN ""

static const struct rule_case {
    const char *name;
    const char *manifest;
    int minor;
    const char *evicted; /* in order */
    uint32_t outcomes;
    int kubernetes; /* 26 for 1.26; 0: that one */
} rule_cases[] = {
    {"one toleration of everything is not enough for two taints",
     NODE("n1", "a", PLAIN) NODE("n2", "a",
                                 "taints: [{key: k, effect: NoSchedule}, {key: l, "
                                 "effect: NoSchedule}]")
         POD("w1", "web", "n1", PLAIN, "tolerations: [{operator: Exists}]")
             POD("w2", "web", "n1", PLAIN, "tolerations: [{operator: Exists}]")
                 POD("w3", "web", "n1", PLAIN, "tolerations: [{operator: Exists}]") LOW_UTILIZATION,
     27, "", 1},
    {"and two are",
     NODE("n1", "a", PLAIN) NODE("n2", "a",
                                 "taints: [{key: k, effect: NoSchedule}, {key: l, "
                                 "effect: NoSchedule}]")
         POD("w1", "web", "n1", PLAIN,
             "tolerations: [{operator: Exists}, {key: x, operator: "
             "Exists}]") POD("w2", "web", "n1", PLAIN, "tolerations: [{operator: Exists}]")
             POD("w3", "web", "n1", PLAIN, "tolerations: [{operator: Exists}]") LOW_UTILIZATION,
     27, "w1 ", 1},
    {"one zone, two nodes, pods of four kinds: any of them may be the last of the listing",
     NODE("n1", "a", PLAIN) NODE("n2", "a", PLAIN) NODE("n3", "b", PLAIN)
         POD("w1", "web", "n1", PLAIN, "priority: 3, " SPREAD("zone"))
             POD("w2", "web", "n1", PLAIN, "priority: 4, " SPREAD("zone"))
                 POD("w3", "web", "n2", PLAIN, "priority: 1, " SPREAD("zone"))
                     POD("w4", "web", "n2", PLAIN, "priority: 2, " SPREAD("zone"))
                         POD("w5", "web", "n3", PLAIN, SPREAD("zone")) TOPOLOGY_SPREAD(PLAIN),
     28, "w4 ", 4},
    {"who is the last of one owner's pods is the last of the other's",
     NODE("n1", "a", PLAIN) NODE("n2", "a", PLAIN) TWICE_OWNED("w1") TWICE_OWNED("w2")
         POLICY("balance", "RemoveDuplicates", "", "", ""),
     27, "w2 ", 1},
    {"a limit of none evicts none",
     NODE("n1", "a", PLAIN) NODE("n2", "b", PLAIN) POD("w1", "web", "n1", PLAIN, SPREAD("zone"))
         POD("w2", "web", "n1", PLAIN, SPREAD("zone")) POD("w3", "web", "n1", PLAIN, SPREAD("zone"))
             TOPOLOGY_SPREAD("maxNoOfPodsToEvictPerNode: 0, ") NAMESPACE,
     27, "", 1},
    {"without a Namespace object v0.27 sees no constraints",
     NODE("n1", "a", PLAIN) NODE("n2", "b", PLAIN) POD("w1", "web", "n1", PLAIN, SPREAD("zone"))
         POD("w2", "web", "n1", PLAIN, SPREAD("zone")) POD("w3", "web", "n1", PLAIN, SPREAD("zone"))
             TOPOLOGY_SPREAD(PLAIN),
     27, "", 1},
    {"v0.28 does",
     NODE("n1", "a", PLAIN) NODE("n2", "b", PLAIN) POD("w1", "web", "n1", PLAIN, SPREAD("zone"))
         POD("w2", "web", "n1", PLAIN, SPREAD("zone")) POD("w3", "web", "n1", PLAIN, SPREAD("zone"))
             TOPOLOGY_SPREAD(PLAIN),
     28, "w3 ", 1},
    {"restarts of pods in other states are none of its business in v0.28",
     NODE("n1", "a", PLAIN) NODE("n2", "b", PLAIN) RESTARTED("w1", "Running")
         RESTARTED("w2", "Pending") POLICY("deschedule", "RemovePodsHavingTooManyRestarts",
                                           "podRestartThreshold: 3, states: [Running]", "", ""),
     28, "w1 ", 1},
    {"and v0.27 does not know states",
     NODE("n1", "a", PLAIN) NODE("n2", "b", PLAIN) RESTARTED("w1", "Running")
         RESTARTED("w2", "Pending") POLICY("deschedule", "RemovePodsHavingTooManyRestarts",
                                           "podRestartThreshold: 3, states: [Running]", "", ""),
     27, "w1 w2 ", 1},
    {"the annotation makes even a terminating pod evictable",
     NODE("n1", "a", PLAIN) NODE("n2", "b", PLAIN) POD(
         "w1", "web", "n1",
         "deletionTimestamp: '1970-01-01T00:00:00Z', annotations: "
         "{descheduler.alpha.kubernetes.io/evict: ''}, creationTimestamp: "
         "'1970-01-01T00:00:00Z'",
         "priority: 2000000000")
         POD("w2", "web", "n1", "creationTimestamp: '1970-01-01T00:00:00Z'", "priority: 2000000000")
             POLICY("deschedule", "PodLifeTime", "maxPodLifeTimeSeconds: 10", "", ""),
     27, "w1 ", 1},
    {"a pod that anti-affinity keeps apart from itself goes only while the other is there",
     NODE("n1", "a", PLAIN) NODE("n2", "a", PLAIN)
         POD("w1", "web", "n1", PLAIN,
             "affinity: {podAntiAffinity: {requiredDuringSchedulingIgnoredDuringExecution: "
             "[{topologyKey: zone, labelSelector: {matchLabels: {app: web}}}]}}")
             POD("w2", "web", "n2", PLAIN,
                 "affinity: {podAntiAffinity: {requiredDuringSchedulingIgnoredDuringExecution: "
                 "[{topologyKey: zone, labelSelector: {matchLabels: {app: web}}}]}}")
                 POLICY("deschedule", "RemovePodsViolatingInterPodAntiAffinity", "", "", ""),
     28, "w1 ", 1},
    {"a budget that selects everything guards nothing until Kubernetes 1.28",
     NODE("n1", "a", PLAIN) NODE("n2", "b", PLAIN) RESTARTED("w1", "Running")
         EVERYTHING_IS_GUARDED POLICY("deschedule", "RemovePodsHavingTooManyRestarts",
                                      "podRestartThreshold: 3", "", ""),
     27, "w1 ", 1, 28},
    {"and from 1.29 on it does",
     NODE("n1", "a", PLAIN) NODE("n2", "b", PLAIN) RESTARTED("w1", "Running")
         EVERYTHING_IS_GUARDED POLICY("deschedule", "RemovePodsHavingTooManyRestarts",
                                      "podRestartThreshold: 3", "", ""),
     27, "", 1, 29},
};

static void read_case(struct arena *arena, const char *text, struct objects *objects)
{
    struct documents documents = {0};
    struct problems problems;
    problems_init(&problems, arena);
    if (!manifest_parse(arena, "case", text, strlen(text), &documents, &problems) ||
        !object_decode(arena, &documents, NULL, objects, &problems))
        fail_msg("%s", problem_format(arena, &problems.items[0]));
}

static void check_case(struct arena *arena, const struct rule_case *a_case)
{
    const struct features kubernetes = features_of_version(a_case->kubernetes);
    struct objects objects = {0};
    struct descheduler_result result;
    struct descheduler_outcomes outcomes;
    struct descheduler_setup setup = {.features = descheduler_features_of_version(a_case->minor),
                                      .objects = &objects,
                                      .now = (int64_t)3600 * NANOSECONDS_PER_SECOND};
    read_case(arena, a_case->manifest, &objects);
    for (uint32_t i = 0; i < objects.count; i++)
        if (objects.items[i].kind == OBJECT_DESCHEDULER_POLICY)
            setup.policy = objects.items[i].as.descheduler_policy;
    const struct kind_readers readers = descheduler_readers(setup.policy, setup.features);
    struct cluster *cluster = cluster_of_objects(arena, &kubernetes, &objects, readers, false);
    descheduler_run(arena, &setup, cluster, true, &result);
    const char *evicted = "";
    for (uint32_t i = 0; i < result.evicted.count; i++)
        evicted =
            arena_printf(arena, "%s%s ", evicted, cluster->pods[result.evicted.items[i].pod].name);
    descheduler_enumerate(arena, &setup,
                          cluster_of_objects(arena, &kubernetes, &objects, readers, true),
                          (struct descheduler_limits){0}, &outcomes);
    if (strcmp(evicted, a_case->evicted) != 0 || outcomes.items.count != a_case->outcomes)
        fail_msg("%s: evicts \"%s\" instead of \"%s\", %u outcomes instead of %u", a_case->name,
                 evicted, a_case->evicted, outcomes.items.count, a_case->outcomes);
}

static void rules(void **state)
{
    struct memory memory;
    struct arena arena;
    (void)state;
    memory_init(&memory, SIZE_MAX);
    arena_init(&arena, &memory);
    for (size_t i = 0; i < sizeof(rule_cases) / sizeof(rule_cases[0]); i++)
        check_case(&arena, &rule_cases[i]);
    arena_release(&arena);
}

/* Overhead is moved with a request, and not without one. */
static void overhead_needs_a_request(void **state)
{
    struct memory memory;
    struct arena arena;
    struct objects objects = {0};
    struct resource_names names;
    struct pod_kind kind;
    (void)state;
    memory_init(&memory, SIZE_MAX);
    arena_init(&arena, &memory);
    read_case(&arena, POD("w1", "web", "n1", PLAIN, "overhead: {cpu: 50m, memory: 1Ki}"), &objects);
    resource_names_init(&names, &arena);
    if (!objects.items)
        bug("there is no pod");
    pod_kind_init(&arena, &names, objects.items[0].as.pod, &kind);
    assert_int_equal(kind.request_count, 2);
    assert_int_equal(kind.requests[0].amount, 250);
    assert_int_equal(kind.requests[0].moved, 250);
    assert_int_equal(kind.requests[1].amount, 1024);
    assert_int_equal(kind.requests[1].moved, 0);
    arena_release(&arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rules),
        cmocka_unit_test(overhead_needs_a_request),
    };
    return cmocka_run_group_tests_name("descheduler rules", tests, NULL, NULL);
}
