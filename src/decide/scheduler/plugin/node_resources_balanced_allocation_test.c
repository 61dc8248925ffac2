/* SPDX-License-Identifier: Apache-2.0 */
/* Nodes whose resources are used alike are better. */
#include "decide/scheduler/rule_cases.h"

#define BARE                                                                            \
    "{apiVersion: v1, kind: Pod, metadata: {name: new}, spec: {containers: [{name: a, " \
    "image: i}]}}" END
#define BEST_EFFORT NODE("n1", "", "2", "") POD("old", "", "1", RUNNING("n1", "01")) BARE

/* A node that is full of memory, to which a pod comes that needs cpu. */
#define UNBALANCED                                                                            \
    NODE("full", "", "2", "")                                                                 \
    NODE("empty", "", "2", "")                                                                \
    "{apiVersion: v1, kind: Pod, metadata: {name: old}, spec: {nodeName: full, containers: "  \
    "[{name: a, image: i, resources: {requests: {memory: 7Gi}}}]}, status: {phase: Running, " \
    "startTime: '2026-01-01T00:00:01Z'}}" END POD("new", "", "1", "")

static const struct rule_case cases[] = {
    {"an eighth of both is balance", 26, NODE("n1", "", "8", "") POD("new", "", "1", ""), "n1=100"},
    {"half of the cpu and an eighth of the memory is less", 26,
     NODE("n1", "", "2", "") POD("new", "", "1", ""), "n1=81"},
    {"more than all counts as all", 26,
     NODE("n1", "", "1", "") POD("old", "", "2", RUNNING("n1", "01")) BARE, "n1=56"},
    {"pods without requests care for balance", 32, BEST_EFFORT, "n1=81"},
    {"pods without requests do not care for balance", 33, BEST_EFFORT, "n1=skipped"},
    {"overhead is a request", 33,
     NODE("n1", "", "2", "") "{apiVersion: v1, kind: Pod, metadata: {name: new}, spec: {overhead: "
                             "{cpu: '1'}, containers: [{name: a, image: i}]}}" END,
     "n1=75"},
    {"what counts is the balance, whoever made it", 35, UNBALANCED, "full=75; empty=81"},
    {"what counts is how the pod changes the balance", 36, UNBALANCED, "full=84; empty=65"},
    {"a change to the worse is rounded to the better", 36,
     NODE("n1", "", "8",
          "") "{apiVersion: v1, kind: Pod, metadata: {name: new}, spec: {containers: "
              "[{name: a, image: i, resources: {requests: {cpu: 900m}}}]}}" END,
     "n1=72"},
};

extern const struct rule_table rules_of_node_resources_balanced_allocation;
const struct rule_table rules_of_node_resources_balanced_allocation =
    RULE_TABLE("NodeResourcesBalancedAllocation", cases);
