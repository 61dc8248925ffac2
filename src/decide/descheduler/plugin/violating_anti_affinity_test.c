/* SPDX-License-Identifier: Apache-2.0 */
/* Pods leave pods that they must not be with. */
#include "decide/descheduler/eviction_cases.h"

#define ANTI                                                                        \
    "affinity: {podAntiAffinity: {requiredDuringSchedulingIgnoredDuringExecution: " \
    "[{topologyKey: zone, labelSelector: {matchLabels: {app: web}}}]}}"
#define NODES         NODE("n1", "a", PLAIN) NODE("n2", "a", PLAIN)
#define ANTI_AFFINITY POLICY("deschedule", "RemovePodsViolatingInterPodAntiAffinity", "", "", "")

static const struct eviction_case cases[] = {
    {"of two on a node one goes",
     NODES POD("w1", "web", "n1", PLAIN, ANTI) POD("w2", "web", "n1", PLAIN, ANTI) ANTI_AFFINITY,
     27, "w1 ", 1},
    {"the less important first",
     NODES POD("w1", "web", "n1", PLAIN, "priority: 10, " ANTI)
         POD("w2", "web", "n1", PLAIN, "priority: 5, " ANTI) ANTI_AFFINITY,
     27, "w2 ", 1},
    {"v0.27 looks at one node only",
     NODES POD("w1", "web", "n1", PLAIN, ANTI) POD("w2", "web", "n2", PLAIN, ANTI) ANTI_AFFINITY,
     27, "", 1},
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
};

extern const struct eviction_table evictions_of_violating_anti_affinity;
const struct eviction_table evictions_of_violating_anti_affinity = EVICTION_TABLE(cases);
