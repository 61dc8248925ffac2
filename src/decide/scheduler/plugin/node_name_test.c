/* SPDX-License-Identifier: Apache-2.0 */
/* Who names a node goes to no other. */
#include "decide/scheduler/rule_cases.h"

static const struct rule_case cases[] = {
    {"no name, any node", 26,
     NODE("n1", "", "4", "") NODE("n2", "", "4", "") POD("new", "", "1", ""), "n1=ok; n2=ok"},
    {"a name, this node", 26,
     NODE("n1", "", "4", "") NODE("n2", "", "4", "") POD("new", "", "1", ", nodeName: n2"),
     "n1: node(s) didn't match the requested node name; n2=ok"},
};

extern const struct rule_table rules_of_node_name;
const struct rule_table rules_of_node_name = RULE_TABLE("NodeName", cases);
