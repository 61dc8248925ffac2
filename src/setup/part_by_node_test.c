/* SPDX-License-Identifier: Apache-2.0 */
/* Which parts are looked at one node at a time, and with which setups. */
#include "cluster/observed_fixture.h"
#include "cluster/others.h"
#include "setup/part_by_node.h"

#define ZONE(name, count, zone) \
    NODES(name, count, "metadata: {labels: {topology.kubernetes.io/zone: " zone "}}, ", ROOMY)
#define TWO           ZONE("a", "3", "a") ZONE("b", "2", "b")
#define CONVERGES     "  intents: [{name: converges}]\n"
#define EVENTS(event) "  events: [" event "]\n" CONVERGES
#define AGENT(pod)    WORKLOAD("DaemonSet", "agent", "app: agent", "cpu: 100m", pod)
#define WEB           WORKLOAD("Deployment", "web", "app: web", "cpu: 100m", "")
#define QUOTA(namespace)                                                                           \
    "---\napiVersion: v1\nkind: ResourceQuota\nmetadata: {name: q, namespace: " namespace "}\nspe" \
                                                                                          "c: "    \
                                                                                          "{hard:" \
                                                                                          " {"     \
                                                                                          "pods: " \
                                                                                          "9}}\n"
#define DESCHEDULER                                                                       \
    "---\napiVersion: descheduler/v1alpha2\nkind: DeschedulerPolicy\nprofiles:\n- name: " \
    "p\n  pluginConfig: []\n  plugins: {balance: {enabled: [RemoveDuplicates]}}\n"
#define TERMS                                                                          \
    "{requiredDuringSchedulingIgnoredDuringExecution: [{labelSelector: {matchLabels: " \
    "{app: agent}}, topologyKey: topology.kubernetes.io/zone}]}"

#define DAEMON_POD                                                                         \
    "---\napiVersion: v1\nkind: Pod\nmetadata: {name: p, namespace: default, labels: "     \
    "{app: agent}, ownerReferences: [{apiVersion: apps/v1, kind: DaemonSet, name: agent, " \
    "uid: agent, controller: true}]}\n" POD_REST("n1", "cpu: 100m")

/* The part with the workload agent. */
static const struct setup *part_of_agent(struct fixture *fixture, const char *manifests,
                                         struct scope_part *part)
{
    struct setups setups = {0};
    bool in[4] = {false};
    assert_true(fixture_load(fixture, manifests));
    scope_enumerate(&fixture->arena, &fixture->scope, &setups);
    for (uint32_t w = 0; w < fixture->scope.workload_count; w++)
        in[w] = strstr(fixture->scope.workloads[w].name, "/agent") != NULL;
    scope_part(&fixture->arena, &fixture->scope, in, part);
    return setup_part(&fixture->arena, part, &setups.items[0]);
}

static void nodes_are_looked_at_apart(void **state)
{
    static const struct {
        const char *name;
        const char *manifests;
        bool by_node;
    } cases[] = {
        {"a DaemonSet", CLUSTER(TWO, CONVERGES) AGENT(""), true},
        {"beside a Deployment", CLUSTER(TWO, CONVERGES) AGENT("") WEB, true},
        {"nodes fail", CLUSTER(TWO, EVENTS("{name: nodeFailure, atMost: 3}")) AGENT(""), true},
        {"a zone fails", CLUSTER(TWO, EVENTS("{name: zoneOutage, recovers: true}")) AGENT(""),
         true},
        {"nodes are drained", CLUSTER(TWO, EVENTS("{name: maintenance, atMost: 4}")) AGENT(""),
         true},
        {"another workload is scaled",
         CLUSTER(TWO, EVENTS("{name: scale, workload: Deployment/default/web, to: [2], atMost: 1}"))
             AGENT("") WEB,
         true},
        {"another workload has a budget",
         CLUSTER(TWO, CONVERGES) AGENT("") WEB BUDGET("web", "app: web"), true},
        {"a quota", CLUSTER(TWO, CONVERGES) AGENT("") QUOTA("default"), false},
        {"a quota of another namespace", CLUSTER(TWO, CONVERGES) AGENT("") QUOTA("other"), true},
        {"soft constraints",
         CLUSTER(TWO, CONVERGES)
             AGENT("      topologySpreadConstraints: [{maxSkew: 1, topologyKey: zone, "
                   "whenUnsatisfiable: ScheduleAnyway, labelSelector: {matchLabels: {app: "
                   "agent}}}]\n"),
         true},
        {"it tolerates for ever",
         CLUSTER(TWO, CONVERGES) AGENT("      tolerations: [{operator: Exists}]\n"), true},
        {"a Deployment",
         CLUSTER(TWO, CONVERGES) WORKLOAD("Deployment", "agent", "app: agent", "cpu: 100m",
                                          "      tolerations: [{operator: Exists}]\n"),
         false},
        {"one node", CLUSTER(ZONE("a", "1", "a"), CONVERGES) AGENT(""), false},
        {"a budget counts its pods",
         CLUSTER(TWO, CONVERGES) AGENT("") BUDGET("agent", "app: agent"), false},
        {"hard constraints",
         CLUSTER(TWO, CONVERGES)
             AGENT("      topologySpreadConstraints: [{maxSkew: 1, topologyKey: "
                   "topology.kubernetes.io/zone, whenUnsatisfiable: DoNotSchedule, labelSelector: "
                   "{matchLabels: {app: agent}}}]\n"),
         false},
        {"affinity to other pods",
         CLUSTER(TWO, CONVERGES) AGENT("      affinity: {podAffinity: " TERMS "}\n"), false},
        {"anti-affinity to other pods",
         CLUSTER(TWO, CONVERGES) AGENT("      affinity: {podAntiAffinity: " TERMS "}\n"), false},
        {"it tolerates for a while",
         CLUSTER(TWO, CONVERGES)
             AGENT("      tolerations: [{key: node.kubernetes.io/unreachable, operator: Equal, "
                   "effect: NoExecute, tolerationSeconds: 60}]\n"),
         false},
        {"pods have claims",
         CLUSTER(TWO, CONVERGES)
             AGENT("      volumes: [{name: v, persistentVolumeClaim: {claimName: x}}]\n"),
         false},
        {"the descheduler compares nodes", CLUSTER(TWO, CONVERGES) AGENT("") DESCHEDULER, false},
        {"it is deleted",
         CLUSTER(TWO, EVENTS("{name: delete, object: DaemonSet/default/agent}")) AGENT(""), false},
        {"nodes panic", CLUSTER(TWO, EVENTS("{name: kernelPanic, aboveCpu: 90%}")) AGENT(""),
         false},
        {"an event names one of several nodes",
         CLUSTER(TWO, EVENTS("{name: nodeFailure, node: a-2}")) AGENT(""), false},
        {"an event names a node that is alone",
         CLUSTER(ZONE("a", "1", "a") ZONE("b", "1", "b"), EVENTS("{name: nodeFailure, node: b-1}"))
             AGENT(""),
         true},
        {"runs start from a dump",
         OBSERVED("") NODE("n1", "a") NODE("n2", "a") AGENT("") DAEMON_POD, false},
    };
    (void)state;
    for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
        struct fixture fixture;
        struct scope_part part = {0};
        const struct setup *setup = part_of_agent(&fixture, cases[i].manifests, &part);
        if (scope_part_is_by_node(&part, setup) != cases[i].by_node)
            fail_msg("%s: %d", cases[i].name, !cases[i].by_node);
        fixture_release(&fixture);
    }
}

static void a_setup_has_one_node(void **state)
{
    struct fixture fixture;
    struct scope_part part = {0};
    (void)state;
    const struct setup *setup =
        part_of_agent(&fixture, CLUSTER(TWO, CONVERGES) AGENT("") WEB, &part);
    const struct setup *one = setup_with_one_node(&fixture.arena, &part, setup, 1);
    assert_int_equal(one->nodes[0], 0);
    assert_int_equal(one->nodes[1], 1);
    assert_int_equal(one->total_nodes, 1);
    assert_int_equal(setup->nodes[0], 3);
    fixture_release(&fixture);
}

/* Two nodes that hold two pods each, and three that hold one each. */
static void nodes_hold_the_sum(void **state)
{
    const struct room_held two = {
        .kind_count = 1,
        .kinds = {{.request.amounts = {100}, .most = {2, 2}, .lasting = {1, 1}, .on_node = 2}},
        .staying = {{1, 1}},
        .leaving = 1,
        .ends = true};
    const struct room_held one = {.kind_count = 1,
                                  .kinds = {{.request.amounts = {100},
                                             .most = {1, 0, 1},
                                             .lasting = {1, 0, 1},
                                             .on_node = 1}},
                                  .staying = {{1, 0, 1}},
                                  .binds = true};
    struct room_held all = {0};
    (void)state;
    room_held_add(&all, &two, 2);
    room_held_add(&all, &one, 3);
    assert_int_equal(all.kind_count, 1);
    assert_int_equal(all.kinds[0].request.amounts[0], 100);
    assert_int_equal(all.kinds[0].most[0], 7);
    assert_int_equal(all.kinds[0].most[1], 4);
    assert_int_equal(all.kinds[0].most[2], 3);
    assert_int_equal(all.kinds[0].lasting[0], 5);
    assert_int_equal(all.staying[0][0], 5);
    assert_int_equal(all.beside_waiting[0][0], 7);
    assert_int_equal(all.kinds[0].on_node, 2);
    assert_int_equal(all.leaving, 2);
    assert_true(all.ends);
    assert_true(all.binds);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(nodes_are_looked_at_apart),
        cmocka_unit_test(a_setup_has_one_node),
        cmocka_unit_test(nodes_hold_the_sum),
    };
    return cmocka_run_group_tests_name("part_by_node", tests, NULL, NULL);
}
