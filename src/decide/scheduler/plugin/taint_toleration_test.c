/* SPDX-License-Identifier: Apache-2.0 */
/* Taints keep pods away, or cost points; tolerations take both back. */
#include "decide/scheduler/rule_cases.h"

#define TAINT(key, effect)     "{key: " key ", value: v, effect: " effect "}"
#define TAINTED(name, taints)  NODE_SPEC(name, "", "taints: [" taints "]")
#define TOLERATES(tolerations) POD("new", "", "1", ", tolerations: [" tolerations "]")
#define TWO_ONE_NONE                                                                  \
    TAINTED("n1", TAINT("a", "PreferNoSchedule") ", " TAINT("b", "PreferNoSchedule")) \
    TAINTED("n2", TAINT("a", "PreferNoSchedule")) NODE("n3", "", "4", "")

static const struct rule_case cases[] = {
    {"without taints every node has all points", 26,
     NODE("n1", "", "4", "") POD("new", "", "1", ""), "n1=300"},
    {"a taint that is not tolerated", 26,
     TAINTED("n1", TAINT("a", "NoSchedule")) NODE("n2", "", "4", "") POD("new", "", "1", ""),
     "n1: node(s) had untolerated taint {a: v}; n2=300"},
    {"the taint is not told any more", 34,
     TAINTED("n1", TAINT("a", "NoSchedule")) POD("new", "", "1", ""),
     "n1: node(s) had untolerated taint(s)"},
    {"NoExecute keeps away as well", 26,
     TAINTED("n1", TAINT("a", "NoExecute")) POD("new", "", "1", ""),
     "n1: node(s) had untolerated taint {a: v}"},
    {"the first taint that is not tolerated is told", 26,
     TAINTED("n1", TAINT("a", "NoSchedule") ", " TAINT("b", "NoSchedule") ", " TAINT(
                       "c", "NoSchedule")) TOLERATES("{key: a, operator: Exists}"),
     "n1: node(s) had untolerated taint {b: v}"},
    {"Equal wants the same value", 26,
     TAINTED("n1", TAINT("a", "NoSchedule")) TOLERATES("{key: a, operator: Equal, value: w}"),
     "n1: node(s) had untolerated taint {a: v}"},
    {"a toleration without an effect tolerates every effect", 26,
     TAINTED("n1", TAINT("a", "NoSchedule") ", " TAINT("a", "NoExecute"))
         TOLERATES("{key: a, operator: Equal, value: v}"),
     "n1=300"},
    {"PreferNoSchedule costs points in proportion", 26, TWO_ONE_NONE POD("new", "", "1", ""),
     "n1=0; n2=150; n3=300"},
    {"what is tolerated costs none", 26, TWO_ONE_NONE TOLERATES("{key: a, operator: Exists}"),
     "n1=0; n2=300; n3=300"},
    {"a toleration of another effect does not count", 26,
     TWO_ONE_NONE TOLERATES("{key: a, operator: Exists, effect: NoSchedule}"),
     "n1=0; n2=150; n3=300"},
};

extern const struct rule_table rules_of_taint_toleration;
const struct rule_table rules_of_taint_toleration = RULE_TABLE("TaintToleration", cases);
