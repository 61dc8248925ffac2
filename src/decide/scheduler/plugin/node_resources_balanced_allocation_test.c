/* SPDX-License-Identifier: Apache-2.0 */
/* Nodes whose resources are used alike are better. */
#include "decide/scheduler/rule_cases.h"

#define BARE                                                                            \
    "{apiVersion: v1, kind: Pod, metadata: {name: new}, spec: {containers: [{name: a, " \
    "image: i}]}}" END
#define BEST_EFFORT NODE("n1", "", "2", "") POD("old", "", "1", RUNNING("n1", "01")) BARE

static const struct rule_case cases[] = {
    {"an eighth of both is balance", 26, NODE("n1", "", "8", "") POD("new", "", "1", ""), "n1=100"},
    {"half of the cpu and an eighth of the memory is less", 26,
     NODE("n1", "", "2", "") POD("new", "", "1", ""), "n1=81"},
    {"more than all counts as all", 26,
     NODE("n1", "", "1", "") POD("old", "", "2", RUNNING("n1", "01")) BARE, "n1=56"},
    {"pods without requests care for balance", 32, BEST_EFFORT, "n1=81"},
    {"pods without requests do not care for balance", 33, BEST_EFFORT, "n1=0"},
};

extern const struct rule_table rules_of_node_resources_balanced_allocation;
const struct rule_table rules_of_node_resources_balanced_allocation =
    RULE_TABLE("NodeResourcesBalancedAllocation", cases);
