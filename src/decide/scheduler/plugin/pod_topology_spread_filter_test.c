/* SPDX-License-Identifier: Apache-2.0 */
/* How much fuller a domain may be than the emptiest. */
#include "decide/scheduler/rule_cases.h"

#define ZONES      NODE("n1", ", zone: a", "4", "") NODE("n2", ", zone: b", "4", "")
#define OLD(meta)  POD("old", ", labels: {app: a}" meta, "1", RUNNING("n1", "01"))
#define SPREAD_OUT POD("new", ", labels: {app: a}", "1", SPREAD("", SELECT_A))
#define MIN_DOMAINS                  \
    NODE("n1", ", zone: a", "4", "") \
    OLD("") POD("new", ", labels: {app: a}", "1", SPREAD(", minDomains: 2", SELECT_A))
#define LABEL_KEYS                                                           \
    ZONES POD("old", ", labels: {app: a, v: '1'}", "1", RUNNING("n1", "01")) \
        POD("new", ", labels: {app: a, v: '2'}", "1", SPREAD(", matchLabelKeys: [v]", SELECT_A))
#define EMPTY_SELECTOR \
    ZONES OLD("") POD("new", ", labels: {app: a}", "1", SPREAD("", ", labelSelector: {}"))

static const struct rule_case cases[] = {
    {"one and none: the next one goes to the empty zone", 26, ZONES OLD("") SPREAD_OUT,
     "n1: node(s) didn't match pod topology spread constraints; n2=200"},
    {"a node without the key has no domain", 26, ZONES NODE("n3", "", "4", "") SPREAD_OUT,
     "n1=200; n2=200; n3: node(s) didn't match pod topology spread constraints (missing required "
     "label)"},
    {"pods of another namespace do not count", 26, ZONES OLD(", namespace: other") SPREAD_OUT,
     "n1=200; n2=200"},
    {"pods that are being deleted do not count", 26,
     ZONES OLD(", deletionTimestamp: '2026-01-01T00:00:00Z', deletionGracePeriodSeconds: 30")
         SPREAD_OUT,
     "n1=200; n2=200"},
    {"a pod that its own selector does not select adds nothing", 26,
     ZONES OLD("") POD("new", ", labels: {app: b}", "1", SPREAD("", SELECT_A)), "n1=200; n2=200"},
    {"a domain that the node selector leaves out is not the emptiest", 26,
     ZONES OLD("")
         POD("new", ", labels: {app: a}", "1", ", nodeSelector: {zone: a}" SPREAD("", SELECT_A)),
     "n1=200; n2! NodeAffinity"},
    {"unless the constraint ignores the node selector", 26,
     ZONES OLD("")
         POD("new", ", labels: {app: a}", "1",
             ", nodeSelector: {zone: a}" SPREAD(", nodeAffinityPolicy: Ignore", SELECT_A)),
     "n1: node(s) didn't match pod topology spread constraints; n2! NodeAffinity"},
    {"minDomains is ignored", 26, MIN_DOMAINS, "n1=200"},
    {"minDomains counts", 27, MIN_DOMAINS,
     "n1: node(s) didn't match pod topology spread constraints"},
    {"matchLabelKeys of spreading are ignored", 26, LABEL_KEYS,
     "n1: node(s) didn't match pod topology spread constraints; n2=200"},
    {"matchLabelKeys of spreading count", 27, LABEL_KEYS, "n1=200; n2=200"},
    {"matchLabelKeys without a selector count no pods", 27,
     ZONES POD("old", ", labels: {v: '1'}", "1", RUNNING("n1", "01"))
         POD("new", ", labels: {v: '1'}", "1", SPREAD(", matchLabelKeys: [v]", "")),
     "n1=200; n2=200"},
    {"an empty selector counts all pods", 26, EMPTY_SELECTOR,
     "n1: node(s) didn't match pod topology spread constraints; n2=200"},
    {"an empty selector counts no pods", 27, EMPTY_SELECTOR, "n1=200; n2=200"},
};

extern const struct rule_table rules_of_pod_topology_spread;
const struct rule_table rules_of_pod_topology_spread = RULE_TABLE("PodTopologySpread", cases);
