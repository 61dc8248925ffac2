/* SPDX-License-Identifier: Apache-2.0 */
/* Pods leave nodes that are used much while others are hardly used. */
#include "decide/descheduler/eviction_cases.h"

#define FULL                            \
    POD("w1", "web", "n1", PLAIN, BARE) \
    POD("w2", "web", "n1", PLAIN, BARE) \
    POD("w3", "web", "n1", PLAIN, BARE) POD("w4", "web", "n1", PLAIN, BARE)
#define NODES NODE("n1", "a", PLAIN) NODE("n2", "b", PLAIN)
#define LOW(more)                           \
    POLICY("balance", "LowNodeUtilization", \
           "thresholds: {cpu: 10}, targetThresholds: {cpu: 50}" more, "", "")

static const struct eviction_case cases[] = {
    {"from four fifths to below a half", NODES FULL LOW(""), 27, "w1 w2 ", 1},
    {"no node is hardly used", NODES FULL POD("x", "other", "n2", PLAIN, BARE) LOW(""), 27, "", 1},
    {"a node that is cordoned is no node for pods",
     NODE("n1", "a", PLAIN) NODE("n2", "b", "unschedulable: true") FULL LOW(""), 27, "", 1},
    {"one such node is too few", NODES FULL LOW(", numberOfNodes: 1"), 27, "", 1},
    {"the less important first",
     NODES POD("w1", "web", "n1", PLAIN, "priority: 9") POD("w2", "web", "n1", PLAIN, "priority: 1")
         POD("w3", "web", "n1", PLAIN, "priority: 5") LOW(""),
     27, "w2 ", 1},
    {"one toleration of everything is not enough for two taints",
     NODE("n1", "a", PLAIN) NODE("n2", "a",
                                 "taints: [{key: k, effect: NoSchedule}, {key: l, "
                                 "effect: NoSchedule}]")
         POD("w1", "web", "n1", PLAIN, "tolerations: [{operator: Exists}]")
             POD("w2", "web", "n1", PLAIN, "tolerations: [{operator: Exists}]")
                 POD("w3", "web", "n1", PLAIN, "tolerations: [{operator: Exists}]") LOW_UTILIZATION,
     27, "", 1},
    {"and two are",
     NODE("n1", "a", PLAIN) NODE("n2", "a",
                                 "taints: [{key: k, effect: NoSchedule}, {key: l, "
                                 "effect: NoSchedule}]")
         POD("w1", "web", "n1", PLAIN,
             "tolerations: [{operator: Exists}, {key: x, operator: "
             "Exists}]") POD("w2", "web", "n1", PLAIN, "tolerations: [{operator: Exists}]")
             POD("w3", "web", "n1", PLAIN, "tolerations: [{operator: Exists}]") LOW_UTILIZATION,
     27, "w1 ", 1},
};

extern const struct eviction_table evictions_of_low_node_utilization;
const struct eviction_table evictions_of_low_node_utilization = EVICTION_TABLE(cases);
