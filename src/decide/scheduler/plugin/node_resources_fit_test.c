/* SPDX-License-Identifier: Apache-2.0 */
/* What a pod requests has to fit, and more room is better. */
#include "decide/scheduler/rule_cases.h"

#define BARE(name, rest)                                 \
    "{apiVersion: v1, kind: Pod, metadata: {name: " name \
    "}, spec: {containers: [{name: c, image: i}]" rest "}}" END
#define REQUESTS(name, requests, rest)                                                        \
    "{apiVersion: v1, kind: Pod, metadata: {name: " name                                      \
    "}, spec: {containers: [{name: c, image: i, resources: {requests: {" requests "}}}]" rest \
    "}}" END
#define FOR_ONE_POD                                                                        \
    "{apiVersion: v1, kind: Node, metadata: {name: n1}, status: {allocatable: {cpu: '1', " \
    "memory: 8Gi, pods: '1'}}}" END
#define SMALL_AND_LARGE NODE("small", "", "2", "") NODE("large", "", "8", "")
#define OVERCOMMITTED       \
    NODE("n1", "", "1", "") \
    POD("old", "", "2", RUNNING("n1", "01")) REQUESTS("new", "memory: 1Gi", "")
#define SIDECAR                                                                                \
    NODE("n1", "", "1500m", "")                                                                \
    POD("new", "", "1",                                                                        \
        ", initContainers: [{name: s, image: i, restartPolicy: Always, resources: {requests: " \
        "{cpu: '1'}}}]")

static const struct rule_case cases[] = {
    {"the mean of what is left of cpu and memory, in percent", 26,
     SMALL_AND_LARGE POD("new", "", "1", ""), "small=68; large=87"},
    {"what does not fit", 26, SMALL_AND_LARGE POD("new", "", "4", ""),
     "small: Insufficient cpu; large=68"},
    {"of init containers the largest counts", 26,
     SMALL_AND_LARGE POD("new", "", "1",
                         ", initContainers: [{name: a, image: i, resources: {requests: {cpu: "
                         "'2'}}}, {name: b, image: i, resources: {requests: {cpu: '3'}}}]"),
     "small: Insufficient cpu; large=74"},
    {"everything that is missing is told", 26,
     FOR_ONE_POD BARE("old", RUNNING("n1", "01")) POD("new", "", "2", ""),
     "n1: Too many pods, Insufficient cpu"},
    {"a pod without requests is scored as 100m and 200Mi", 26,
     NODE("n1", "", "2", "") BARE("new", ""), "n1=96"},
    {"nobody has what no node offers", 26,
     NODE("n1", "", "4",
          "") "{apiVersion: v1, kind: Pod, metadata: {name: new}, spec: {containers: [{name: c, "
              "image: i, resources: {limits: {example.com/gpu: 1}}}]}}" END,
     "n1: Insufficient example.com/gpu"},
    {"an overcommitted resource stands in the way of pods without it", 27, OVERCOMMITTED,
     "n1: Insufficient cpu"},
    {"only what is requested must fit", 28, OVERCOMMITTED, "n1=37"},
    {"a restarting init container is like any other", 27, SIDECAR, "n1=60"},
    {"a sidecar is refused", 28, SIDECAR,
     "n1: Pod has a restartable init container and the SidecarContainers feature is disabled"},
    {"a sidecar adds to the pod", 29, SIDECAR, "n1: Insufficient cpu"},
};

extern const struct rule_table rules_of_node_resources_fit;
const struct rule_table rules_of_node_resources_fit = RULE_TABLE("NodeResourcesFit", cases);
