/* SPDX-License-Identifier: Apache-2.0 */
/* How many volumes nodes have room for, and how many places pods ask for. */
#include "object/workload.h"
#include "setup/scope_fixture.h"

#include <string.h>

#define LIMIT "attachable-volumes-csi-"
#define CHECK(allocatable)                                                            \
    "apiVersion: fathom/v1\nkind: Check\nmetadata: {name: c}\nspec:\n  nodeGroups:\n" \
    "  - {name: g, count: 1, node: {status: {allocatable: {cpu: '4'" allocatable "}}}}\n"
#define CLASS(name, provisioner, more)                                                    \
    "---\napiVersion: storage.k8s.io/v1\nkind: StorageClass\nmetadata: {name: " name more \
    "}\nprovisioner: " provisioner "\n"
#define NODE(name)                                                                        \
    "---\napiVersion: v1\nkind: Node\nmetadata: {name: " name "}\nstatus: {allocatable: " \
    "{cpu: '4'}, conditions: [{type: Ready, status: 'True'}]}\n"
#define CSI_NODE(name, drivers)                                                 \
    "---\napiVersion: storage.k8s.io/v1\nkind: CSINode\nmetadata: {name: " name \
    "}\nspec: {drivers: [" drivers "]}\n"
#define DRIVER(name, count) "{name: " name ", nodeID: i, allocatable: {count: " count "}}"
#define CLAIM(name, class)                                                                         \
    "  - {metadata: {name: " name "}, spec: {accessModes: [ReadWriteOnce], resources: {requests: " \
    "{storage: 1Gi}}" class "}}\n"
#define SET(claims)                                                                              \
    "---\napiVersion: apps/v1\nkind: StatefulSet\nmetadata: {name: web}\nspec:\n  serviceName: " \
    "web\n  selector: {matchLabels: {app: web}}\n  template:\n    metadata: {labels: {app: "     \
    "web}}\n    spec: {containers: [{name: c, image: web}]}\n  volumeClaimTemplates:\n" claims

struct row {
    const char *manifests;
    const char *driver;
    int64_t room;  /* of the first group of nodes; -1: nothing is said of it */
    int64_t asked; /* by the pods of the first workload; -1: nothing */
};

enum { ANY = 1000000 };

static const struct row rows[] = {
    {CHECK("") CLASS("k", "d.io", "") SET(CLAIM("a", ", storageClassName: k")), "d.io", -1, -1},
    {CHECK(", " LIMIT "d.io: '3'") CLASS("k", "d.io", "") SET(CLAIM("a", ", storageClassName: k")),
     "d.io", 3, 1},
    {CHECK(", " LIMIT "d.io: '3'") CLASS("k", "d.io", "")
         SET(CLAIM("a", ", storageClassName: k") CLAIM("b", ", storageClassName: k")),
     "d.io", 3, 2},
    /* the default class; a class that is not given; another driver */
    {CHECK(", " LIMIT "d.io: '3'")
         CLASS("k", "d.io", ", annotations: {storageclass.kubernetes.io/is-default-class: 'true'}")
             SET(CLAIM("a", "")),
     "d.io", 3, 1},
    {CHECK(", " LIMIT "d.io: '3'") SET(CLAIM("a", ", storageClassName: k")), "d.io", 3, -1},
    {CHECK(", " LIMIT "d.io: '3'") CLASS("k", "e.io", "") SET(CLAIM("a", ", storageClassName: k")),
     "d.io", 3, -1},
    {CHECK(", " LIMIT "ebs.csi.aws.com: '3'") CLASS("k", "kubernetes.io/aws-ebs", "")
         SET(CLAIM("a", ", storageClassName: k")),
     "ebs.csi.aws.com", 3, 1},
    /* CSINodes: of the node, of another one, without a limit */
    {CHECK("") NODE("n1") CSI_NODE("n1", DRIVER("d.io", "5")) CLASS("k", "d.io", "")
         SET(CLAIM("a", ", storageClassName: k")),
     "d.io", 5, 1},
    {CHECK("") NODE("n1") CSI_NODE("m1", DRIVER("d.io", "5")) CLASS("k", "d.io", "")
         SET(CLAIM("a", ", storageClassName: k")),
     "d.io", ANY, 1},
    {CHECK("") NODE("n1") CSI_NODE("n1", "{name: d.io, nodeID: i}") CLASS("k", "d.io", "")
         SET(CLAIM("a", ", storageClassName: k")),
     "d.io", -1, -1},
    {CHECK("") NODE("n1") CSI_NODE("n1", DRIVER("d.io", "0") ", " DRIVER("e.io", "7"))
         CLASS("k", "e.io", "") SET(CLAIM("a", ", storageClassName: k")),
     "e.io", 7, 1},
};

static int64_t amount_of(const struct resource_list *list, const char *name)
{
    const struct quantity *found = resource_list_find(list, name);
    return found ? quantity_value(*found) : -1;
}

static void test_limits(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        struct fixture fixture;
        print_message("row %zu\n", i);
        assert_true(fixture_load(&fixture, rows[i].manifests));
        const char *name = arena_printf(&fixture.arena, LIMIT "%s", rows[i].driver);
        const struct pod_template *template = workload_template(fixture.scope.workloads[0].object);
        assert_int_equal(amount_of(&fixture.scope.groups[0].node->status.allocatable, name),
                         rows[i].room);
        assert_int_equal(amount_of(&template->spec.overhead, name), rows[i].asked);
        fixture_release(&fixture);
    }
}

#define DEPLOYMENT(volume)                                                                   \
    "---\napiVersion: apps/v1\nkind: Deployment\nmetadata: {name: web}\nspec:\n  selector: " \
    "{matchLabels: {app: web}}\n  template:\n    metadata: {labels: {app: web}}\n    spec: " \
    "{containers: [{name: c, image: web}], volumes: [{name: v, " volume "}]}\n"
#define EPHEMERAL                                                                               \
    "ephemeral: {volumeClaimTemplate: {spec: {accessModes: [ReadWriteOnce], storageClassName: " \
    "k, resources: {requests: {storage: 1Gi}}}}}"

/* What is not counted is said where a node has a limit. */
static void test_assumptions(void **state)
{
    static const struct {
        const char *manifests;
        bool said;
    } cases[] = {
        {CHECK(", " LIMIT "d.io: '3'") DEPLOYMENT("persistentVolumeClaim: {claimName: a}"), true},
        {CHECK(", " LIMIT "d.io: '3'") DEPLOYMENT(EPHEMERAL), true},
        {CHECK(", " LIMIT "d.io: '3'") DEPLOYMENT("emptyDir: {}"), false},
        {CHECK("") DEPLOYMENT("persistentVolumeClaim: {claimName: a}"), false},
        {CHECK(", " LIMIT "d.io: '3'") CLASS("k", "d.io", "")
             SET(CLAIM("a", ", storageClassName: k")),
         false},
    };
    (void)state;
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        struct fixture fixture;
        bool said = false;
        print_message("case %zu\n", i);
        assert_true(fixture_load(&fixture, cases[i].manifests));
        for (uint32_t a = 0; a < fixture.scope.assumptions.count; a++)
            said |= strstr(fixture.scope.assumptions.items[a], "nodes have room for the volumes") !=
                    NULL;
        assert_int_equal(said, cases[i].said);
        fixture_release(&fixture);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_limits),
                                       cmocka_unit_test(test_assumptions)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
