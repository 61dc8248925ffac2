/* SPDX-License-Identifier: Apache-2.0 */
/* Pods leave nodes whose taints they do not tolerate. */
#include "decide/descheduler/eviction_cases.h"

#define TAINTED(effect)                                                 \
    NODE("n1", "a", "taints: [{key: k, value: v, effect: " effect "}]") \
    NODE("n2", "b", PLAIN)                                              \
    POD("w1", "web", "n1", PLAIN, BARE)                                 \
    POD("w2", "web", "n1", PLAIN, "tolerations: [{key: k, operator: Exists}]")
#define TAINTS(args) POLICY("deschedule", "RemovePodsViolatingNodeTaints", args, "", "")

static const struct eviction_case cases[] = {
    {"NoSchedule, and who does not tolerate it", TAINTED("NoSchedule") TAINTS(""), 27, "w1 ", 1},
    {"NoExecute is the business of others", TAINTED("NoExecute") TAINTS(""), 27, "", 1},
    {"PreferNoSchedule is left alone", TAINTED("PreferNoSchedule") TAINTS(""), 27, "", 1},
    {"unless it is asked for", TAINTED("PreferNoSchedule") TAINTS("includePreferNoSchedule: true"),
     27, "w1 ", 1},
    {"a key that is excluded", TAINTED("NoSchedule") TAINTS("excludedTaints: [k]"), 27, "", 1},
    {"another value of it that is excluded",
     TAINTED("NoSchedule") TAINTS("excludedTaints: ['k=w']"), 27, "w1 ", 1},
};

extern const struct eviction_table evictions_of_violating_node_taints;
const struct eviction_table evictions_of_violating_node_taints = EVICTION_TABLE(cases);
