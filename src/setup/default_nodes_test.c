/* SPDX-License-Identifier: Apache-2.0 */
/* Nodes for manifests without any: what they have, and how many are needed. */
#include "setup/default_nodes.h"

#include "object/node.h"
#include "setup/setup_fixture.h"

#define WEB(name, replicas, spec)                                               \
    "---\napiVersion: apps/v1\nkind: Deployment\nmetadata: {name: " name        \
    "}\nspec:\n  replicas: " replicas "\n  selector: {matchLabels: {app: " name \
    "}}\n  template:\n    metadata: {labels: "                                  \
    "{app: " name "}}\n    spec: {" spec "}\n"
#define CONTAINERS(more) "containers: [{name: c, image: x" more "}]"
#define REQUESTS(what)   CONTAINERS(", resources: {requests: {" what "}}")

#define NODE(name)                                            \
    "---\napiVersion: v1\nkind: Node\nmetadata: {name: " name \
    "}\nstatus: {allocatable: {cpu: 4, memory: 16Gi, pods: 110}}\n"

struct needs_fixture {
    struct setup_fixture setup;
    const struct node_needs *needs;
};

static void read_needs(struct needs_fixture *fixture, const char *manifests)
{
    struct node_size size;
    quantity_parse("4", &size.cpu, NULL);
    quantity_parse("16Gi", &size.memory, NULL);
    setup_fixture_read(&fixture->setup, manifests);
    assert_true(fixture->setup.built);
    fixture->needs = node_needs_of(&fixture->setup.arena, &fixture->setup.objects, &size);
}

static void expect_needs(const char *manifests, int32_t least, int32_t roomy, const char *text)
{
    struct needs_fixture fixture;
    read_needs(&fixture, manifests);
    assert_int_equal(node_needs_least(fixture.needs), least);
    assert_int_equal(node_needs_roomy(fixture.needs, true), roomy);
    assert_string_equal(node_needs_text(fixture.needs, least), text);
    setup_fixture_release(&fixture.setup);
}

static void test_room(void **state)
{
    (void)state;
    expect_needs(WEB("a", "1", CONTAINERS("")), 1, 3, "1 node of 4 CPU, 16Gi");
    /* Eight pods and the two that a rollout adds, three on a node. */
    expect_needs(WEB("a", "8", REQUESTS("cpu: 1200m")), 4, 3, "4 nodes of 4 CPU, 16Gi");
    /* A pod that is larger than a node makes the nodes larger. */
    expect_needs(WEB("a", "1", REQUESTS("cpu: 6")), 2, 3, "2 nodes of 8 CPU, 32Gi");
}

/* Init containers run alone, and disks are as large as pods ask for. */
static void test_largest(void **state)
{
    struct needs_fixture fixture;
    struct objects nodes = {0};
    (void)state;
    expect_needs(WEB("a", "1",
                     "initContainers: [{name: i, image: x, resources: {requests: {cpu: "
                     "7}}}], " CONTAINERS("")),
                 1, 3, "1 node of 8 CPU, 32Gi");
    /* More CPU makes no room for a second GPU. */
    expect_needs(
        WEB("a", "1",
            REQUESTS("nvidia.com/gpu: 1")) "---\napiVersion: apps/v1\nkind: DaemonSet\nmetadata: "
                                           "{name: d}\nspec:\n  selector: "
                                           "{matchLabels: {app: d}}\n  template:\n    metadata: "
                                           "{labels: {app: d}}\n    spec: {" REQUESTS(
                                               "cpu: 100m") "}\n",
        2, 3, "2 nodes of 4 CPU, 16Gi; nvidia.com/gpu 1 on each");
    read_needs(&fixture, WEB("a", "1", REQUESTS("ephemeral-storage: 300Gi")));
    node_needs_add(&fixture.setup.arena, fixture.needs, 1, NODE_ROOM_OF_SIZE, &nodes);
    assert_string_equal(
        quantity_format_text(
            &fixture.setup.arena,
            *resource_list_find(&nodes.items[0].as.node->status.allocatable, "ephemeral-storage")),
        "300Gi");
    setup_fixture_release(&fixture.setup);
}

static void test_apart(void **state)
{
    (void)state;
    expect_needs(WEB("a", "4", CONTAINERS(", ports: [{containerPort: 80, hostPort: 80}]")), 5, 6,
                 "5 nodes of 4 CPU, 16Gi");
    expect_needs(WEB("a", "2",
                     "affinity: {podAntiAffinity: {requiredDuringSchedulingIgnoredDuringExecution: "
                     "[{topologyKey: kubernetes.io/hostname, labelSelector: {matchLabels: {app: "
                     "a}}}]}}, " CONTAINERS("")),
                 3, 4, "3 nodes of 4 CPU, 16Gi");
    /* Others may be on the same node. */
    expect_needs(WEB("a", "2",
                     "affinity: {podAntiAffinity: {requiredDuringSchedulingIgnoredDuringExecution: "
                     "[{topologyKey: kubernetes.io/hostname, labelSelector: {matchLabels: {app: "
                     "b}}}]}}, " CONTAINERS("")),
                 1, 3, "1 node of 4 CPU, 16Gi");
}

static void test_zones(void **state)
{
    (void)state;
    expect_needs(WEB("a", "3",
                     "topologySpreadConstraints: [{maxSkew: 1, topologyKey: "
                     "topology.kubernetes.io/zone, whenUnsatisfiable: DoNotSchedule, "
                     "labelSelector: {matchLabels: {app: a}}}], " CONTAINERS("")),
                 3, 6, "3 nodes in 3 zones of 4 CPU, 16Gi");
    /* A rollout adds a pod, which needs a zone of its own; the node of another may be lost. */
    expect_needs(WEB("a", "3",
                     "affinity: {podAntiAffinity: {requiredDuringSchedulingIgnoredDuringExecution: "
                     "[{topologyKey: topology.kubernetes.io/zone, labelSelector: {matchLabels: "
                     "{app: a}}}]}}, " CONTAINERS("")),
                 4, 10, "4 nodes in 4 zones of 4 CPU, 16Gi");
}

static void test_wishes(void **state)
{
    (void)state;
    expect_needs(WEB("a", "1",
                     "nodeSelector: {disktype: ssd, kubernetes.io/os: linux}, " REQUESTS(
                         "nvidia.com/gpu: 2")),
                 2, 3,
                 "2 nodes of 4 CPU, 16Gi; label disktype=ssd on each; nvidia.com/gpu 2 on each");
    /* Labels that contradict each other are on different nodes. */
    expect_needs(WEB("a", "1", "nodeSelector: {pool: red}, " CONTAINERS(""))
                     WEB("b", "1", "nodeSelector: {pool: blue}, " CONTAINERS("")),
                 1, 3, "2 nodes of 4 CPU, 16Gi; label pool=red on one; label pool=blue on another");
    /* On as many nodes as the pods that ask for it need, and those of others beside them. */
    expect_needs(WEB("a", "3", REQUESTS("cpu: 3"))
                     WEB("b", "2", "nodeSelector: {disk: ssd, rack: a}, " REQUESTS("cpu: 3"))
                         WEB("c", "1", "nodeSelector: {disk: ssd}, " REQUESTS("cpu: 1")) WEB(
                             "d", "2", "nodeSelector: {disk: tape, rack: b}, " REQUESTS("cpu: 3")),
                 11, 3,
                 "11 nodes of 4 CPU, 16Gi; label disk=ssd on 4; label rack=a on 3; labels "
                 "disk=tape, rack=b on 3 others");
    expect_needs(WEB("a", "4", REQUESTS("cpu: 3")) WEB("b", "1", REQUESTS("example.com/nic: 1")), 7,
                 3, "7 nodes of 4 CPU, 16Gi; example.com/nic 1 on 2");
}

/* Everything that selectors usually ask for is there. */
static void test_labels(void **state)
{
    struct needs_fixture fixture;
    struct objects nodes = {0};
    (void)state;
    read_needs(&fixture,
               WEB("a", "1",
                   "affinity: {nodeAffinity: "
                   "{requiredDuringSchedulingIgnoredDuringExecution: {nodeSelectorTerms: "
                   "[{matchExpressions: [{key: topology.kubernetes.io/zone, operator: In, "
                   "values: [west-1]}, {key: role, operator: Exists}, {key: size, "
                   "operator: Gt, values: ['3']}, {key: role, operator: NotIn, values: "
                   "[db]}]}]}}}, " CONTAINERS("")));
    node_needs_add(&fixture.setup.arena, fixture.needs, 3, NODE_ROOM_OF_SIZE, &nodes);
    assert_int_equal(nodes.count, 3);
    const struct labels *labels = &nodes.items[0].meta->labels;
    assert_string_equal(labels_find(labels, "topology.kubernetes.io/zone"), "west-1");
    assert_string_equal(labels_find(labels, "kubernetes.io/os"), "linux");
    assert_string_equal(labels_find(labels, "kubernetes.io/hostname"), "node-1");
    assert_string_equal(labels_find(labels, "role"), "");
    assert_string_equal(labels_find(labels, "size"), "4");
    assert_string_not_equal(
        labels_find(&nodes.items[1].meta->labels, "topology.kubernetes.io/zone"), "west-1");
    assert_non_null(
        resource_list_find(&nodes.items[0].as.node->status.allocatable, "ephemeral-storage"));
    setup_fixture_release(&fixture.setup);
}

/* A node that pods name is there, once. */
static void test_names(void **state)
{
    struct needs_fixture fixture;
    struct objects nodes = {0};
    (void)state;
    read_needs(&fixture, WEB("a", "2", "nodeName: db-host, " CONTAINERS("")));
    node_needs_add(&fixture.setup.arena, fixture.needs, 3, NODE_ROOM_FOR_ALL, &nodes);
    assert_int_equal(nodes.count, 4);
    assert_string_equal(nodes.items[3].meta->name, "db-host");
    setup_fixture_release(&fixture.setup);
}

/* Nodes of which nobody knows how many there are: those of Node objects, but for those that are
 * mentioned, or not ready. */
static void test_open(void **state)
{
    struct setup_fixture fixture;
    (void)state;
    setup_fixture_read(
        &fixture, WEB("a", "1", "nodeName: db-1, " CONTAINERS("")) NODE("big-1") NODE("big-2")
                      NODE("db-1") "---\napiVersion: v1\nkind: Node\nmetadata: {name: "
                                   "far-1}\nstatus: {allocatable: "
                                   "{cpu: 4}, conditions: [{type: Ready, status: \"False\"}]}\n");
    assert_true(fixture.built);
    struct scope scope = fixture.scope;
    assert_int_equal(scope.group_count, 3);
    assert_true(scope_open_nodes(&fixture.arena, &scope));
    for (uint32_t g = 0; g < scope.group_count; g++) {
        const struct setup_group *group = &scope.groups[g];
        const bool big = group->least == 2;
        assert_int_equal(group->open, big);
        assert_int_equal(group->names == NULL, big);
        assert_string_equal(group->name, big ? "big" : group->single ? "db-1" : "far-1");
        /* Those of the fixture are as they were. */
        assert_false(fixture.scope.groups[g].open);
        assert_non_null(fixture.scope.groups[g].names);
    }
    assert_false(scope_open_nodes(&fixture.arena, &(struct scope){.groups = scope.groups}));
    setup_fixture_release(&fixture);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_room),  cmocka_unit_test(test_largest), cmocka_unit_test(test_apart),
        cmocka_unit_test(test_zones), cmocka_unit_test(test_wishes),  cmocka_unit_test(test_labels),
        cmocka_unit_test(test_names), cmocka_unit_test(test_open),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
