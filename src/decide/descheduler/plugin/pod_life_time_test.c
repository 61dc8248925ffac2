/* SPDX-License-Identifier: Apache-2.0 */
/* Pods that are too old go, the oldest first. */
#include "decide/descheduler/eviction_cases.h"

#define NODES          NODE("n1", "a", PLAIN) NODE("n2", "b", PLAIN)
#define BORN(name, at) POD(name, "web", "n1", "creationTimestamp: '1970-01-01T" at "Z'", BARE)
#define LIFE_TIME(more) \
    POLICY("deschedule", "PodLifeTime", "maxPodLifeTimeSeconds: 10" more, "", "")

static const struct eviction_case cases[] = {
    {"older than ten seconds", NODES BORN("w1", "00:59:49") LIFE_TIME(""), 27, "w1 ", 1},
    {"ten seconds old", NODES BORN("w1", "00:59:50") LIFE_TIME(""), 27, "", 1},
    {"the oldest first",
     NODES BORN("w1", "00:30:00") BORN("w2", "00:10:00") BORN("w3", "00:59:55") LIFE_TIME(""), 27,
     "w2 w1 ", 1},
    {"only pods in the states that are listed",
     NODES BORN("w1", "00:00:00") LIFE_TIME(", states: [Pending]"), 27, "", 1},
    {"and those are", NODES BORN("w1", "00:00:00") LIFE_TIME(", states: [Running]"), 27, "w1 ", 1},
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
};

extern const struct eviction_table evictions_of_pod_life_time;
const struct eviction_table evictions_of_pod_life_time = EVICTION_TABLE(cases);
