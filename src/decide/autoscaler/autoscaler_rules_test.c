/* SPDX-License-Identifier: Apache-2.0 */
/* Rules of the autoscaler, each on a small cluster; in particular those that no recording shows. */
#include "decide/autoscaler/autoscaler_fixture.h"

struct case_of_rule {
    const char *name;
    const char *scenario;
    uint32_t loop;
    const char *path;
    const char *expected;
};

#include <stdio.h>

#define EXCLUSIVE                                                                     \
    ", affinity: {podAntiAffinity: {requiredDuringSchedulingIgnoredDuringExecution: " \
    "[{topologyKey: kubernetes.io/hostname, labelSelector: {matchLabels: {app: w}}}]}}"
#define FOLLOWS                                                                   \
    ", affinity: {podAffinity: {requiredDuringSchedulingIgnoredDuringExecution: " \
    "[{topologyKey: kubernetes.io/hostname, labelSelector: {matchLabels: {app: x}}}]}}"
#define SPREAD                                                                          \
    ", topologySpreadConstraints: [{maxSkew: 1, topologyKey: zone, whenUnsatisfiable: " \
    "DoNotSchedule, labelSelector: {matchLabels: {app: w}}}]"
#define SAFE(value) ", annotations: {cluster-autoscaler.kubernetes.io/safe-to-evict: " value "}"
#define BUDGET(app, allowed)                                                                 \
    "  - {apiVersion: policy/v1, kind: PodDisruptionBudget, metadata: {name: b, namespace: " \
    "default}, spec: {selector: {matchLabels: {app: " app                                    \
    "}}}, status: {disruptionsAllowed: " allowed "}}\n"
#define FLOW_NODE(name, ready)                                                             \
    "{apiVersion: v1, kind: Node, metadata: {name: " name                                  \
    ", creationTimestamp: \"2024-03-01T09:00:00Z\", annotations: {example.org/group: a}, " \
    "labels: {kubernetes.io/hostname: " name ", zone: a}}, spec: {providerID: " name       \
    "}, status: {" SIZE ", conditions: [{type: Ready, status: \"" ready                    \
    "\", lastTransitionTime: \"2024-03-01T09:00:00Z\"}]}}"
#define LATE_NODE  FLOW_NODE("a-1", "True")
#define UNREADY_A1 FLOW_NODE("a-1", "False")
#define UNREADY_A2 FLOW_NODE("a-2", "False")
#define TWO_NODES  NODE("a-1", "a") NODE("a-2", "a")
#define GROUP_A    GROUP("a", "min: 0, max: 10, target: 2")

static const struct case_of_rule scale_up_rules[] = {
    {"a pod that fits nowhere gets a node",
     SCENARIO("", GROUP_A,
              TWO_NODES RUNNING("w", "w-1", "a-1", "3") RUNNING("w", "w-2", "a-2", "3")
                  PENDING("w", "w-3", "2"),
              ONCE),
     0, "scaleUp.increase", "[{\"group\":\"a\",\"from\":2,\"to\":3}]"},
    {"a pod that fits somewhere needs no help",
     SCENARIO("", GROUP_A, TWO_NODES PENDING("w", "w-1", "2"), ONCE), 0, "scaleUp.schedulable",
     "[{\"pod\":\"default/w-1\",\"to\":\"a-1\"}]"},
    {"a cordoned node takes no pod, whatever the pod tolerates",
     SCENARIO("", GROUP_A,
              NODE_WITH("a-1", "a", ", unschedulable: true") NODE("a-2", "a")
                  POD_OF("w", "w-1", "", "1", ", tolerations: [{operator: Exists}]", UNSCHEDULABLE),
              ONCE),
     0, "scaleUp.schedulable", "[{\"pod\":\"default/w-1\",\"to\":\"a-2\"}]"},
    {"the search goes on behind the node that was found last",
     SCENARIO("", GROUP_A, TWO_NODES PENDING("w", "w-1", "1") PENDING("w", "w-2", "1"), ONCE), 0,
     "scaleUp.schedulable",
     "[{\"pod\":\"default/w-1\",\"to\":\"a-1\"},{\"pod\":\"default/w-2\",\"to\":\"a-2\"}]"},
    {"pods that exclude each other by host need a node each",
     SCENARIO("", GROUP("a", "min: 0, max: 10, target: 0"),
              POD_OF("w", "w-1", "", "1", EXCLUSIVE, UNSCHEDULABLE)
                  POD_OF("w", "w-2", "", "1", EXCLUSIVE, UNSCHEDULABLE)
                      POD_OF("w", "w-3", "", "1", EXCLUSIVE, UNSCHEDULABLE),
              ONCE),
     0, "scaleUp.increase", "[{\"group\":\"a\",\"from\":0,\"to\":3}]"},
    {"zonal spreading leaves surplus pods out of an option",
     SCENARIO("", GROUP("a", "min: 0, max: 10, target: 0") GROUP("b", "min: 0, max: 10, target: 1"),
              NODE("b-1", "b")
                  POD_OF("w", "w-1", "", "3", SPREAD ", nodeName: b-1", "phase: Running")
                      POD_OF("w", "w-2", "", "3", SPREAD, UNSCHEDULABLE)
                          POD_OF("w", "w-3", "", "3", SPREAD, UNSCHEDULABLE)
                              POD_OF("w", "w-4", "", "3", SPREAD, UNSCHEDULABLE),
              ONCE),
     0, "scaleUp.triggered", "[\"default/w-2\",\"default/w-3\"]"},
    {"the estimator stops after so many nodes",
     SCENARIO("max-nodes-per-scaleup: 2", GROUP("a", "min: 0, max: 10, target: 0"),
              PENDING("w", "w-1", "3") PENDING("w", "w-2", "3") PENDING("w", "w-3", "3"), ONCE),
     0, "scaleUp.increase", "[{\"group\":\"a\",\"from\":0,\"to\":2}]"},
    {"a group does not grow beyond its maximum",
     SCENARIO("", GROUP("a", "min: 0, max: 1, target: 0"),
              PENDING("w", "w-1", "3") PENDING("w", "w-2", "3"), ONCE),
     0, "scaleUp.increase", "[{\"group\":\"a\",\"from\":0,\"to\":1}]"},
    {"a cluster does not grow beyond its cores",
     SCENARIO("cores-total-max: 9", GROUP("a", "min: 0, max: 10, target: 0"),
              PENDING("w", "w-1", "3") PENDING("w", "w-2", "3") PENDING("w", "w-3", "3"), ONCE),
     0, "scaleUp.increase", "[{\"group\":\"a\",\"from\":0,\"to\":2}]"},
    {"similar groups are balanced",
     SCENARIO("balance-similar-node-groups: true, balancing-ignore-label: zone",
              GROUP("a", "min: 0, max: 10, target: 0") GROUP("b", "min: 0, max: 10, target: 0"),
              PENDING("w", "w-1", "3") PENDING("w", "w-2", "3"), ONCE),
     0, "scaleUp.increase",
     "[{\"group\":\"a\",\"from\":0,\"to\":1},{\"group\":\"b\",\"from\":0,\"to\":1}]"},
    {"a label of its own makes a group different",
     SCENARIO("balance-similar-node-groups: true",
              GROUP("a", "min: 0, max: 10, target: 0") GROUP("b", "min: 0, max: 10, target: 0"),
              PENDING("w", "w-1", "3") PENDING("w", "w-2", "3"), ONCE),
     0, "scaleUp.increase", "[{\"group\":\"a\",\"from\":0,\"to\":2}]"},
    {"nodes that are to come take pods",
     SCENARIO("", GROUP("a", "min: 0, max: 10, target: 1"), PENDING("w", "w-1", "3"), ONCE), 0,
     "scaleUp.schedulable", "[{\"pod\":\"default/w-1\",\"to\":\"template:a-upcoming-0\"}]"},
    {"a pod below the cutoff needs no help",
     SCENARIO("", GROUP_A, TWO_NODES POD_OF("w", "w-1", "", "9", ", priority: -11", UNSCHEDULABLE),
              ONCE),
     0, "scaleUp.toHelp", ""},
    {"pods of two seconds wait for more",
     SCENARIO("", GROUP_A,
              TWO_NODES "  - {apiVersion: v1, kind: Pod, metadata: {name: p, namespace: default, "
                        "creationTimestamp: \"2024-03-01T11:59:59Z\"}, spec: {nodeSelector: {zone: "
                        "b}, containers: [{name: c, image: i}]}, status: {" UNSCHEDULABLE "}}\n",
              ONCE),
     0, "scaleUp.result", "\"InCooldown\""},
    {"a pod that asks for it waits",
     SCENARIO("", GROUP_A,
              TWO_NODES POD_OF("w", "w-1",
                               ", annotations: "
                               "{cluster-autoscaler.kubernetes.io/pod-scale-up-delay: 2h}",
                               "3", ", nodeSelector: {zone: b}", UNSCHEDULABLE),
              ONCE),
     0, "scaleUp.result", "\"NotNeeded\""},
    {"a pod that failed like another one is not tried again",
     SCENARIO("", GROUP_A,
              TWO_NODES POD_OF("w", "w-1", "", "1", FOLLOWS, UNSCHEDULABLE)
                  POD_OF("x", "w-2", "", "1", "", UNSCHEDULABLE)
                      POD_OF("w", "w-3", "", "1", FOLLOWS, UNSCHEDULABLE),
              ONCE),
     0, "scaleUp.toHelp", "[\"default/w-1\",\"default/w-3\"]"},
    {"a failed scale-up backs the group off, longer each time, and a success forgets it",
     SCENARIO("", GROUP("a", "min: 0, max: 10, target: 0"), PENDING("w", "w-1", "3"),
              "  - {at: 0, failScaleUp: [a]}\n  - {at: 301, failScaleUp: [a]}\n"),
     1, "memory.backoff", "{\"a\":{\"duration\":600,\"until\":901}}"},
    {"a scale-up that ends well erases the back-off",
     SCENARIO("", GROUP("a", "min: 0, max: 10, target: 0"), PENDING("w", "w-1", "3"),
              "  - {at: 0, failScaleUp: [a]}\n  - {at: 301}\n"
              "  - {at: 401, set: [" LATE_NODE "], targets: {a: 1}}\n"),
     2, "memory.backoff", ""},
};

static const struct case_of_rule state_rules[] = {
    {"an unhealthy cluster forgets who is unneeded",
     SCENARIO("ok-total-unready-count: 0", GROUP_A, TWO_NODES,
              "  - {at: 0}\n  - {at: 10, set: [" UNREADY_A1 ", " UNREADY_A2 "]}\n"),
     1, "memory.unneededSince", ""},
    {"a target below the number of nodes is not raised",
     SCENARIO("max-node-provision-time: 60, max-bulk-soft-taint-count: 0",
              GROUP("a", "min: 0, max: 10, target: 1"), TWO_NODES, "  - {at: 0}\n  - {at: 61}\n"),
     1, "actions", ""},
    {"a target above the number of nodes is lowered in the end",
     SCENARIO("max-node-provision-time: 60", GROUP("a", "min: 0, max: 10, target: 4"), TWO_NODES,
              "  - {at: 0}\n  - {at: 61}\n"),
     1, "actions", "[{\"do\":\"decreaseTarget\",\"group\":\"a\",\"by\":-2}]"},
    {"an instance that never became a node is deleted",
     SCENARIO("max-node-provision-time: 60",
              GROUP("a", "min: 2, max: 10, target: 3, unregistered: {i: \"\"}"), TWO_NODES,
              "  - {at: 0}\n  - {at: 61, unregistered: {a: {i: \"\"}}}\n"),
     1, "actions", "[{\"do\":\"deleteNode\",\"group\":\"a\",\"node\":\"i\"}]"},
    {"but not below the minimum",
     SCENARIO("max-node-provision-time: 60",
              GROUP("a", "min: 3, max: 10, target: 3, unregistered: {i: \"\"}"), TWO_NODES,
              "  - {at: 0}\n  - {at: 61, unregistered: {a: {i: \"\"}}}\n"),
     1, "actions", ""},
    {"the first loop takes the taints of an earlier process away",
     SCENARIO("", GROUP_A,
              NODE_WITH("a-1", "a",
                        ", taints: [{key: ToBeDeletedByClusterAutoscaler, value: \"1709290000\", "
                        "effect: NoSchedule}]"),
              ONCE),
     0, "scaleDown.unneeded", "[{\"node\":\"a-1\",\"since\":0}]"},
    {"a group below its minimum grows, if that is asked for",
     SCENARIO("enforce-node-group-min-size: true", GROUP("a", "min: 3, max: 10, target: 2"),
              TWO_NODES, ONCE),
     0, "scaleUp.increase", "[{\"group\":\"a\",\"from\":2,\"to\":3}]"},
};

static const struct case_of_rule scale_down_rules[] = {
    {"a node goes when it was unneeded for longer than the time",
     SCENARIO("", GROUP("a", "min: 1, max: 10, target: 2"), TWO_NODES,
              "  - {at: 0}\n  - {at: 600}\n"),
     1, "scaleDown.result", "\"NoUnneeded\""},
    {"and not a second earlier",
     SCENARIO("", GROUP("a", "min: 1, max: 10, target: 2"), TWO_NODES,
              "  - {at: 0}\n  - {at: 601}\n"),
     1, "scaleDown.deleteEmpty", "[\"a-1\"]"},
    {"after a scale-up no node goes for a while",
     SCENARIO("scale-down-unneeded-time: 1", GROUP("a", "min: 0, max: 10, target: 2"),
              TWO_NODES RUNNING("w", "w-1", "a-1", "3") RUNNING("w", "w-3", "a-2", "1")
                  PENDING("w", "w-2", "4"),
              "  - {at: 0}\n  - {at: 10, delete: [Pod/default/w-2]}\n  - {at: 599}\n"),
     2, "scaleDown.result", "\"InCooldown\""},
    {"a node whose drain a budget may stop goes last",
     SCENARIO("parallel-drain: true, max-drain-parallelism: 1, scale-down-unneeded-time: 1",
              GROUP("a", "min: 0, max: 10, target: 2") GROUP("b", "min: 0, max: 10, target: 1"),
              NODE("a-1", "a") NODE("a-3", "a") NODE("b-2", "b") SET("w") SET("x")
                  POD_OF("w", "w-1", "", "250m", ", nodeSelector: {zone: a}, nodeName: a-1",
                         "phase: Running")
                      POD_OF("w", "w-2", "", "250m", ", nodeSelector: {zone: a}, nodeName: a-1",
                             "phase: Running") RUNNING("x", "x-1", "b-2", "500m")
                          RUNNING("x", "x-2", "a-3", "3") BUDGET("w", "1"),
              "  - {at: 0}\n  - {at: 2}\n"),
     1, "scaleDown.deleteDrain", "[\"b-2\"]"},
    {"soft taints are few at a time",
     SCENARIO("max-bulk-soft-taint-count: 1", GROUP("a", "min: 0, max: 10, target: 2"), TWO_NODES,
              ONCE),
     0, "actions",
     "[{\"do\":\"taint\",\"node\":\"a-1\",\"key\":\"DeletionCandidateOfClusterAutoscaler\","
     "\"effect\":\"PreferNoSchedule\"}]"},
    {"a node is cordoned with its taint if that is asked for",
     SCENARIO("cordon-node-before-terminating: true, scale-down-unneeded-time: 1",
              GROUP("a", "min: 1, max: 10, target: 2"), TWO_NODES, "  - {at: 0}\n  - {at: 2}\n"),
     1, "actions",
     "[{\"do\":\"taint\",\"node\":\"a-1\",\"key\":\"ToBeDeletedByClusterAutoscaler\","
     "\"effect\":\"NoSchedule\"},{\"do\":\"cordon\",\"node\":\"a-1\"}]"},
};

struct case_of_drain {
    const char *objects; /* beside two nodes of a group */
    const char *expected;
};

/* What becomes of node a-1. */
static const struct case_of_drain drain_rules[] = {
    {SET("w") RUNNING("w", "w-1", "a-1", "1"), "NotUnneededLongEnough"},
    {RUNNING("w", "w-1", "a-1", "1"), "ControllerNotFound"},
    {SET("w") RUNNING("w", "w-1", "a-1", "2"), "NotUnderutilized"},
    {SET("w") RUNNING("w", "w-1", "a-1", "1900m") RUNNING("w", "w-2", "a-2", "2500m"),
     "NoPlaceToMovePods"},
    {SET("w") POD_OF("w", "w-1", SAFE("\"false\""), "1", ", nodeName: a-1", "phase: Running"),
     "NotSafeToEvictAnnotation"},
    {SET("w") POD_OF("w", "w-1", "", "1", ", nodeName: a-1, volumes: [{name: v, emptyDir: {}}]",
                     "phase: Running"),
     "LocalStorageRequested"},
    {SET("w") POD_OF("w", "w-1", SAFE("\"true\""), "1",
                     ", nodeName: a-1, volumes: [{name: v, emptyDir: {}}]", "phase: Running"),
     "NotUnneededLongEnough"},
    {SET("w") POD_OF("w", "w-1",
                     ", annotations: {cluster-autoscaler.kubernetes.io/"
                     "safe-to-evict-local-volumes: \"u,v\"}",
                     "1", ", nodeName: a-1, volumes: [{name: v, emptyDir: {}}]", "phase: Running"),
     "NotUnneededLongEnough"},
    {SET("w") RUNNING("w", "w-1", "a-1", "1") BUDGET("w", "0"), "NotEnoughPdb"},
    {SET("w") POD_OF("w", "w-1", ", deletionTimestamp: \"2024-03-01T11:58:59Z\"", "3",
                     ", nodeName: a-1", "phase: Running"),
     "NotUnneededLongEnough"},
    {SET("w") POD_OF("w", "w-1", ", deletionTimestamp: \"2024-03-01T11:59:00Z\"", "3",
                     ", nodeName: a-1", "phase: Running"),
     "NotUnderutilized"},
    {"  - {apiVersion: v1, kind: Pod, metadata: {name: bare, namespace: default}, spec: {nodeName: "
     "a-1, containers: [{name: c, image: i}]}, status: {phase: Running}}\n",
     "NotReplicated"},
    {"  - {apiVersion: v1, kind: Pod, metadata: {name: m, namespace: default, annotations: "
     "{kubernetes.io/config.mirror: x}}, spec: {nodeName: a-1, containers: [{name: c, image: i}]}, "
     "status: {phase: Running}}\n",
     "NotUnneededLongEnough"},
};

static void check_rules(const struct case_of_rule *rules, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        struct ruling ruling;
        rule(&ruling, rules[i].scenario);
        if (ruling.error)
            fail_msg("%s: %s", rules[i].name, ruling.error);
        const char *found = part(&ruling, rules[i].loop, rules[i].path);
        if (strcmp(found, rules[i].expected) != 0)
            fail_msg("%s: expected %s, found %s", rules[i].name, rules[i].expected, found);
        release(&ruling);
    }
}

static void scaling_up(void **state)
{
    (void)state;
    check_rules(scale_up_rules, sizeof(scale_up_rules) / sizeof(scale_up_rules[0]));
}

static void what_is_remembered(void **state)
{
    (void)state;
    check_rules(state_rules, sizeof(state_rules) / sizeof(state_rules[0]));
}

static void scaling_down(void **state)
{
    (void)state;
    check_rules(scale_down_rules, sizeof(scale_down_rules) / sizeof(scale_down_rules[0]));
}

static void draining(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof(drain_rules) / sizeof(drain_rules[0]); i++) {
        struct ruling ruling;
        char scenario[8192];
        snprintf(scenario, sizeof(scenario),
                 "now: \"2024-03-01T12:00:00Z\"\ngroups:\n" GROUP_A "objects:\n" TWO_NODES
                 "%sloops:\n" ONCE,
                 drain_rules[i].objects);
        rule(&ruling, scenario);
        if (ruling.error)
            fail_msg("%zu: %s", i, ruling.error);
        const char *found = reason_of(&ruling, 0, "a-1");
        if (strcmp(found, drain_rules[i].expected) != 0)
            fail_msg("%zu: expected %s, found %s", i, drain_rules[i].expected, found);
        release(&ruling);
    }
}

#define SOFT_TAINT(second)                                                                   \
    ", taints: [{key: DeletionCandidateOfClusterAutoscaler, value: \"" second "\", effect: " \
    "PreferNoSchedule}]"
#define HALF_USED(loops)                                                                         \
    SCENARIO("parallel-drain: true", GROUP_A,                                                    \
             TWO_NODES SET("w") RUNNING("w", "w-1", "a-1", "1") RUNNING("w", "w-2", "a-2", "1"), \
             loops)                                                                              \
    "outcomes: 40\n"

/* Is there such an outcome of the second loop? */
static bool comes_out(const struct ruling *ruling, const char *key, const char *node)
{
    const struct value *sets = value_find(value_find(&ruling->loops->items[1], "natural"), "sets");
    for (uint32_t i = 0; i < sets->count; i++) {
        const struct value *list = value_find(value_find(&sets->items[i], "outcome"), key);
        const char *first;
        if (list && list->count == 1 && value_read_string(&list->items[0], &first) &&
            strcmp(first, node) == 0)
            return true;
    }
    return false;
}

/* One of two nodes may go, and which one is a matter of order. If nothing but the soft taint
 * of the first loop changes the cluster, each of them may be gone by the second; otherwise the
 * first loop has gone by name, and the other node's timer has just begun. */
static void orders_of_loops_before(void **state)
{
    struct ruling ruling;
    (void)state;
    rule(&ruling, HALF_USED(ONCE "  - at: 601\n    set:\n  " NODE_WITH("a-1", "a",
                                                                       SOFT_TAINT("1709294400"))));
    assert_true(comes_out(&ruling, "deleteDrain", "a-1"));
    assert_true(comes_out(&ruling, "deleteDrain", "a-2"));
    release(&ruling);
    rule(&ruling, HALF_USED(ONCE "  - at: 601\n    set:\n  " NODE_WITH("a-1", "a",
                                                                       SOFT_TAINT("1709294399"))));
    assert_true(comes_out(&ruling, "deleteDrain", "a-1"));
    assert_false(comes_out(&ruling, "deleteDrain", "a-2"));
    assert_true(comes_out(&ruling, "unneeded", "a-2"));
    release(&ruling);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(scaling_up),
        cmocka_unit_test(what_is_remembered),
        cmocka_unit_test(scaling_down),
        cmocka_unit_test(draining),
        cmocka_unit_test(orders_of_loops_before),
    };
    return cmocka_run_group_tests_name("autoscaler rules", tests, NULL, NULL);
}
