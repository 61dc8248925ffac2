/* SPDX-License-Identifier: Apache-2.0 */
/* Which nodes a pod demands, and which it prefers. */
#include "decide/scheduler/rule_cases.h"

#define NODE_TERMS(terms)                                                          \
    ", affinity: {nodeAffinity: {requiredDuringSchedulingIgnoredDuringExecution: " \
    "{nodeSelectorTerms: [" terms "]}}}"
#define NAMES(list)                                                    \
    "{matchFields: [{key: metadata.name, operator: In, values: [" list \
    "]}, {key: metadata.name, operator: In, values: [n1]}]}"
#define GHOST "{matchFields: [{key: metadata.name, operator: In, values: [ghost]}]}"
#define NODES                                   \
    NODE("n1", ", disk: ssd, zone: a", "4", "") \
    NODE("n2", ", zone: a", "4", "") NODE("n3", "", "4", "")
#define PREFERS(weight, key, value)                                                      \
    "{weight: " weight ", preference: {matchExpressions: [{key: " key ", operator: In, " \
    "values: [" value "]}]}}"

static const struct rule_case cases[] = {
    {"a node selector wants every label", 26,
     NODES POD("new", "", "1", ", nodeSelector: {disk: ssd, zone: a}"),
     "n1=0; n2: node(s) didn't match Pod's node affinity/selector; n3: node(s) didn't match Pod's "
     "node affinity/selector"},
    {"terms are alternatives", 26,
     NODES POD("new", "", "1",
               NODE_TERMS("{matchExpressions: [{key: disk, operator: In, values: [ssd]}]}, "
                          "{matchExpressions: [{key: zone, operator: DoesNotExist}]}")),
     "n1=0; n2: node(s) didn't match Pod's node affinity/selector; n3=0"},
    {"expressions of a term are demanded together", 26,
     NODES POD("new", "", "1",
               NODE_TERMS("{matchExpressions: [{key: zone, operator: Exists}, {key: disk, "
                          "operator: NotIn, values: [ssd]}]}")),
     "n1: node(s) didn't match Pod's node affinity/selector; n2=0; n3: node(s) didn't match Pod's "
     "node affinity/selector"},
    {"NotIn holds where the label is missing", 26,
     NODES POD("new", "", "1",
               NODE_TERMS("{matchExpressions: [{key: zone, operator: NotIn, values: [a]}]}")),
     "n1: node(s) didn't match Pod's node affinity/selector; n2: node(s) didn't match Pod's node "
     "affinity/selector; n3=0"},
    {"Gt compares numbers, and nothing else", 26,
     NODE("n1", ", cores: '8'", "4", "") NODE("n2", ", cores: '16'", "4", "")
         NODE("n3", ", cores: many", "4", "")
             POD("new", "", "1",
                 NODE_TERMS("{matchExpressions: [{key: cores, operator: Gt, values: ['8']}]}")),
     "n1: node(s) didn't match Pod's node affinity/selector; n2=0; n3: node(s) didn't match Pod's "
     "node affinity/selector"},
    {"weights of what matches add up; the most has all points", 26,
     NODES POD(
         "new", "", "1",
         ", affinity: {nodeAffinity: {preferredDuringSchedulingIgnoredDuringExecution: [" PREFERS(
             "10", "disk", "ssd") ", " PREFERS("30", "zone", "a") "]}}"),
     "n1=200; n2=150; n3=0"},
    {"without preferences no node has points", 26, NODES POD("new", "", "1", ""),
     "n1=0; n2=0; n3=0"},
    {"without preferences there are no points", 27, NODES POD("new", "", "1", ""),
     "n1=skipped; n2=skipped; n3=skipped"},
    {"one conflicting term is enough to give up", 26,
     NODE("n1", "", "4", "") POD("new", "", "1", NODE_TERMS(NAMES("n2") ", " NAMES("n1"))),
     "n1: pod affinity terms conflict"},
    {"a term without conflict can match", 27,
     NODE("n1", "", "4", "") POD("new", "", "1", NODE_TERMS(NAMES("n2") ", " NAMES("n1"))),
     "n1=skipped"},
    {"a node that is required and missing is an error", 26,
     NODE("n1", "", "4", "") POD("new", "", "1", NODE_TERMS(GHOST)),
     "error: nodeinfo not found for node name \"ghost\""},
    {"a node that is required and missing is not examined", 27,
     NODE("n1", "", "4", "") POD("new", "", "1", NODE_TERMS(GHOST)), "n1!"},
};

extern const struct rule_table rules_of_node_affinity;
const struct rule_table rules_of_node_affinity = RULE_TABLE("NodeAffinity", cases);
