/* SPDX-License-Identifier: Apache-2.0 */
/* Who may go to a node that is cordoned. */
#include "decide/scheduler/rule_cases.h"

#define CORDONED NODE_SPEC("n1", "", "unschedulable: true")
#define OPEN     NODE("n2", "", "4", "")

static const struct rule_case cases[] = {
    {"a cordoned node is closed", 26, CORDONED OPEN POD("new", "", "1", ""),
     "n1: node(s) were unschedulable; n2=ok"},
    {"a toleration of the taint that a cordon stands for opens it", 26,
     CORDONED OPEN POD("new", "", "1",
                       ", tolerations: [{key: node.kubernetes.io/unschedulable, operator: Exists, "
                       "effect: NoSchedule}]"),
     "n1=ok; n2=ok"},
    {"a toleration of all taints does, too", 26,
     CORDONED OPEN POD("new", "", "1", ", tolerations: [{operator: Exists}]"), "n1=ok; n2=ok"},
    {"one of another effect does not", 26,
     CORDONED OPEN POD("new", "", "1",
                       ", tolerations: [{key: node.kubernetes.io/unschedulable, operator: Exists, "
                       "effect: NoExecute}]"),
     "n1: node(s) were unschedulable; n2=ok"},
};

extern const struct rule_table rules_of_node_unschedulable;
const struct rule_table rules_of_node_unschedulable = RULE_TABLE("NodeUnschedulable", cases);
