/* SPDX-License-Identifier: Apache-2.0 */
/* Which volumes are attached to one node at a time, and what is said about it in reports. */
#include "object/pod.h"
#include "setup/disks.h"
#include "setup/setup_fixture.h"

#define CHECK(count)                                                                  \
    "apiVersion: fathom/v1\nkind: Check\nmetadata: {name: c}\nspec:\n  nodeGroups:\n" \
    "  - {name: g, count: " count ", node: {status: {allocatable: {cpu: '4'}}}}\n"
#define WEB(volume)                                                                          \
    "---\napiVersion: apps/v1\nkind: Deployment\nmetadata: {name: web}\nspec:\n  selector: " \
    "{matchLabels: {app: web}}\n  template:\n    metadata: {labels: {app: web}}\n    spec: " \
    "{containers: [{name: c, image: web}], volumes: [{name: d, " volume "}]}\n"
#define DATA "persistentVolumeClaim: {claimName: data}"
#define CLAIM(modes, more)                                                             \
    "---\napiVersion: v1\nkind: PersistentVolumeClaim\nmetadata: {name: data}\nspec: " \
    "{accessModes: [" modes "], resources: {requests: {storage: 1Gi}}" more "}\n"
#define VOLUME(modes, more)                                                                  \
    "---\napiVersion: v1\nkind: PersistentVolume\nmetadata: {name: v}\nspec: {accessModes: " \
    "[" modes "], capacity: {storage: 1Gi}, " more "}\n"
#define CLASS(name, provisioner, more)                                                          \
    "---\napiVersion: storage.k8s.io/v1\nkind: StorageClass\nmetadata: {name: " name more "}\n" \
    "provisioner: " provisioner "\n"
#define ONCE     "ReadWriteOnce"
#define EBS      "csi: {driver: ebs.csi.aws.com}"
#define NAMED    ", volumeName: v"
#define OF_CLASS ", storageClassName: k"
#define OF_CLAIM "the volume of claim default/data"

struct row {
    const char *manifests;
    const char *disk;    /* NULL: none */
    const char *assumed; /* a part of the premise; NULL: there is none */
};

static const struct row rows[] = {
    /* volumes that a claim names, or that refer to it */
    {CLAIM(ONCE, NAMED) VOLUME(ONCE, EBS) WEB(DATA), "volume \"v\"", NULL},
    {CLAIM(ONCE, "") VOLUME(ONCE, EBS ", claimRef: {namespace: default, name: data}") WEB(DATA),
     "volume \"v\"", NULL},
    {CLAIM(ONCE, NAMED) VOLUME("ReadWriteOncePod", EBS) WEB(DATA), "volume \"v\"", NULL},
    {CLAIM(ONCE, NAMED) VOLUME("ReadWriteMany", EBS) WEB(DATA), NULL, NULL},
    {CLAIM(ONCE, NAMED) VOLUME(ONCE ", ReadOnlyMany", EBS) WEB(DATA), NULL, NULL},
    /* plugins */
    {CLAIM(ONCE, NAMED) VOLUME(ONCE, "csi: {driver: example.org}") WEB(DATA), "volume \"v\"",
     "volumes of the driver or provisioner example.org"},
    {CLAIM(ONCE, NAMED) VOLUME(ONCE, "csi: {driver: nfs.csi.k8s.io}") WEB(DATA), NULL, NULL},
    {CLAIM(ONCE, NAMED) VOLUME(ONCE, "rbd: {image: i}") WEB(DATA), "volume \"v\"", NULL},
    {CLAIM(ONCE, NAMED) VOLUME(ONCE, "fc: {lun: 0}") WEB(DATA), "volume \"v\"", NULL},
    {CLAIM(ONCE, NAMED) VOLUME(ONCE, "hostPath: {path: /d}") WEB(DATA), NULL, NULL},
    {CLAIM(ONCE, NAMED) VOLUME(ONCE, "nfs: {server: s, path: /d}") WEB(DATA), NULL, NULL},
    {CLAIM(ONCE, NAMED) VOLUME(ONCE, "local: {path: /d}") WEB(DATA), NULL, NULL},
    /* volumes that a claim may be bound to */
    {CLAIM(ONCE, OF_CLASS) VOLUME(ONCE, "hostPath: {path: /d}, storageClassName: k") WEB(DATA),
     NULL, NULL},
    {CLAIM(ONCE, OF_CLASS) VOLUME(ONCE, EBS ", storageClassName: k") WEB(DATA), "volume \"v\"",
     NULL},
    {CLAIM(ONCE, OF_CLASS) VOLUME(ONCE, "hostPath: {path: /d}, storageClassName: other") WEB(DATA),
     OF_CLAIM, "volumes of PersistentVolumeClaim default/data"},
    /* provisioned volumes */
    {CLAIM(ONCE, OF_CLASS) CLASS("k", "kubernetes.io/aws-ebs", "") WEB(DATA), OF_CLAIM, NULL},
    {CLAIM(ONCE, OF_CLASS) CLASS("k", "rancher.io/local-path", "") WEB(DATA), NULL, NULL},
    {CLAIM(ONCE, OF_CLASS) CLASS("k", "example.org/p", "") WEB(DATA), OF_CLAIM,
     "volumes of the driver or provisioner example.org/p"},
    {CLAIM("ReadWriteMany", OF_CLASS) CLASS("k", "example.org/p", "") WEB(DATA), NULL, NULL},
    {CLAIM(ONCE, "") CLASS("k", "nfs.csi.k8s.io",
                           ", annotations: {storageclass.kubernetes.io/is-default-class: 'true'}")
         WEB(DATA),
     NULL, NULL},
    {CLAIM(ONCE, "") CLASS("k", "nfs.csi.k8s.io", "") WEB(DATA), OF_CLAIM,
     "volumes of PersistentVolumeClaim default/data"},
    /* disks in the spec of a pod; a claim that is not there */
    {WEB("awsElasticBlockStore: {volumeID: e, readOnly: true}"), "disk \"e\"", NULL},
    {WEB("gcePersistentDisk: {pdName: g}"), "disk \"g\"", NULL},
    {WEB("gcePersistentDisk: {pdName: g, readOnly: true}"), NULL, NULL},
    {WEB("azureDisk: {diskName: a, diskURI: u}"), "disk \"a\"", NULL},
    {WEB("emptyDir: {}"), NULL, NULL},
    {WEB(DATA), NULL, NULL},
};

static const char *first_disk(struct setup_fixture *fixture)
{
    const struct object *web = fixture->scope.workloads[0].object;
    disk_list disks = {0};
    disks_of_pod(&fixture->arena, fixture->scope.objects, "default", &workload_template(web)->spec,
                 &disks);
    return disks.count > 0 ? disks.items[0].name : NULL;
}

static void expect(const char *count, const struct row *row)
{
    struct setup_fixture fixture;
    char manifests[4096];
    snprintf(manifests, sizeof(manifests), "%s%s", count, row->manifests);
    setup_fixture_read(&fixture, manifests);
    assert_true(fixture.built);
    const char *disk = first_disk(&fixture);
    assert_string_equal(disk ? disk : "none", row->disk ? row->disk : "none");
    const char *premise = premise_of_disks(&fixture.arena, &fixture.scope);
    if (row->assumed)
        assert_non_null(strstr(premise ? premise : "none", row->assumed));
    else
        assert_null(premise);
    setup_fixture_release(&fixture);
}

static void disks_are_known_by_modes_and_plugins(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++)
        expect(CHECK("2"), &rows[i]);
}

static void one_node_has_all_disks(void **state)
{
    (void)state;
    expect(CHECK("1"), &(struct row){CLAIM(ONCE, "") WEB(DATA), OF_CLAIM, NULL});
}

/* Without a maximum there are more nodes than those that are sufficient. */
static void a_group_without_a_maximum_has_several_nodes(void **state)
{
    (void)state;
    expect(CHECK("{min: 1}") "  scale: {sufficient: {nodes: 1}}\n",
           &(struct row){CLAIM(ONCE, "") WEB(DATA), OF_CLAIM,
                         "volumes of PersistentVolumeClaim default/data"});
}

#define SET(modes)                                                                               \
    "---\napiVersion: apps/v1\nkind: StatefulSet\nmetadata: {name: db}\nspec:\n  serviceName: "  \
    "db\n  selector: {matchLabels: {app: db}}\n  template:\n    metadata: {labels: {app: db}}\n" \
    "    spec: {containers: [{name: c, image: db}]}\n  volumeClaimTemplates:\n"                  \
    "  - {metadata: {name: data}, spec: {accessModes: [" modes                                   \
    "], storageClassName: k, resources: {requests: {storage: 1Gi}}}}\n"

static void expect_of_ordinal(const char *manifests, const char *name)
{
    struct setup_fixture fixture;
    setup_fixture_read(&fixture, manifests);
    assert_true(fixture.built);
    disk_list disks = {0};
    disks_of_claim_templates(&fixture.arena, fixture.scope.objects,
                             fixture.scope.workloads[0].object, "db-0", &disks);
    assert_string_equal(disks.count > 0 ? disks.items[0].name : "none", name);
    /* No other pod asks for it while it is there. */
    assert_null(premise_of_disks(&fixture.arena, &fixture.scope));
    setup_fixture_release(&fixture);
}

static void claim_templates_have_a_disk_for_each_ordinal(void **state)
{
    (void)state;
    expect_of_ordinal(CHECK("2") SET(ONCE), "the volume of claim default/data-db-0");
    expect_of_ordinal(CHECK("2") SET("ReadWriteMany"), "none");
    expect_of_ordinal(CHECK("2") CLASS("k", "nfs.csi.k8s.io", "") SET(ONCE), "none");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(disks_are_known_by_modes_and_plugins),
        cmocka_unit_test(one_node_has_all_disks),
        cmocka_unit_test(a_group_without_a_maximum_has_several_nodes),
        cmocka_unit_test(claim_templates_have_a_disk_for_each_ordinal),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
