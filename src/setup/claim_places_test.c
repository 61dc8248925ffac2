/* SPDX-License-Identifier: Apache-2.0 */
/* Which claims get a volume that stays where it is, and how that place is found. */
#include "object/pod.h"
#include "setup/claim_places.h"
#include "setup/setup_fixture.h"

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
#define OF_CLASS(name, class)                                                         \
    "---\napiVersion: v1\nkind: PersistentVolumeClaim\nmetadata: {name: " name        \
    "}\nspec: {accessModes: [ReadWriteOnce], resources: {requests: {storage: 1Gi}}, " \
    "storageClassName: " class "}\n"
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
#define VOLUME_WITH(class, more)                                                             \
    "---\napiVersion: v1\nkind: PersistentVolume\nmetadata: {name: v}\nspec: {accessModes: " \
    "[ReadWriteOnce], capacity: {storage: 1Gi}, csi: {driver: ebs.csi.aws.com}, "            \
    "storageClassName: " class more "}\n"
#define VOLUME(class) VOLUME_WITH(class, "")
#define IN_ZONE                                                                        \
    ", nodeAffinity: {required: {nodeSelectorTerms: [{matchExpressions: [{key: zone, " \
    "operator: Exists}]}]}}"
#define LOCAL(mode) CLASS("kubernetes.io/no-provisioner", mode, "")
#define AT_ONCE     "Immediate"

/* How the place of the volume is found. */
enum way {
    NOT,      /* it has none */
    BY_NODE,  /* the first node decides */
    MADE,     /* it is made before */
    OF_GIVEN, /* it is one of the given ones, and the first node decides */
    GIVEN,    /* it is one of the given ones, and that is decided before */
    NEVER,    /* nobody makes one, and there is none that it can have */
};

struct row {
    const char *manifests;
    enum way way;
};

static const struct row rows[] = {
    {EBS CLAIM("data", ONCE, "") WEB(""), BY_NODE},
    {CLASS("pd.csi.storage.gke.io", WAITS, "") CLAIM("data", ONCE, "") WEB(""), BY_NODE},
    {CLASS("ebs.csi.aws.com", AT_ONCE, "") CLAIM("data", ONCE, "") WEB(""), MADE},
    /* of a class that is not known to make such volumes, or copies them */
    {CLASS("example.org/disk", WAITS, "") CLAIM("data", ONCE, "") WEB(""), NOT},
    {CLASS("pd.csi.storage.gke.io", WAITS, "parameters: {replication-type: regional-pd}\n")
         CLAIM("data", ONCE, "") WEB(""),
     NOT},
    {CLASS("pd.csi.storage.gke.io", WAITS, "parameters: {replication-type: none}\n")
         CLAIM("data", ONCE, "") WEB(""),
     BY_NODE},
    {CLASS("pd.csi.storage.gke.io", WAITS,
           "parameters: {type: hyperdisk-balanced-high-availability}\n") CLAIM("data", ONCE, "")
         WEB(""),
     NOT},
    {CLASS("disk.csi.azure.com", WAITS, "parameters: {skuname: Premium_ZRS}\n")
         CLAIM("data", ONCE, "") WEB(""),
     NOT},
    {CLASS("disk.csi.azure.com", WAITS, "parameters: {skuname: Premium_LRS}\n")
         CLAIM("data", ONCE, "") WEB(""),
     BY_NODE},
    {CLAIM("data", ONCE, "") WEB(""), NOT},
    /* that is bound, or may be bound to a volume that is there */
    {EBS CLAIM("data", ONCE, ", volumeName: v") VOLUME("k") WEB(""), NOT},
    {EBS CLAIM("data", ONCE, "") VOLUME("k") WEB(""), OF_GIVEN},
    {EBS CLAIM("data", ONCE, "") VOLUME("other") WEB(""), BY_NODE},
    {EBS CLAIM("data", "ReadWriteOncePod", "") WEB(""), NOT},
    /* of those that are given, only where they are not everywhere, free and what the claim wants */
    {LOCAL(WAITS) CLAIM("data", ONCE, "") VOLUME_WITH("k", IN_ZONE) WEB(""), OF_GIVEN},
    {LOCAL(AT_ONCE) CLAIM("data", ONCE, "") VOLUME_WITH("k", IN_ZONE) WEB(""), GIVEN},
    {CLAIM("data", ONCE, "") VOLUME_WITH("k", IN_ZONE) WEB(""), GIVEN},
    {LOCAL(AT_ONCE) CLAIM("data", ONCE, "") VOLUME_WITH("k", IN_ZONE "}\nstatus: {phase: Released")
         WEB(""),
     NEVER},
    {LOCAL(AT_ONCE) CLAIM("data", ONCE, "") VOLUME("k") WEB(""), NOT},
    {LOCAL(AT_ONCE) CLAIM("data", ONCE, "") VOLUME_WITH("other", IN_ZONE) WEB(""), NOT},
    {LOCAL(AT_ONCE) CLAIM("data", "ReadWriteMany", "") VOLUME_WITH("k", IN_ZONE) WEB(""), NEVER},
    {LOCAL(AT_ONCE) CLAIM("data", ONCE, "")
         VOLUME_WITH("k", IN_ZONE ", claimRef: {namespace: default, name: x}") WEB(""),
     NEVER},
    {LOCAL(AT_ONCE) CLAIM("data", ONCE, "")
         VOLUME_WITH("k", IN_ZONE ", claimRef: {namespace: default, name: data}") WEB(""),
     GIVEN},
    {EBS CLAIM("data", ONCE, "")
         VOLUME_WITH("k", IN_ZONE ", claimRef: {namespace: default, name: data}") WEB(""),
     GIVEN},
    {LOCAL(AT_ONCE) CLAIM("data", ONCE, "") CLAIM("x", ONCE, ", volumeName: v")
         VOLUME_WITH("k", IN_ZONE) WEB(""),
     NEVER},
    /* The class "" has no provisioner. Without a class it may be one that nobody has given. */
    {OF_CLASS("data", "\"\"") VOLUME_WITH("''", IN_ZONE "}\nstatus: {phase: Released") WEB(""),
     NEVER},
    {OF_CLASS("data", "null") VOLUME_WITH("''", IN_ZONE "}\nstatus: {phase: Released") WEB(""),
     NOT},
    {OF_CLASS("data", "\"\"") WEB(""), NOT},
    {LOCAL(WAITS) SET("") VOLUME_WITH("k", IN_ZONE), OF_GIVEN},
    {LOCAL(AT_ONCE) SET("") VOLUME_WITH("k", IN_ZONE), GIVEN},
    /* of a pod with several */
    {EBS CLAIM("data", ONCE, "") CLAIM("more", ONCE, "")
         WEB(", {name: e, persistentVolumeClaim: {claimName: more}}"),
     NOT},
    {EBS CLAIM("data", ONCE, "") WEB(", {name: e, persistentVolumeClaim: {claimName: data}}"),
     BY_NODE},
    /* of a StatefulSet */
    {EBS SET(""), BY_NODE},
    {SET(""), NOT},
    {EBS CLAIM("data-web-0", ONCE, "") SET(""), BY_NODE},
    {EBS CLAIM("data-web-0", ONCE, ", volumeName: v") VOLUME("other") SET(""), NOT},
    {EBS SET("  persistentVolumeClaimRetentionPolicy: {whenScaled: Delete}\n"), NOT},
    {EBS SET("  persistentVolumeClaimRetentionPolicy: {whenDeleted: Delete}\n"), BY_NODE},
};

static enum way way_of(const struct claim_places *places)
{
    if (places->count == 0)
        return NOT;
    const struct claim_place *place = &places->items[0];
    if (place->volumes.count > 0)
        return place->at_once ? GIVEN : OF_GIVEN;
    if (!place->is_made)
        return NEVER;
    return place->at_once ? MADE : BY_NODE;
}

static bool is_said(const char *assumed, enum way way)
{
    switch (way) {
    case BY_NODE: return assumed && strstr(assumed, "stay in the zones");
    case MADE: return assumed && strstr(assumed, "made in any zone");
    case NOT: return !assumed || strstr(assumed, "follow");
    default: return !assumed || !strstr(assumed, "follow");
    }
}

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
        const struct claim_places places = claim_places_modelled(
            &fixture.arena, &fixture.objects, web, &workload_template(web)->spec, "web-0");
        const char *assumed = assumption_of_volumes(&fixture.arena, &fixture.objects,
                                                    &fixture.scope.workloads[0], false);
        if (way_of(&places) != rows[i].way || !is_said(assumed, rows[i].way))
            fail_msg("row %zu: %d, %s", i, way_of(&places), assumed ? assumed : "nothing");
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
