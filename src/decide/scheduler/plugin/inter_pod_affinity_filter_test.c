/* SPDX-License-Identifier: Apache-2.0 */
/* Which pods a pod must be with, and which it must not. */
#include "decide/scheduler/rule_cases.h"

#define REQUIRES(kind, more)                                                                  \
    ", affinity: {" kind ": {requiredDuringSchedulingIgnoredDuringExecution: [{topologyKey: " \
    "zone" SELECT_A more "}]}}"
#define ZONES         NODE("n1", ", zone: a", "4", "") NODE("n2", ", zone: b", "4", "")
#define OLD(meta)     POD("old", ", labels: {app: a" meta "}", "1", RUNNING("n1", "01"))
#define NEW(app, how) POD("new", ", labels: {app: " app "}", "1", how)
#define ELSEWHERE     POD("old", ", namespace: other, labels: {app: a}", "1", RUNNING("n1", "01"))
#define AFFINITY_KEYS                             \
    NODE("n1", ", zone: a", "4", "")              \
    OLD(", v: '1'")                               \
    POD("new", ", labels: {app: a, v: '2'}", "1", \
        REQUIRES("podAntiAffinity", ", matchLabelKeys: [v]"))

static const struct rule_case cases[] = {
    {"only where such a pod is", 26, ZONES OLD("") NEW("b", REQUIRES("podAffinity", "")),
     "n1=0; n2: node(s) didn't match pod affinity rules"},
    {"the first of its kind goes anywhere", 26, ZONES NEW("a", REQUIRES("podAffinity", "")),
     "n1=0; n2=0"},
    {"a pod that is not of the kind itself does not", 26,
     ZONES NEW("b", REQUIRES("podAffinity", "")),
     "n1: node(s) didn't match pod affinity rules; n2: node(s) didn't match pod affinity rules"},
    {"a node without the key is in no domain", 26,
     ZONES NODE("n3", "", "4", "") NEW("a", REQUIRES("podAffinity", "")),
     "n1=0; n2=0; n3: node(s) didn't match pod affinity rules"},
    {"not where such a pod is", 26, ZONES OLD("") NEW("b", REQUIRES("podAntiAffinity", "")),
     "n1: node(s) didn't match pod anti-affinity rules; n2=0"},
    {"not where a pod is that does not want it", 26,
     ZONES POD("old", "", "1", REQUIRES("podAntiAffinity", "") RUNNING("n1", "01")) NEW("a", ""),
     "n1: node(s) didn't satisfy existing pods anti-affinity rules; n2=0"},
    {"pods of other namespaces are not meant", 26,
     ZONES ELSEWHERE NEW("b", REQUIRES("podAntiAffinity", "")), "n1=0; n2=0"},
    {"unless they are named", 26,
     ZONES ELSEWHERE NEW("b", REQUIRES("podAntiAffinity", ", namespaces: [other]")),
     "n1: node(s) didn't match pod anti-affinity rules; n2=0"},
    {"affinity's matchLabelKeys are ignored", 30, AFFINITY_KEYS,
     "n1: node(s) didn't match pod anti-affinity rules"},
    {"affinity's matchLabelKeys count", 31, AFFINITY_KEYS, "n1=skipped"},
};

extern const struct rule_table rules_of_inter_pod_affinity;
const struct rule_table rules_of_inter_pod_affinity = RULE_TABLE("InterPodAffinity", cases);
