/* SPDX-License-Identifier: Apache-2.0 */
/* Mirrors IsMultiAttachAllowed of pkg/volume/util/util.go @ v1.26.15, and which plugins of
 * pkg/volume attach volumes to nodes. Disks in the spec of a pod are as the volumes that they are
 * migrated to. */
#include "setup/disks.h"
#include "manifest/document.h"
#include "object/pod.h"
#include "object/storage.h"
#include "setup/class_of_claim.h"
#include "setup/setup.h"

#include <string.h>

static const char class_annotation[] = "volume.beta.kubernetes.io/storage-class";

/* CSI drivers that are installed with `attachRequired: false`, and provisioners that make volumes
 * of plugins that attach nothing (hostPath, local, nfs, ...). */
static const char *const attach_nothing[] = {
    "docker.io/hostpath",
    "efs.csi.aws.com",
    "file.csi.azure.com",
    "filestore.csi.storage.gke.io",
    "k8s.io/minikube-hostpath",
    "kubernetes.io/azure-file",
    "kubernetes.io/glusterfs",
    "kubernetes.io/host-path",
    "kubernetes.io/no-provisioner",
    "kubernetes.io/portworx-volume",
    "kubernetes.io/quobyte",
    "microk8s.io/hostpath",
    "nfs.csi.k8s.io",
    "pxd.portworx.com",
    "rancher.io/local-path",
    "smb.csi.k8s.io",
};

/* Those that are known to attach what they make. */
static const char *const attach[] = {
    "cinder.csi.openstack.org", "csi.vsphere.vmware.com",
    "disk.csi.azure.com",       "ebs.csi.aws.com",
    "kubernetes.io/aws-ebs",    "kubernetes.io/azure-disk",
    "kubernetes.io/cinder",     "kubernetes.io/gce-pd",
    "kubernetes.io/rbd",        "kubernetes.io/vsphere-volume",
    "pd.csi.storage.gke.io",
};

#define LIST_HAS(list, text) has_text((list), sizeof(list) / sizeof(*(list)), (text))

static bool has_text(const char *const *list, size_t count, const char *text)
{
    for (size_t i = 0; i < count; i++)
        if (strcmp(list[i], text) == 0)
            return true;
    return false;
}

/* May a volume with these modes be attached to several nodes? */
static bool modes_allow_several(const struct string_list *modes)
{
    for (uint32_t i = 0; i < modes->count; i++)
        if (strcmp(modes->items[i], "ReadWriteMany") == 0 ||
            strcmp(modes->items[i], "ReadOnlyMany") == 0)
            return true;
    return modes->count == 0;
}

/* ---- volumes ---- */

static const char *unknown_driver(struct arena *arena, const char *driver)
{
    return LIST_HAS(attach, driver)
               ? NULL
               : arena_printf(arena, "of the driver or provisioner %s", driver);
}

/* Is it attached to one node at a time? */
static bool volume_is_disk(struct arena *arena, const struct persistent_volume *volume,
                           struct disk *disk)
{
    if (modes_allow_several(&volume->access_modes) ||
        (!volume->disk_source && !volume->csi_driver) ||
        (volume->csi_driver && LIST_HAS(attach_nothing, volume->csi_driver)))
        return false;
    *disk = (struct disk){
        .name = arena_printf(arena, "volume \"%s\"", volume->meta.name),
        .assumed = volume->csi_driver ? unknown_driver(arena, volume->csi_driver) : NULL,
    };
    return true;
}

/* ---- claims ---- */

struct claim {
    const char *namespace;
    const char *name;
    const char *volume; /* that it names; NULL: none */
    const char *class;  /* NULL: the default one */
    const struct string_list *modes;
};

static const char *class_of(const struct object_meta *meta, const char *field)
{
    const char *annotated = labels_find(&meta->annotations, class_annotation);
    return annotated ? annotated : field;
}

static bool refers_to(const struct persistent_volume *volume, const struct claim *claim)
{
    return volume->claim && volume->claim->name && volume->claim->namespace &&
           strcmp(volume->claim->name, claim->name) == 0 &&
           strcmp(volume->claim->namespace, claim->namespace) == 0;
}

/* Could the claim be bound to this volume, which is not bound to a claim? */
static bool may_be_bound(const struct persistent_volume *volume, const struct claim *claim)
{
    const char *class = class_of(&volume->meta, volume->storage_class_name);
    if (volume->claim || strcmp(class, claim->class ? claim->class : "") != 0)
        return false;
    for (uint32_t i = 0; i < claim->modes->count; i++)
        if (!has_text(volume->access_modes.items, volume->access_modes.count,
                      claim->modes->items[i]))
            return false;
    return true;
}

/* The volume of the claim among the manifests; NULL: it is not there. Of several that it could
 * be bound to, one that is a disk. */
static const struct persistent_volume *
find_volume(struct arena *arena, const struct objects *objects, const struct claim *claim)
{
    const struct persistent_volume *found = NULL;
    struct disk disk;
    for (uint32_t i = 0; i < objects->count; i++) {
        const struct persistent_volume *volume = objects->items[i].as.persistent_volume;
        if (objects->items[i].kind != OBJECT_PERSISTENT_VOLUME)
            continue;
        if (claim->volume ? strcmp(volume->meta.name, claim->volume) == 0
                          : refers_to(volume, claim))
            return volume;
        if (!claim->volume && may_be_bound(volume, claim) &&
            (!found || volume_is_disk(arena, volume, &disk)))
            found = volume;
    }
    return found;
}

/* Is what the class provisions for the claim, with the modes of the claim, a disk? */
static bool provisioned_disk(struct arena *arena, const struct objects *objects,
                             const struct claim *claim, struct disk *disk)
{
    const struct storage_class *class = class_of_claim(objects, claim->class);
    if (modes_allow_several(claim->modes) ||
        (class && LIST_HAS(attach_nothing, class->provisioner)))
        return false;
    *disk = (struct disk){
        .name = arena_printf(arena, "the volume of claim %s/%s", claim->namespace, claim->name),
        .assumed = class ? unknown_driver(arena, class->provisioner)
                         : arena_printf(arena, "of PersistentVolumeClaim %s/%s", claim->namespace,
                                        claim->name),
    };
    return true;
}

static void add_claim(struct arena *arena, const struct objects *objects, const struct claim *claim,
                      disk_list *disks)
{
    struct disk disk;
    const struct persistent_volume *volume = find_volume(arena, objects, claim);
    if (volume ? volume_is_disk(arena, volume, &disk)
               : provisioned_disk(arena, objects, claim, &disk))
        VEC_PUSH(arena, disks, disk);
}

/* The claim of this name; false: it is not among the manifests. */
static bool find_claim(const struct objects *objects, const char *namespace, const char *name,
                       struct claim *claim)
{
    const struct object *object =
        objects_find(objects, OBJECT_PERSISTENT_VOLUME_CLAIM, namespace, name);
    if (!object)
        return false;
    const struct persistent_volume_claim *given = object->as.persistent_volume_claim;
    *claim = (struct claim){
        .namespace = namespace,
        .name = name,
        .volume = given->volume_name && *given->volume_name ? given->volume_name : NULL,
        .class = class_of(&given->meta, given->storage_class_name),
        .modes = &given->access_modes,
    };
    return true;
}

/* ---- pods ---- */

/* Disks that are written into the spec of a pod. */
static bool is_inline(const struct volume *volume)
{
    switch (volume->source) {
    case VOLUME_GCE_PERSISTENT_DISK: return !volume->read_only;
    case VOLUME_AWS_ELASTIC_BLOCK_STORE:
    case VOLUME_AZURE_DISK:
    case VOLUME_CINDER:
    case VOLUME_VSPHERE: return true;
    default: return false;
    }
}

void disks_of_pod(struct arena *arena, const struct objects *objects, const char *namespace,
                  const struct pod_spec *spec, disk_list *disks)
{
    for (uint32_t v = 0; v < spec->volume_count; v++) {
        const struct volume *volume = &spec->volumes[v];
        struct claim claim;
        if (is_inline(volume) && volume->disk)
            VEC_PUSH(arena, disks,
                     ((struct disk){arena_printf(arena, "disk \"%s\"", volume->disk), NULL}));
        else if (volume->source == VOLUME_PERSISTENT_CLAIM && volume->claim_name &&
                 find_claim(objects, namespace, volume->claim_name, &claim))
            add_claim(arena, objects, &claim, disks);
    }
}

/* The access modes of a claim template. */
static struct string_list template_modes(struct arena *arena, const struct value *spec)
{
    const struct value *given = value_find(spec, "accessModes");
    VEC(const char *) modes = {0};
    for (uint32_t i = 0; given && i < given->count; i++)
        if (given->items[i].kind == VALUE_STRING)
            VEC_PUSH(arena, &modes, given->items[i].text);
    return (struct string_list){modes.items, modes.count};
}

void disks_of_claim_templates(struct arena *arena, const struct objects *objects,
                              const struct object *stateful_set, const char *pod, disk_list *disks)
{
    const struct value *root = stateful_set->source ? &stateful_set->source->root : NULL;
    const struct value *templates = value_find(value_find(root, "spec"), "volumeClaimTemplates");
    for (uint32_t i = 0; templates && i < templates->count; i++) {
        const struct value *spec = value_find(&templates->items[i], "spec");
        const char *name = value_find_string(value_find(&templates->items[i], "metadata"), "name");
        const struct string_list modes = template_modes(arena, spec);
        struct claim claim = {.namespace = stateful_set->meta->namespace,
                              .class = value_find_string(spec, "storageClassName"),
                              .modes = &modes};
        if (!name)
            continue;
        claim.name = arena_printf(arena, "%s-%s", name, pod);
        find_claim(objects, claim.namespace, claim.name, &claim);
        add_claim(arena, objects, &claim, disks);
    }
}

/* ---- the report ---- */

const char *premise_of_disks(struct arena *arena, const struct scope *scope)
{
    int64_t nodes = 0;
    for (uint32_t g = 0; g < scope->group_count; g++)
        nodes += scope->groups[g].open ? 2 : scope->groups[g].most;
    for (uint32_t w = 0; nodes > 1 && w < scope->workload_count; w++) {
        const struct object *object = scope->workloads[w].object;
        disk_list disks = {0};
        disks_of_pod(arena, scope->objects, object->meta->namespace,
                     &workload_template(object)->spec, &disks);
        for (uint32_t d = 0; d < disks.count; d++)
            if (disks.items[d].assumed)
                return arena_printf(
                    arena,
                    "volumes %s are attached to nodes, one at a time: where its driver attaches "
                    "nothing (CSIDriver attachRequired: false, hostPath, nfs), pods of %s also "
                    "start on other nodes",
                    disks.items[d].assumed, scope->workloads[w].name);
    }
    return NULL;
}
