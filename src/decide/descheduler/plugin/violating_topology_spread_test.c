/* SPDX-License-Identifier: Apache-2.0 */
/* Pods leave domains that are too full for their constraints. */
#include "decide/descheduler/eviction_cases.h"

#define NODES         NODE("n1", "a", PLAIN) NODE("n2", "b", PLAIN)
#define W(name, node) POD(name, "web", node, PLAIN, SPREAD("zone"))
#define SOFT(name)                                                                        \
    POD(name, "web", "n1", PLAIN,                                                         \
        "topologySpreadConstraints: [{maxSkew: 1, topologyKey: zone, whenUnsatisfiable: " \
        "ScheduleAnyway, labelSelector: {matchLabels: {app: web}}}]")

static const struct eviction_case cases[] = {
    {"three and one: the last by name goes",
     NODES W("w1", "n1") W("w2", "n1") W("w3", "n1") W("w4", "n2") TOPOLOGY_SPREAD(PLAIN) NAMESPACE,
     27, "w3 ", 1},
    {"two and one is no more than maxSkew",
     NODES W("w1", "n1") W("w2", "n1") W("w4", "n2") TOPOLOGY_SPREAD(PLAIN) NAMESPACE, 27, "", 1},
    {"soft constraints are left alone",
     NODES SOFT("w1") SOFT("w2") SOFT("w3") TOPOLOGY_SPREAD(PLAIN) NAMESPACE, 27, "", 1},
    {"unless they are asked for",
     NODES SOFT("w1") SOFT("w2") SOFT("w3")
         POLICY("balance", "RemovePodsViolatingTopologySpreadConstraint",
                "includeSoftConstraints: true", "", "") NAMESPACE,
     27, "w3 ", 1},
    {"one zone, two nodes, pods of four kinds: any of them may be the last of the listing",
     NODE("n1", "a", PLAIN) NODE("n2", "a", PLAIN) NODE("n3", "b", PLAIN)
         POD("w1", "web", "n1", PLAIN, "priority: 3, " SPREAD("zone"))
             POD("w2", "web", "n1", PLAIN, "priority: 4, " SPREAD("zone"))
                 POD("w3", "web", "n2", PLAIN, "priority: 1, " SPREAD("zone"))
                     POD("w4", "web", "n2", PLAIN, "priority: 2, " SPREAD("zone"))
                         POD("w5", "web", "n3", PLAIN, SPREAD("zone")) TOPOLOGY_SPREAD(PLAIN),
     28, "w4 ", 4},
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
};

extern const struct eviction_table evictions_of_violating_topology_spread;
const struct eviction_table evictions_of_violating_topology_spread = EVICTION_TABLE(cases);
