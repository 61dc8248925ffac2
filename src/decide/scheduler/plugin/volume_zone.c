/* SPDX-License-Identifier: Apache-2.0 */
/* A bound volume that is labelled with a zone or region can be used only there. */
#include "decide/scheduler/plan.h"
#include "decide/scheduler/volume_lookup.h"
#include "decide/scheduler/volume_match.h"

#include <string.h>

static void prepare(struct plan *plan, struct part *part)
{
    const struct pod_spec *spec = &plan->shape->pod->spec;
    part->filters = false;
    for (uint32_t i = 0; i < spec->volume_count; i++)
        part->filters |= spec->volumes[i].source == VOLUME_PERSISTENT_CLAIM;
}

static bool node_has_zone(const struct labels *labels)
{
    for (uint32_t i = 0; i < VOLUME_ZONE_LABELS; i++)
        if (labels_find(labels, volume_zone_labels[i]))
            return true;
    return false;
}

static const char *check_volume(const struct trial *trial, const struct volume *volume)
{
    const struct catalog *catalog = trial->plan->catalog;
    const struct pod *pod = trial->plan->shape->pod;
    const struct persistent_volume_claim *claim =
        volume_find_claim(catalog, pod->meta.namespace, volume->claim_name);
    if (!claim)
        return arena_printf(catalog->arena, "persistentvolumeclaim \"%s\" not found",
                            volume->claim_name);
    if (!claim->volume_name || !claim->volume_name[0]) {
        const char *name = volume_class_of_claim(claim);
        if (!name[0])
            return "PersistentVolumeClaim had no pv name and storageClass name";
        const struct storage_class *class = volume_find_class(catalog, name);
        if (!class)
            return arena_printf(catalog->arena, "storageclass.storage.k8s.io \"%s\" not found",
                                name);
        return class->volume_binding_mode == VOLUME_BINDING_WAIT_FOR_FIRST_CONSUMER
                   ? NULL
                   : "PersistentVolume had no name";
    }
    const struct persistent_volume *bound = volume_find(catalog, claim->volume_name);
    if (!bound)
        return arena_printf(catalog->arena, "persistentvolume \"%s\" not found",
                            claim->volume_name);
    return volume_zone_reaches(bound, &trial->now->template->node->meta.labels)
               ? NULL
               : "node(s) had no available volume zone";
}

static struct verdict filter(const struct trial *trial)
{
    const struct pod_spec *spec = &trial->plan->shape->pod->spec;
    if (!node_has_zone(&trial->now->template->node->meta.labels))
        return verdict_feasible();
    for (uint32_t i = 0; i < spec->volume_count; i++) {
        if (spec->volumes[i].source != VOLUME_PERSISTENT_CLAIM)
            continue;
        const char *reason = check_volume(trial, &spec->volumes[i]);
        if (reason)
            return verdict_no(VERDICT_UNRESOLVABLE, reason);
    }
    return verdict_feasible();
}

static void read_incoming(struct reads *reads, const struct pod_spec *spec)
{
    (void)spec;
    for (uint32_t i = 0; !reads->no_volumes && i < VOLUME_ZONE_LABELS; i++)
        reads_node_label(reads, volume_zone_labels[i]);
}

static const struct plugin_reads reads = {.of_incoming = read_incoming,
                                          .only_room = volume_only_room};

static const struct plugin_field fields[] = {{"volumes", NULL}, {0}};

const struct plugin plugin_volume_zone = {
    .name = "VolumeZone",
    .mirrors = "pkg/scheduler/framework/plugins/volumezone/volume_zone.go @ v1.26.15",
    .events = EVENT_STORAGE | EVENT_NODE_ADD | EVENT_NODE_LABEL,
    .reads = &reads,
    .fields = fields,
    .prepare = prepare,
    .filter = filter,
};
