/* SPDX-License-Identifier: Apache-2.0 */
/* Pods leave nodes that they would not go to again. */
#include "decide/descheduler/eviction_cases.h"

#define WANTS(zones)                                                                     \
    "affinity: {nodeAffinity: {requiredDuringSchedulingIgnoredDuringExecution: "         \
    "{nodeSelectorTerms: [{matchExpressions: [{key: zone, operator: In, values: [" zones \
    "]}]}]}}}"
#define LIKES_B                                                                                \
    "affinity: {nodeAffinity: {preferredDuringSchedulingIgnoredDuringExecution: [{weight: 1, " \
    "preference: {matchExpressions: [{key: zone, operator: In, values: [b]}]}}]}}"
#define AFFINITY(type)                                      \
    POLICY("deschedule", "RemovePodsViolatingNodeAffinity", \
           "nodeAffinityType: [" type "DuringSchedulingIgnoredDuringExecution]", "", "")
#define NODES       NODE("n1", "a", PLAIN) NODE("n2", "b", PLAIN)
#define ON_CORDONED NODE("n1", "a", "unschedulable: true") NODE("n2", "b", PLAIN)

static const struct eviction_case cases[] = {
    {"there is a node that it demands",
     NODES POD("w1", "web", "n1", PLAIN, WANTS("b")) AFFINITY("required"), 27, "w1 ", 1},
    {"there is none", NODES POD("w1", "web", "n1", PLAIN, WANTS("c")) AFFINITY("required"), 27, "",
     1},
    {"it is on such a node",
     NODES POD("w1", "web", "n1", PLAIN, WANTS("a, b")) AFFINITY("required"), 27, "", 1},
    {"it is on such a node, which is cordoned: v0.27 minds",
     ON_CORDONED POD("w1", "web", "n1", PLAIN, WANTS("a, b")) AFFINITY("required"), 27, "w1 ", 1},
    {"and v0.28 does not",
     ON_CORDONED POD("w1", "web", "n1", PLAIN, WANTS("a, b")) AFFINITY("required"), 28, "", 1},
    {"v0.27 does not know preferences",
     NODES POD("w1", "web", "n1", PLAIN, LIKES_B) AFFINITY("preferred"), 27, "", 1},
    {"v0.28 does", NODES POD("w1", "web", "n1", PLAIN, LIKES_B) AFFINITY("preferred"), 28, "w1 ",
     1},
};

extern const struct eviction_table evictions_of_violating_node_affinity;
const struct eviction_table evictions_of_violating_node_affinity = EVICTION_TABLE(cases);
