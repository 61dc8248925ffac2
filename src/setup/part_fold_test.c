/* SPDX-License-Identifier: Apache-2.0 */
/* Which groups of nodes become one, and what becomes of their pods. */
#include "cluster/observed_fixture.h"
#include "setup/part_fold.h"

#define ZONE(name, count, zone) \
    NODES(name, count, "metadata: {labels: {topology.kubernetes.io/zone: " zone "}}, ", ROOMY)
#define THREE ZONE("a", "3", "a") ZONE("b", "2", "b") ZONE("c", "4", "c")
#define RACK(name, zone)                                                                       \
    NODES(name, "3", "metadata: {labels: {rack: r, topology.kubernetes.io/zone: " zone "}}, ", \
          ROOMY)
#define CONVERGES  "  intents: [{name: converges}]\n"
#define AGENT(pod) WORKLOAD("DaemonSet", "agent", "app: agent", "cpu: 100m", pod)
#define WEB(pod)   WORKLOAD("Deployment", "web", "app: web", "cpu: 100m", pod)
#define IN_ZONE    "      nodeSelector: {topology.kubernetes.io/zone: a}\n"

/* Folds the part with the DaemonSet agent; gives the number of groups that have nodes. */
static uint32_t fold(struct fixture *fixture, const char *manifests, struct scope_part *part,
                     const struct setup **folded)
{
    struct setups setups = {0};
    bool in[4] = {false};
    uint32_t count = 0;
    assert_true(fixture_load(fixture, manifests));
    scope_enumerate(&fixture->arena, &fixture->scope, &setups);
    for (uint32_t w = 0; w < fixture->scope.workload_count; w++)
        in[w] = strcmp(fixture->scope.workloads[w].name, "DaemonSet/default/agent") == 0;
    scope_part(&fixture->arena, &fixture->scope, in, part);
    *folded =
        scope_part_fold(&fixture->arena, part, setup_part(&fixture->arena, part, &setups.items[0]),
                        fixture->check->intents, fixture->check->intent_count);
    assert_int_equal(part->scope.group_count, fixture->scope.group_count);
    for (uint32_t g = 0; g < part->scope.group_count; g++)
        count += (*folded)->nodes[g] > 0;
    return count;
}

static void groups_are_taken_together(void **state)
{
    static const struct {
        const char *name;
        const char *manifests;
        uint32_t groups;
    } cases[] = {
        {"only zones differ", CLUSTER(THREE, CONVERGES) AGENT(""), 1},
        {"others read the zone", CLUSTER(THREE, CONVERGES) AGENT("") WEB(IN_ZONE), 1},
        {"it reads the zone itself", CLUSTER(THREE, CONVERGES) AGENT(IN_ZONE) WEB(""), 3},
        {"an intent reads the zone",
         CLUSTER(THREE, "  intents: [{name: balanced, workload: DaemonSet/default/agent, "
                        "topologyKey: topology.kubernetes.io/zone, maxSkew: 1}]\n") AGENT(""),
         3},
        {"a zone fails", CLUSTER(THREE, "  events: [{name: zoneOutage}]\n" CONVERGES) AGENT(""), 3},
        {"a rack with nodes of several zones is cut off",
         CLUSTER(RACK("a", "a") RACK("b", "b"),
                 "  events: [{name: partition, topologyKey: rack}]\n" CONVERGES) AGENT(""),
         2},
        {"one node is drained at a time",
         CLUSTER(THREE, "  events: [{name: maintenance, atMost: 9}]\n" CONVERGES) AGENT(""), 1},
        {"all nodes of a zone are drained at a time",
         CLUSTER(THREE, "  events: [{name: maintenance, atMost: 9, concurrent: 2}]\n" CONVERGES)
             AGENT(""),
         3},
        {"one node fails", CLUSTER(THREE, "  events: [{name: nodeFailure}]\n" CONVERGES) AGENT(""),
         1},
        {"two nodes fail",
         CLUSTER(THREE, "  events: [{name: nodeFailure, atMost: 2}]\n" CONVERGES) AGENT(""), 3},
        {"half of a zone fails",
         CLUSTER(ZONE("a", "6", "a") ZONE("b", "6", "b"),
                 "  events: [{name: nodeFailure, atMost: 3}]\n" CONVERGES) AGENT(""),
         2},
        {"less than half of a zone fails",
         CLUSTER(ZONE("a", "7", "a") ZONE("b", "7", "b"),
                 "  events: [{name: nodeFailure, atMost: 3}]\n" CONVERGES) AGENT(""),
         1},
        {"an event names a group",
         CLUSTER(THREE, "  events: [{name: nodeFailure, group: b}]\n" CONVERGES) AGENT(""), 3},
        {"a pod names a node", CLUSTER(THREE, CONVERGES) AGENT("") WEB("      nodeName: b-1\n"), 3},
        {"nodes are of different sizes",
         CLUSTER(ZONE("a", "3", "a") NODES("b", "3", "", "cpu: '2', memory: 16Gi, pods: '110'"),
                 CONVERGES) AGENT(""),
         2},
        {"nodes are tainted",
         CLUSTER(ZONE("a", "3", "a")
                     NODES("b", "3", "spec: {taints: [{key: x, effect: NoSchedule}]}, ", ROOMY),
                 CONVERGES) AGENT(""),
         2},
        {"pods have claims",
         CLUSTER(THREE, CONVERGES)
             AGENT("      volumes: [{name: v, persistentVolumeClaim: {claimName: x}}]\n"),
         3},
    };
    (void)state;
    for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
        struct fixture fixture;
        struct scope_part part = {0};
        const struct setup *folded;
        const uint32_t groups = fold(&fixture, cases[i].manifests, &part, &folded);
        if (groups != cases[i].groups)
            fail_msg("%s: %u groups", cases[i].name, groups);
        fixture_release(&fixture);
    }
}

/* So do intents that stand in place of those of the Check. */
static void given_intents_read_the_zone(void **state)
{
    const struct check_intent intent = {.kind = INTENT_BALANCED,
                                        .topology_key = "topology.kubernetes.io/zone"};
    struct fixture fixture;
    struct setups setups = {0};
    struct scope_part part = {0};
    const bool in[] = {true};
    (void)state;
    for (uint32_t count = 0; count < 2; count++) {
        assert_true(fixture_load(&fixture, CLUSTER(THREE, CONVERGES) AGENT("")));
        scope_enumerate(&fixture.arena, &fixture.scope, &setups);
        scope_part(&fixture.arena, &fixture.scope, in, &part);
        const struct setup *own = setup_part(&fixture.arena, &part, &setups.items[0]);
        const struct setup *folded = scope_part_fold(&fixture.arena, &part, own, &intent, count);
        assert_int_equal(folded->nodes[0], count == 0 ? 9 : 3);
        fixture_release(&fixture);
        setups = (struct setups){0};
    }
}

/* Groups keep their numbers, and no node is lost. */
static void nodes_are_counted_once(void **state)
{
    struct fixture fixture;
    struct scope_part part = {0};
    const struct setup *folded;
    (void)state;
    fold(&fixture,
         CLUSTER(ZONE("a", "3", "a") NODES("x", "5", "", "cpu: '2', memory: 16Gi, pods: '110'")
                     ZONE("c", "4", "c"),
                 CONVERGES) AGENT(""),
         &part, &folded);
    assert_int_equal(folded->nodes[0], 7);
    assert_int_equal(folded->nodes[1], 5);
    assert_int_equal(folded->nodes[2], 0);
    assert_int_equal(part.scope.groups[0].mixed, 1 << 0 | 1 << 2);
    assert_int_equal(part.scope.groups[1].mixed, 0);
    assert_int_equal(part.scope.groups[0].most, 7);
    assert_int_equal(part.scope.groups[2].most, 0);
    assert_int_equal(fixture.scope.groups[0].most, 3);
    fixture_release(&fixture);
}

#define DAEMON_POD(name, node)                                                                   \
    "---\napiVersion: v1\nkind: Pod\nmetadata:\n  name: " name                                   \
    "\n  namespace: default\n  labels: {app: agent}\n  ownerReferences: [{apiVersion: apps/v1, " \
    "kind: DaemonSet, name: agent, uid: agent, controller: true}]\n" POD_REST(node, "cpu: 100m")

/* Pods of a dump are on the nodes of the same names. */
static void pods_stay_on_their_nodes(void **state)
{
    struct fixture fixture;
    struct scope_part part = {0};
    const struct setup *folded;
    (void)state;
    const uint32_t groups =
        fold(&fixture,
             OBSERVED("") NODE("n1", "a") NODE("n2", "a") NODE("n3", "b") NODE("n4", "c") AGENT("")
                 DAEMON_POD("p2", "n2") DAEMON_POD("p3", "n3") DAEMON_POD("p4", "n4"),
             &part, &folded);
    assert_int_equal(groups, 1);
    assert_int_equal(folded->nodes[0], 4);
    assert_int_equal(part.scope.pod_count, 3);
    for (uint32_t i = 0; i < part.scope.pod_count; i++) {
        const struct observed_pod *pod = &part.scope.pods[i];
        assert_int_equal(pod->place.group, 0);
        assert_string_equal(part.scope.groups[0].names[pod->place.node],
                            pod->object->as.pod->spec.node_name);
    }
    fixture_release(&fixture);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(groups_are_taken_together),
        cmocka_unit_test(given_intents_read_the_zone),
        cmocka_unit_test(nodes_are_counted_once),
        cmocka_unit_test(pods_stay_on_their_nodes),
    };
    return cmocka_run_group_tests_name("part_fold", tests, NULL, NULL);
}
