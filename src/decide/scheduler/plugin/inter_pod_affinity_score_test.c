/* SPDX-License-Identifier: Apache-2.0 */
/* Which pods a pod likes to be with, and which like to be with it. */
#include "decide/scheduler/rule_cases.h"

#define TERM "topologyKey: kubernetes.io/hostname" SELECT_A
#define PREFERS(kind, weight)                                                                    \
    ", affinity: {" kind ": {preferredDuringSchedulingIgnoredDuringExecution: [{weight: " weight \
    ", podAffinityTerm: {" TERM "}}]}}"
#define REQUIRES \
    ", affinity: {podAffinity: {requiredDuringSchedulingIgnoredDuringExecution: [{" TERM "}]}}"
#define NODES          NODE("n1", "", "8", "") NODE("n2", "", "8", "") NODE("n3", "", "8", "")
#define OLD(name, on)  POD(name, ", labels: {app: a}", "1", RUNNING(on, "01"))
#define LIKES(how, on) POD("l" on, "", "1", how RUNNING(on, "01"))
#define NEW(how)       POD("new", ", labels: {app: a}", "1", how)

static const struct rule_case cases[] = {
    {"nobody likes anybody", 26, NODES OLD("o1", "n1") NEW(""), "n1=0; n2=0; n3=0"},
    {"nobody likes anybody, and there are no points", 28, NODES OLD("o1", "n1") NEW(""),
     "n1=skipped; n2=skipped; n3=skipped"},
    {"nobody is there whom it likes", 28, NODES NEW(PREFERS("podAffinity", "10")),
     "n1=skipped; n2=skipped; n3=skipped"},
    {"likes and dislikes that cancel are points, of 0", 28,
     NODES OLD("o1", "n1") LIKES(PREFERS("podAffinity", "10"), "n1")
         POD("hater", "", "1", PREFERS("podAntiAffinity", "10") RUNNING("n1", "01")) NEW(""),
     "n1=0; n2=0; n3=0"},
    {"somebody does not like it", 28,
     NODES POD("hater", "", "1", PREFERS("podAntiAffinity", "10") RUNNING("n1", "01")) NEW(""),
     "n1=0; n2=200; n3=200"},
    {"somebody requires it", 28, NODES LIKES(REQUIRES, "n1") NEW(""), "n1=200; n2=0; n3=0"},
    {"near those it likes, in proportion to their number", 26,
     NODES OLD("o1", "n1") OLD("o2", "n2") OLD("o3", "n2") NEW(PREFERS("podAffinity", "10")),
     "n1=100; n2=200; n3=0"},
    {"far from those it does not like", 26,
     NODES OLD("o1", "n1") OLD("o2", "n2") OLD("o3", "n2") NEW(PREFERS("podAntiAffinity", "10")),
     "n1=100; n2=0; n3=200"},
    {"near those that like it", 26,
     NODES LIKES(PREFERS("podAffinity", "10"), "n1") LIKES(PREFERS("podAffinity", "40"), "n2")
         NEW(""),
     "n1=50; n2=200; n3=0"},
    {"what others require of it counts one", 26,
     NODES LIKES(REQUIRES, "n1") LIKES(PREFERS("podAffinity", "4"), "n2") NEW(""),
     "n1=50; n2=200; n3=0"},
};

extern const struct rule_table rules_of_inter_pod_affinity_score;
const struct rule_table rules_of_inter_pod_affinity_score = RULE_TABLE("InterPodAffinity", cases);
