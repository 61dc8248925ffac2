/* SPDX-License-Identifier: Apache-2.0 */
/*
 * For tests: tables of small clusters with a policy, one beside each plugin. A case says
 * which pods the canonical cycle evicts, in order, and how many outcomes differ in more
 * than names. A cycle is at 01:00:00 of the first day (1970-01-01), which is what ages
 * are counted from.
 */
#ifndef FATHOM_DECIDE_DESCHEDULER_EVICTION_CASES_H
#define FATHOM_DECIDE_DESCHEDULER_EVICTION_CASES_H

#include "decide/descheduler/descheduler.h"

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
#define BARE  "restartPolicy: Always" /* a spec with only default values */

struct eviction_case {
    const char *name;
    const char *manifest;
    int minor;           /* of the descheduler */
    const char *evicted; /* in order */
    uint32_t outcomes;
    int kubernetes; /* minor version; 0: the first */
};

struct eviction_table {
    const struct eviction_case *cases;
    size_t count;
};

#define EVICTION_TABLE(cases)                       \
    {                                               \
        (cases), sizeof(cases) / sizeof((cases)[0]) \
    }

/* A test of cmocka's; its state is the table. */
void eviction_table_check(void **state);

#endif
