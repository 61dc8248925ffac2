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

#define SIDE(name, cpu) \
    "{name: " name ", image: i, restartPolicy: Always, resources: {requests: {cpu: " cpu "}}}"
#define INIT(name, cpu) "{name: " name ", image: i, resources: {requests: {cpu: '" cpu "'}}}"
#define HALVES                                                                                 \
    "{apiVersion: v1, kind: Node, metadata: {name: n1}, status: {allocatable: {cpu: '1', "     \
    "memory: '3', pods: '9'}}}" END                                                            \
    "{apiVersion: v1, kind: Pod, metadata: {name: new}, spec: {containers: [{name: a, image: " \
    "i, resources: {requests: {memory: 1500m}}}, {name: b, image: i, resources: {requests: "   \
    "{memory: 1500m}}}]}}" END
/* A sidecar without requests, beside a container with some. */
#define BARE_SIDECAR                                                                          \
    NODE("n1", "", "4", "")                                                                   \
    POD("old", "", "100m",                                                                    \
        ", initContainers: [{name: s, image: i, restartPolicy: Always}]" RUNNING("n1", "01")) \
    BARE("new", "")
#define WHOLE(resources) NODE("n1", "", "2", "") POD("new", "", "1", ", resources: {" resources "}")
#define HELD(resources)                                                                          \
    NODE("n1", "", "2", "")                                                                      \
    "{apiVersion: v1, kind: Pod, metadata: {name: old}, spec: {nodeName: n1, resources: "        \
    "{" resources "}, containers: [{name: a, image: i}, {name: b, image: i}]}, status: {phase: " \
    "Running, startTime: '2026-01-01T00:00:01Z'}}" END POD("new", "", "900m", "")
#define CPU(amount) "{requests: {cpu: " amount "}}"
/* A pod that shall have one cpu of two. */
#define STATUS(rest)                                            \
    NODE("n1", "", "2", "")                                     \
    POD("old", "", "1",                                         \
        ", nodeName: n1}, status: {phase: Running, startTime: " \
        "'2026-01-01T00:00:01Z'" rest)                          \
    POD("new", "", "1", "")
#define RESIZED(more, has, promised)                              \
    STATUS(more ", containerStatuses: [{name: c, resources: " has \
                ", allocatedResources: " promised "}]")
#define PROMISED STATUS(", containerStatuses: [{name: c, allocatedResources: {cpu: 1500m}}]")
#define TWINS(spec, status)                  \
    NODE("n1", "", "2", "")                  \
    NODE("n2", "", "2", "")                  \
    POD("old", "", "1", RUNNING("n1", "01")) \
    POD("twin", "", "1", spec RUNNING("n2", "01") status) POD("new", "", "1", "")
#define RESIZED_INIT(more)                                                                       \
    NODE("n1", "", "2", "")                                                                      \
    POD("old", "", "1",                                                                          \
        ", initContainers: [{name: s, image: i, resources: {requests: {cpu: 0, memory: 0}}" more \
        "}], nodeName: n1}, status: {phase: Running, startTime: '2026-01-01T00:00:01Z', "        \
        "initContainerStatuses: [{name: s, resources: {requests: {cpu: 1500m}}}]")               \
    POD("new", "", "1", "")
#define RESIZED_WHOLE                                                     \
    NODE("n1", "", "2", "")                                               \
    POD("old", "", "1",                                                   \
        ", resources: {requests: {cpu: '1'}}, nodeName: n1}, status: "    \
        "{phase: Running, startTime: '2026-01-01T00:00:01Z', resources: " \
        "{requests: {cpu: 1500m}}")                                       \
    POD("new", "", "1", "")

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
    {"a restarting init container is like any other", 28, SIDECAR, "n1=60"},
    {"a sidecar adds to the pod", 29, SIDECAR, "n1: Insufficient cpu"},
    {"an init container runs beside the sidecars before it", 29,
     NODE("n1", "", "1500m", "") POD(
         "new", "", "500m",
         ", initContainers: [" SIDE("s", "500m") ", " INIT("i", "1") ", " SIDE("t", "250m") "]"),
     "n1=41"},
    {"and not beside those after it", 29,
     NODE("n1", "", "1500m", "") POD("new", "", "500m",
                                     ", initContainers: [" SIDE("s", "500m") ", " INIT(
                                         "i", "1100m") ", " SIDE("t", "250m") "]"),
     "n1: Insufficient cpu"},
    {"amounts are rounded up one by one", 26, HALVES, "n1: Insufficient memory"},
    {"amounts are rounded up together", 27, HALVES, "n1=40"},
    {"sidecars of placed pods do not add to the score", 31, BARE_SIDECAR, "n1=90"},
    {"sidecars of placed pods are scored as 100m and 200Mi", 32, BARE_SIDECAR, "n1=87"},
    {"requests of the pod as a whole do not count", 33, WHOLE("requests: {cpu: '3'}"), "n1=68"},
    {"requests of the pod as a whole count", 34, WHOLE("requests: {cpu: '3'}"),
     "n1: Insufficient cpu"},
    {"and not for scores", 34, WHOLE("requests: {cpu: 1500m}"), "n1=68"},
    {"what the pod does not request its containers do", 34,
     WHOLE("requests: {memory: 1Gi}, limits: {cpu: '4', memory: 1Gi}"), "n1=68"},
    {"what nobody requests is the limit of the pod", 34,
     NODE("n1", "", "2", "") BARE("new", ", resources: {limits: {cpu: '3'}}"),
     "n1: Insufficient cpu"},
    {"overhead is added to the pod's", 34,
     NODE("n1", "", "2", "")
         BARE("new", ", overhead: {cpu: '1'}, resources: {requests: {cpu: 1500m}}"),
     "n1: Insufficient cpu"},
    {"huge pages of containers are a limit of the pod", 34,
     NODE("n1", "", "2", "")
         REQUESTS("new", "cpu: '1', hugepages-2Mi: 2Mi}, limits: {hugepages-2Mi: 2Mi",
                  ", resources: {requests: {cpu: '3'}}"),
     "n1: Insufficient cpu, Insufficient hugepages-2Mi"},
    {"placed pods without any request are scored by container", 34, HELD("requests: {cpu: 1m}"),
     "n1=68"},
    {"placed pods with a request of their own by that", 34,
     HELD("requests: {memory: 1Mi, cpu: 1m}"), "n1=70"},
    {"and by containers if one of them requests it", 34,
     NODE("n1", "", "2",
          "") "{apiVersion: v1, kind: Pod, metadata: {name: old}, spec: {nodeName: n1, resources: "
              "{requests: {memory: 1Mi}}, containers: [{name: a, image: i, resources: {requests: "
              "{cpu: "
              "1m}}}, {name: b, image: i}]}, status: {phase: Running, startTime: "
              "'2026-01-01T00:00:01Z'}}" END POD("new", "", "900m", ""),
     "n1=70"},
    {"of two pods that are alike otherwise, one requests more as a whole", 34,
     TWINS(", resources: {requests: {cpu: 1500m}}", ""), "n1=37; n2: Insufficient cpu"},
    {"of two pods that are alike otherwise, one has more", 33,
     TWINS("", ", containerStatuses: [{name: c, resources: {requests: {cpu: 1500m}}}]"),
     "n1=37; n2: Insufficient cpu"},
    {"a resize is not looked at", 32, RESIZED("", CPU("1500m"), "{cpu: 1m}"), "n1=37"},
    {"what a container has, counts", 33, RESIZED("", CPU("1500m"), "{cpu: 1m}"),
     "n1: Insufficient cpu"},
    {"what a container was promised, counts", 33, RESIZED("", CPU("1m"), "{cpu: 1500m}"),
     "n1: Insufficient cpu"},
    {"what a container shall have, counts", 33, RESIZED("", CPU("1m"), "{cpu: 1m}"), "n1=37"},
    {"unless that is not feasible", 33,
     RESIZED(", conditions: [{type: PodResizePending, status: 'True', reason: Infeasible}]",
             CPU("1m"), "{cpu: 1m}"),
     "n1=67"},
    {"deferred is not infeasible", 33,
     RESIZED(", conditions: [{type: PodResizePending, status: 'True', reason: Deferred}]",
             CPU("1m"), "{cpu: 1m}"),
     "n1=37"},
    {"an init container that ends is not resized", 33, RESIZED_INIT(""), "n1=37"},
    {"a sidecar is", 33, RESIZED_INIT(", restartPolicy: Always"), "n1: Insufficient cpu"},
    {"a promise alone does not count", 33, PROMISED, "n1=37"},
    {"resizes of a pod as a whole do not count", 35, RESIZED_WHOLE, "n1=37"},
    {"resizes of a pod as a whole count", 36, RESIZED_WHOLE, "n1: Insufficient cpu"},
};

extern const struct rule_table rules_of_node_resources_fit;
const struct rule_table rules_of_node_resources_fit = RULE_TABLE("NodeResourcesFit", cases);
