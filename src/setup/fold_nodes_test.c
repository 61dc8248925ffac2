/* SPDX-License-Identifier: Apache-2.0 */
/* Which nodes are alike: what somebody reads tells them apart, the rest does not. */
#include "setup/setup_fixture.h"

#define NODE(name, labels, rest)                                                                  \
    "---\napiVersion: v1\nkind: Node\nmetadata:\n  name: " name "\n  uid: uid-of-" name           \
    "\n  annotations: {address: of-" name "}\n  labels: {" labels "kubernetes.io/hostname: " name \
    "}\n" rest
#define SIZE \
    "status: {allocatable: {cpu: '4', memory: 16Gi, pods: '110', ephemeral-storage: 90Gi}}\n"
#define WEB(rest)                                                                                \
    "---\napiVersion: apps/v1\nkind: Deployment\nmetadata: {name: web}\nspec:\n  replicas: 2\n"  \
    "  selector: {matchLabels: {app: web}}\n  template:\n    metadata: {labels: {app: web}}\n"   \
    "    spec:\n      containers:\n      - {name: c, image: web:1, resources: {requests: {cpu: " \
    "500m}}}\n" rest

static void expect_groups(const char *manifests, uint32_t count, const int32_t *sizes)
{
    struct setup_fixture fixture;
    setup_fixture_read(&fixture, manifests);
    assert_true(fixture.built);
    assert_int_equal(fixture.scope.group_count, count);
    for (uint32_t g = 0; g < count; g++)
        assert_int_equal(fixture.scope.groups[g].most, sizes[g]);
    setup_fixture_release(&fixture);
}

static void what_nobody_reads_does_not_matter(void **state)
{
    (void)state;
    static const char other_size[] =
        "status: {allocatable: {cpu: '4', memory: 16Gi, pods: '110', ephemeral-storage: 80Gi}, "
        "images: [{names: ['other:1'], sizeBytes: 900000000}]}\n";
    const char *const nodes[] = {NODE("n1", "disk: ssd, ", SIZE), NODE("n2", "disk: hdd, ", SIZE)};
    struct setup_fixture fixture;
    char text[4096];
    snprintf(text, sizeof(text), "%s%s%s%s%s", WEB(""), nodes[0], nodes[1], NODE("n3", "", ""),
             other_size);
    setup_fixture_read(&fixture, text);
    assert_true(fixture.built);
    assert_int_equal(fixture.scope.group_count, 1);
    const struct setup_group *group = &fixture.scope.groups[0];
    assert_int_equal(group->least, 3);
    assert_int_equal(group->most, 3);
    assert_string_equal(group->name, "n1");
    assert_string_equal(group->names[2], "n3");
    assert_false(group->single);
    setup_fixture_release(&fixture);
}

static void labels_that_are_read_matter(void **state)
{
    (void)state;
    const int32_t sizes[] = {2, 1};
    expect_groups(WEB("      nodeSelector: {disk: ssd}\n") NODE("n1", "disk: ssd, ", SIZE)
                      NODE("n2", "disk: hdd, ", SIZE) NODE("n3", "disk: ssd, ", SIZE),
                  2, sizes);
    expect_groups(WEB("") NODE("n1", "topology.kubernetes.io/zone: a, ", SIZE)
                      NODE("n2", "topology.kubernetes.io/zone: b, ", SIZE)
                          NODE("n3", "topology.kubernetes.io/zone: a, ", SIZE),
                  2, sizes);
    expect_groups("apiVersion: fathom/v1\nkind: Check\nmetadata: {name: c}\nspec:\n  intents:\n"
                  "  - {name: neverOn, nodeSelector: {disk: hdd}}\n" WEB("")
                      NODE("n1", "disk: ssd, ", SIZE) NODE("n2", "disk: hdd, ", SIZE)
                          NODE("n3", "disk: ssd, ", SIZE),
                  2, sizes);
}

static void what_is_requested_matters(void **state)
{
    (void)state;
    static const char less[] =
        "status: {allocatable: {cpu: '4', memory: 16Gi, pods: '110', ephemeral-storage: 80Gi}}\n";
    const int32_t sizes[] = {1, 1};
    char text[4096];
    snprintf(
        text, sizeof(text), "%s%s%s%s",
        WEB("      - {name: d, image: d:1, resources: {requests: {ephemeral-storage: 1Gi}}}\n"),
        NODE("n1", "", SIZE), NODE("n2", "", ""), less);
    expect_groups(text, 2, sizes);
}

static void images_of_pods_to_come_matter(void **state)
{
    (void)state;
    static const char pulled[] =
        "status: {allocatable: {cpu: '4', memory: 16Gi, pods: '110', ephemeral-storage: 90Gi}, "
        "images: [{names: ['web:1'], sizeBytes: 900000000}]}\n";
    const int32_t sizes[] = {1, 1};
    char text[4096];
    snprintf(text, sizeof(text), "%s%s%s%s", WEB(""), NODE("n1", "", SIZE), NODE("n2", "", ""),
             pulled);
    expect_groups(text, 2, sizes);
}

static void nodes_that_are_mentioned_stand_alone(void **state)
{
    (void)state;
    struct setup_fixture fixture;
    setup_fixture_read(&fixture,
                       "apiVersion: fathom/v1\nkind: Check\nmetadata: {name: c}\nspec:\n  events:\n"
                       "  - {name: nodeFailure, node: n2}\n" WEB("") NODE("n1", "", SIZE)
                           NODE("n2", "", SIZE) NODE("n3", "", SIZE));
    assert_int_equal(fixture.scope.group_count, 2);
    assert_int_equal(fixture.scope.groups[0].most, 2);
    assert_true(fixture.scope.groups[1].single);
    assert_string_equal(fixture.scope.groups[1].name, "n2");
    setup_fixture_release(&fixture);
    const int32_t sizes[] = {2, 1};
    expect_groups(WEB("      nodeName: n3\n") NODE("n1", "", SIZE) NODE("n2", "", SIZE)
                      NODE("n3", "", SIZE),
                  2, sizes);
    expect_groups(WEB("      nodeSelector: {kubernetes.io/hostname: n3}\n") NODE("n1", "", SIZE)
                      NODE("n2", "", SIZE) NODE("n3", "", SIZE),
                  2, sizes);
}

/* Kubelets give their nodes a hostname; the manifests need not. */
static void hostnames_need_not_be_written(void **state)
{
    (void)state;
#define BARE(name) "---\napiVersion: v1\nkind: Node\nmetadata: {name: " name "}\n" SIZE
    const int32_t together[] = {3};
    const int32_t apart[] = {2, 1};
    expect_groups(WEB("") BARE("n1") NODE("n2", "", SIZE) BARE("n3"), 1, together);
    expect_groups(WEB("      nodeSelector: {kubernetes.io/hostname: n3}\n") BARE("n1")
                      NODE("n2", "", SIZE) BARE("n3"),
                  2, apart);
}

/* The taints of the condition go with it, those of people stay. */
static void conditions_and_taints_matter(void **state)
{
    (void)state;
    static const char lost[] =
        "spec:\n  taints:\n  - {key: node.kubernetes.io/unreachable, effect: NoSchedule}\n"
        "  - {key: node.kubernetes.io/unreachable, effect: NoExecute}\n"
        "status: {allocatable: {cpu: '4', memory: 16Gi, pods: '110'}, "
        "conditions: [{type: Ready, status: Unknown}]}\n";
    static const char cordoned[] = "spec: {unschedulable: true}\n";
    struct setup_fixture fixture;
    char text[4096];
    snprintf(text, sizeof(text), "%s%s%s%s%s%s", WEB(""), NODE("n1", "", SIZE), NODE("n2", "", ""),
             lost, NODE("n3", "", SIZE), cordoned);
    setup_fixture_read(&fixture, text);
    assert_int_equal(fixture.scope.group_count, 3);
    assert_true(fixture.scope.groups[1].down);
    assert_true(fixture.scope.groups[1].unreachable);
    assert_int_equal(fixture.scope.groups[1].node->spec.taint_count, 0);
    assert_false(fixture.scope.groups[2].down);
    assert_true(fixture.scope.groups[2].node->spec.unschedulable);
    setup_fixture_release(&fixture);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_nobody_reads_does_not_matter),
        cmocka_unit_test(labels_that_are_read_matter),
        cmocka_unit_test(what_is_requested_matters),
        cmocka_unit_test(images_of_pods_to_come_matter),
        cmocka_unit_test(nodes_that_are_mentioned_stand_alone),
        cmocka_unit_test(hostnames_need_not_be_written),
        cmocka_unit_test(conditions_and_taints_matter),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
