/* SPDX-License-Identifier: Apache-2.0 */
/* Nobody claims devices, and so all nodes are alike. */
#include "decide/scheduler/rule_cases.h"

#define NODES NODE("n1", "", "4", "") NODE("n2", "", "8", "")

static const struct rule_case cases[] = {
    {"devices do not score yet", 34, NODES POD("new", "", "1", ""), "n1=skipped; n2=skipped"},
    {"without devices no node has points", 35, NODES POD("new", "", "1", ""), "n1=0; n2=0"},
};

extern const struct rule_table rules_of_dynamic_resources;
const struct rule_table rules_of_dynamic_resources = RULE_TABLE("DynamicResources", cases);
