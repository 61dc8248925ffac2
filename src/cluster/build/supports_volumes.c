/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Claims that are bound at once, or to volumes that are given, keep their pods on the nodes that
 * reach the volume (state/homes.h). Where that is not modelled nothing is verified: pods that go
 * anywhere would be a wrong answer.
 */
#include "cluster/build/supports_volumes.h"
#include "cluster/ask/support.h"
#include "cluster/build/volume_kinds.h"
#include "object/check.h"
#include "object/pod.h"
#include "object/storage_zones.h"
#include "object/workload.h"
#include "setup/claim_places.h"

#include <string.h>

/* Are there nodes in different zones, or in one and in none? */
static bool zones_differ(const struct scope *scope)
{
    for (uint32_t g = 1; g < scope->group_count; g++) {
        const char *one = labels_find(&scope->groups[0].node->meta.labels, LABEL_ZONE);
        const char *other = labels_find(&scope->groups[g].node->meta.labels, LABEL_ZONE);
        if (!one != !other || (one && strcmp(one, other) != 0))
            return true;
    }
    return false;
}

/* Those of a pod of the workload, modelled or not; `ordinal` counts its pods. */
static struct claim_places all_places(const struct support *support, const struct object *object,
                                      int32_t ordinal)
{
    const struct objects *objects = support->scope->objects;
    if (object->kind == OBJECT_STATEFUL_SET)
        return claim_places_of_ordinal(
            support->arena, objects, object,
            arena_printf(support->arena, "%s-%d", object->meta->name,
                         object->as.stateful_set->start_ordinal + ordinal));
    return claim_places_of_spec(support->arena, objects, object->meta->namespace,
                                &workload_template(object)->spec);
}

static bool is_of_one_pod(const struct claim_place *place)
{
    const struct string_list *modes = &place->claim->access_modes;
    for (uint32_t i = 0; i < modes->count; i++)
        if (strcmp(modes->items[i], "ReadWriteOncePod") == 0)
            return true;
    return false;
}

static uint32_t count_bits(uint32_t bits)
{
    uint32_t count = 0;
    for (; bits > 0; bits &= bits - 1)
        count++;
    return count;
}

/* What of the claim is not modelled; NULL: nothing. */
static const char *what_is_missing(const struct support *support, const struct object *object,
                                   const struct claim_places *places,
                                   const struct claim_place *place)
{
    struct volume_kinds kinds = {0};
    const struct claim_places alone = {(struct claim_place *)place, 1, 1};
    if (object->kind == OBJECT_DAEMON_SET || workload_template(object)->spec.node_name)
        return "of pods that are for one node";
    if (places->count > 1)
        return "of pods with several claims";
    if (is_of_one_pod(place))
        return "of a claim with ReadWriteOncePod";
    if (object->kind == OBJECT_STATEFUL_SET && stateful_set_deletes_claims(object))
        return "of a StatefulSet that deletes claims";
    if (place->volumes.count > 0 && support->scope->check &&
        support->scope->check->controllers.cluster_autoscaler)
        return "beside a cluster autoscaler";
    if (!volume_kinds_find(support->arena, &alone, &kinds) ||
        count_bits(volume_kinds_of(&kinds, place)) > VOLUME_KINDS_OF_CLAIM)
        return "of a claim with so many kinds of volumes";
    return NULL;
}

/* Are the claims of all pods of the workload alike but for their names? A StatefulSet may have
 * millions of pods. */
static bool pods_are_alike(const struct support *support, const struct object *object)
{
    const struct objects *objects = support->scope->objects;
    if (object->kind != OBJECT_STATEFUL_SET ||
        object->as.stateful_set->volume_claim_template_count == 0)
        return true;
    for (uint32_t i = 0; i < objects->count; i++)
        if (objects->items[i].kind == OBJECT_PERSISTENT_VOLUME ||
            objects->items[i].kind == OBJECT_PERSISTENT_VOLUME_CLAIM)
            return false;
    return true;
}

/* `most`: so many pods of a StatefulSet. */
static void check_workload(const struct support *support, const struct object *object, int32_t most,
                           bool differ, struct claim_places *all)
{
    const int32_t pods = pods_are_alike(support, object) ? 1 : most;
    for (int32_t p = 0; p < pods; p++) {
        const struct claim_places places = all_places(support, object, p);
        for (uint32_t i = 0; i < places.count; i++) {
            const struct claim_place *place = &places.items[i];
            if (claim_place_is_plain(place) || (place->volumes.count == 0 && !differ))
                continue;
            const char *missing = what_is_missing(support, object, &places, place);
            VEC_PUSH(support->arena, all, *place);
            if (!missing)
                continue;
            problem_error(
                support->problems, object->place, NULL,
                "PersistentVolumeClaim %s is bound %s: verify does not model the place of "
                "volumes %s; nothing is verified",
                place->name,
                place->volumes.count > 0 ? "to one of the PersistentVolumes"
                                         : "before its pods are placed",
                missing);
            return;
        }
    }
}

static void check_applied(const struct support *support, const struct objects *applied, bool differ,
                          struct claim_places *all)
{
    for (uint32_t i = 0; i < applied->count; i++) {
        const struct object *object = &applied->items[i];
        if (workload_template(object))
            check_workload(support, object,
                           object->kind == OBJECT_STATEFUL_SET ? object->as.stateful_set->replicas
                                                               : 1,
                           differ, all);
    }
}

void supports_volumes(const struct support *support)
{
    const struct scope *scope = support->scope;
    const bool differ = zones_differ(scope);
    struct claim_places all = {0};
    struct volume_kinds kinds = {0};
    if (scope->start == START_OBSERVED)
        return;
    for (uint32_t w = 0; w < scope->workload_count; w++)
        check_workload(support, scope->workloads[w].object, scope->workloads[w].most, differ, &all);
    for (uint32_t e = 0; scope->check && e < scope->check->event_count; e++)
        check_applied(support, &scope->applied[e], differ, &all);
    if (all.count > 0 && !volume_kinds_find(support->arena, &all, &kinds))
        problem_error(support->problems, (struct place){0}, NULL,
                      "expected PersistentVolumes of at most %d kinds; nothing is verified",
                      VOLUME_KINDS_MOST);
}
