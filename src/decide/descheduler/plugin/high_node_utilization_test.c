/* SPDX-License-Identifier: Apache-2.0 */
/* Nodes that are hardly used are emptied onto the others. */
#include "decide/descheduler/eviction_cases.h"

#define NODES      NODE("n1", "a", PLAIN) NODE("n2", "b", PLAIN)
#define TWO_ON_N2  POD("w2", "web", "n2", PLAIN, BARE) POD("w3", "web", "n2", PLAIN, BARE)
#define HIGH(more) POLICY("balance", "HighNodeUtilization", "thresholds: {cpu: 30}" more, "", "")

static const struct eviction_case cases[] = {
    {"a fifth is hardly used, two fifths are not",
     NODES POD("w1", "web", "n1", PLAIN, BARE) TWO_ON_N2 HIGH(""), 27, "w1 ", 1},
    {"all nodes are hardly used",
     NODES POD("w1", "web", "n1", PLAIN, BARE) POD("w2", "web", "n2", PLAIN, BARE) HIGH(""), 27, "",
     1},
    {"the other node is cordoned",
     NODE("n1", "a", PLAIN) NODE("n2", "b", "unschedulable: true")
         POD("w1", "web", "n1", PLAIN, BARE) TWO_ON_N2 HIGH(""),
     27, "", 1},
    {"one such node is too few",
     NODES POD("w1", "web", "n1", PLAIN, BARE) TWO_ON_N2 HIGH(", numberOfNodes: 1"), 27, "", 1},
};

extern const struct eviction_table evictions_of_high_node_utilization;
const struct eviction_table evictions_of_high_node_utilization = EVICTION_TABLE(cases);
