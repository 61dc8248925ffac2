/* SPDX-License-Identifier: Apache-2.0 */
/* Emptier domains are better. */
#include "decide/scheduler/rule_cases.h"

#define ANYWAY                                                                              \
    POD("new", ", labels: {app: a}", "1",                                                   \
        ", topologySpreadConstraints: [{maxSkew: 1, topologyKey: zone, whenUnsatisfiable: " \
        "ScheduleAnyway" SELECT_A "}]")
#define ZONES         NODE("n1", ", zone: a", "4", "") NODE("n2", ", zone: b", "4", "")
#define OLD(name, on) POD(name, ", labels: {app: a}", "1", RUNNING(on, "01"))
#define SERVICE                                                                               \
    "{apiVersion: v1, kind: Service, metadata: {name: s}, spec: {selector: {app: a}, ports: " \
    "[{port: 80}]}}" END

static const struct rule_case cases[] = {
    {"nobody cares", 26, ZONES OLD("o1", "n1") POD("new", "", "1", ""), "n1=200; n2=200"},
    {"nobody cares, and there are no points", 28, ZONES OLD("o1", "n1") POD("new", "", "1", ""),
     "n1=skipped; n2=skipped"},
    {"two and none", 26, ZONES OLD("o1", "n1") OLD("o2", "n1") ANYWAY, "n1=0; n2=200"},
    {"two and one: rounded products with the logarithm of four, 3 and 1", 26,
     ZONES OLD("o1", "n1") OLD("o2", "n1") OLD("o3", "n2") ANYWAY, "n1=66; n2=200"},
    {"a node without the key has no points", 26,
     ZONES NODE("n3", "", "4", "") OLD("o1", "n1") ANYWAY, "n1=0; n2=200; n3=0"},
    {"pods of a Service are spread over nodes without being told", 26,
     ZONES OLD("o1", "n1") SERVICE POD("new", ", labels: {app: a}", "1", ""), "n1=132; n2=200"},
};

extern const struct rule_table rules_of_pod_topology_spread_score;
const struct rule_table rules_of_pod_topology_spread_score = RULE_TABLE("PodTopologySpread", cases);
