/* SPDX-License-Identifier: Apache-2.0 */
/* Pods that have failed go, some time after they were made. */
#include "decide/descheduler/eviction_cases.h"

#define NODES NODE("n1", "a", PLAIN) NODE("n2", "b", PLAIN)
#define FAILED(name, at, reason)                                                              \
    "---\n{apiVersion: v1, kind: Pod, metadata: {name: " name ", namespace: default, "        \
    "creationTimestamp: '1970-01-01T" at "Z', ownerReferences: [{apiVersion: apps/v1, kind: " \
    "ReplicaSet, name: web, uid: u}]}, spec: {nodeName: n1, containers: [{name: c, image: "   \
    "i}]}, status: {phase: Failed, reason: " reason "}}\n"
#define REMOVE_FAILED(args) POLICY("deschedule", "RemoveFailedPods", args, "", "")

static const struct eviction_case cases[] = {
    {"after an hour, if nothing else is said",
     NODES FAILED("w1", "00:00:00", "Evicted") FAILED("w2", "00:00:01", "Evicted")
         REMOVE_FAILED(""),
     27, "w1 ", 1},
    {"after the time that is given",
     NODES FAILED("w1", "00:50:00", "Evicted") FAILED("w2", "00:50:01", "Evicted")
         REMOVE_FAILED("minPodLifetimeSeconds: 600"),
     27, "w1 ", 1},
    {"for the reasons that are listed",
     NODES FAILED("w1", "00:00:00", "Evicted") FAILED("w2", "00:00:00", "OutOfcpu")
         REMOVE_FAILED("reasons: [OutOfcpu]"),
     27, "w2 ", 1},
    {"not of owners of a kind that is excluded",
     NODES FAILED("w1", "00:00:00", "Evicted") REMOVE_FAILED("excludeOwnerKinds: [ReplicaSet]"), 27,
     "", 1},
    {"pods that run are none of its business",
     NODES POD("w1", "web", "n1", "creationTimestamp: '1970-01-01T00:00:00Z'", BARE)
         REMOVE_FAILED(""),
     27, "", 1},
};

extern const struct eviction_table evictions_of_failed_pods;
const struct eviction_table evictions_of_failed_pods = EVICTION_TABLE(cases);
