/* SPDX-License-Identifier: Apache-2.0 */
/* Which claims get a volume that stays in the zone of the first node. */
#include "object/pod.h"
#include "setup/setup_fixture.h"
#include "setup/zonal_claims.h"

#define CHECK                                                                         \
    "apiVersion: fathom/v1\nkind: Check\nmetadata: {name: c}\nspec:\n  nodeGroups:\n" \
    "  - {name: g, count: 1, node: {status: {allocatable: {cpu: '4'}}}}\n"
#define CLASS(provisioner, mode, more)                                          \
    "---\napiVersion: storage.k8s.io/v1\nkind: StorageClass\nmetadata: {name: " \
    "k}\nprovisioner: " provisioner "\nvolumeBindingMode: " mode "\n" more
#define WAITS "WaitForFirstConsumer"
#define EBS   CLASS("ebs.csi.aws.com", WAITS, "")
#define CLAIM(name, modes, more)                                                  \
    "---\napiVersion: v1\nkind: PersistentVolumeClaim\nmetadata: {name: " name    \
    "}\nspec: {accessModes: [" modes "], resources: {requests: {storage: 1Gi}}, " \
    "storageClassName: k" more "}\n"
#define ONCE "ReadWriteOnce"
#define WEB(more)                                                                            \
    "---\napiVersion: apps/v1\nkind: Deployment\nmetadata: {name: web}\nspec:\n  selector: " \
    "{matchLabels: {app: web}}\n  template:\n    metadata: {labels: {app: web}}\n    spec: " \
    "{containers: [{name: c, image: web}], volumes: [{name: d, persistentVolumeClaim: "      \
    "{claimName: data}}" more "]}\n"
#define SET(spec)                                                                                 \
    "---\napiVersion: apps/v1\nkind: StatefulSet\nmetadata: {name: web}\nspec:\n  serviceName: "  \
    "web\n  selector: {matchLabels: {app: web}}\n  template:\n    metadata: {labels: {app: "      \
    "web}}\n    spec: {containers: [{name: c, image: web}]}\n" spec                               \
    "  volumeClaimTemplates:\n  - {metadata: {name: data}, spec: {accessModes: [ReadWriteOnce], " \
    "resources: {requests: {storage: 1Gi}}, storageClassName: k}}\n"
#define VOLUME(class)                                                                        \
    "---\napiVersion: v1\nkind: PersistentVolume\nmetadata: {name: v}\nspec: {accessModes: " \
    "[ReadWriteOnce], capacity: {storage: 1Gi}, csi: {driver: ebs.csi.aws.com}, "            \
    "storageClassName: " class "}\n"

struct row {
    const char *manifests;
    bool zonal;
};

static const struct row rows[] = {
    {EBS CLAIM("data", ONCE, "") WEB(""), true},
    {CLASS("pd.csi.storage.gke.io", WAITS, "") CLAIM("data", ONCE, "") WEB(""), true},
    /* of a class that does not wait, is not known to make such volumes, or copies them */
    {CLASS("ebs.csi.aws.com", "Immediate", "") CLAIM("data", ONCE, "") WEB(""), false},
    {CLASS("example.org/disk", WAITS, "") CLAIM("data", ONCE, "") WEB(""), false},
    {CLASS("pd.csi.storage.gke.io", WAITS, "parameters: {replication-type: regional-pd}\n")
         CLAIM("data", ONCE, "") WEB(""),
     false},
    {CLASS("pd.csi.storage.gke.io", WAITS, "parameters: {replication-type: none}\n")
         CLAIM("data", ONCE, "") WEB(""),
     true},
    {CLASS("pd.csi.storage.gke.io", WAITS,
           "parameters: {type: hyperdisk-balanced-high-availability}\n") CLAIM("data", ONCE, "")
         WEB(""),
     false},
    {CLASS("disk.csi.azure.com", WAITS, "parameters: {skuname: Premium_ZRS}\n")
         CLAIM("data", ONCE, "") WEB(""),
     false},
    {CLASS("disk.csi.azure.com", WAITS, "parameters: {skuname: Premium_LRS}\n")
         CLAIM("data", ONCE, "") WEB(""),
     true},
    {CLAIM("data", ONCE, "") WEB(""), false},
    /* that is bound, or may be bound to a volume that is there */
    {EBS CLAIM("data", ONCE, ", volumeName: v") VOLUME("k") WEB(""), false},
    {EBS CLAIM("data", ONCE, "") VOLUME("k") WEB(""), false},
    {EBS CLAIM("data", ONCE, "") VOLUME("other") WEB(""), true},
    {EBS CLAIM("data", "ReadWriteOncePod", "") WEB(""), false},
    /* of a pod with several */
    {EBS CLAIM("data", ONCE, "") CLAIM("more", ONCE, "")
         WEB(", {name: e, persistentVolumeClaim: {claimName: more}}"),
     false},
    {EBS CLAIM("data", ONCE, "") WEB(", {name: e, persistentVolumeClaim: {claimName: data}}"),
     true},
    /* of a StatefulSet */
    {EBS SET(""), true},
    {SET(""), false},
    {EBS CLAIM("data-web-0", ONCE, "") SET(""), true},
    {EBS CLAIM("data-web-0", ONCE, ", volumeName: v") VOLUME("other") SET(""), false},
    {EBS SET("  persistentVolumeClaimRetentionPolicy: {whenScaled: Delete}\n"), false},
    {EBS SET("  persistentVolumeClaimRetentionPolicy: {whenDeleted: Delete}\n"), true},
};

static void claims_are_known_by_their_class(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
        struct setup_fixture fixture;
        char manifests[4096];
        snprintf(manifests, sizeof(manifests), "%s%s", CHECK, rows[i].manifests);
        setup_fixture_read(&fixture, manifests);
        assert_true(fixture.built);
        const struct object *web = fixture.scope.workloads[0].object;
        const bool zonal =
            web->kind == OBJECT_STATEFUL_SET
                ? stateful_pod_is_zonal(&fixture.arena, &fixture.objects, web, "web-0")
                : pod_zonal_claim(&fixture.objects, "default", &workload_template(web)->spec) !=
                      NULL;
        const char *assumed = assumption_of_volumes(&fixture.arena, &fixture.objects,
                                                    &fixture.scope.workloads[0], false);
        const bool stays = assumed && strstr(assumed, "stay in the zones");
        if (zonal != rows[i].zonal || stays != zonal)
            fail_msg("row %zu: %szonal, %s", i, zonal ? "" : "not ", assumed ? assumed : "nothing");
        setup_fixture_release(&fixture);
    }
}

#define WITH_CLAIM(kind, more)                                                                     \
    "---\napiVersion: apps/v1\nkind: " kind                                                        \
    "\nmetadata: {name: web, namespace: default}\nspec:\n  selector: {matchLabels: {a: b}}\n"      \
    "  template:\n    metadata: {labels: {a: b}}\n    spec:\n      containers: [{name: c, image: " \
    "x}]\n      volumes: [{name: v, persistentVolumeClaim: {claimName: one}}]\n" more

/* The model keeps no pod from the node that it is for. */
static void pods_of_one_node_are_not_said_to_stay(void **state)
{
    static const struct {
        const char *manifests;
        bool stays;
    } claimed[] = {
        {CHECK EBS CLAIM("one", ONCE, "") WITH_CLAIM("Deployment", ""), true},
        {CHECK EBS CLAIM("one", ONCE, "") WITH_CLAIM("DaemonSet", ""), false},
        {CHECK EBS CLAIM("one", ONCE, "") WITH_CLAIM("Deployment", "      nodeName: g-1\n"), false},
    };
    (void)state;
    for (size_t i = 0; i < sizeof(claimed) / sizeof(*claimed); i++) {
        struct setup_fixture fixture;
        setup_fixture_read(&fixture, claimed[i].manifests);
        assert_true(fixture.built);
        const char *assumed = assumption_of_volumes(&fixture.arena, &fixture.objects,
                                                    &fixture.scope.workloads[0], false);
        assert_non_null(assumed);
        assert_true((strstr(assumed, "stay in the zones") != NULL) == claimed[i].stays);
        setup_fixture_release(&fixture);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(claims_are_known_by_their_class),
                                       cmocka_unit_test(pods_of_one_node_are_not_said_to_stay)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
