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

static const char *name_of_pod(const struct support *support, const struct object *object,
                               int32_t ordinal)
{
    return object->kind == OBJECT_STATEFUL_SET
               ? arena_printf(support->arena, "%s-%d", object->meta->name,
                              object->as.stateful_set->start_ordinal + ordinal)
               : NULL;
}

/* Those of a pod of the workload, modelled or not; `ordinal` counts its pods. */
static struct claim_places all_places(const struct support *support, const struct object *object,
                                      int32_t ordinal)
{
    const struct objects *objects = support->scope->objects;
    if (object->kind == OBJECT_STATEFUL_SET)
        return claim_places_of_ordinal(support->arena, objects, object,
                                       name_of_pod(support, object, ordinal));
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

/* Of volumes of several modes those of the fewest come first when they are bound at once. */
static bool modes_differ(const struct claim_place *place)
{
    for (uint32_t v = 1; place->at_once && v < place->volumes.count; v++) {
        const struct string_list *one = &place->volumes.items[0]->access_modes;
        const struct string_list *other = &place->volumes.items[v]->access_modes;
        bool same = one->count == other->count;
        for (uint32_t i = 0; same && i < one->count; i++)
            same = strcmp(one->items[i], other->items[i]) == 0;
        if (!same)
            return true;
    }
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
    if (modes_differ(place))
        return "of a claim with volumes of different access modes";
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

/* Volumes of its pods that nothing is kept of: those that are made with each pod, and those of
 * templates that say more than is modelled. False: there are some. */
static bool check_templates(const struct support *support, const struct object *object,
                            const char *pod, bool differ)
{
    const struct objects *objects = support->scope->objects;
    const struct pod_spec *spec = &workload_template(object)->spec;
    for (uint32_t v = 0; v < spec->volume_count; v++)
        if (spec->volumes[v].source == VOLUME_EPHEMERAL_CLAIM &&
            ephemeral_has_place(objects, object, spec->volumes[v].name, differ)) {
            problem_error(support->problems, object->place, NULL,
                          "the claim of volume %s is made with each pod: verify does not model "
                          "the place of such volumes, of this StorageClass; nothing is verified",
                          spec->volumes[v].name);
            return false;
        }
    const char *what = object->kind == OBJECT_STATEFUL_SET
                           ? claim_template_not_modelled(support->arena, objects, object, pod)
                           : NULL;
    if (what)
        problem_error(support->problems, object->place, NULL,
                      "verify does not model %s of volumeClaimTemplates; nothing is verified",
                      what);
    return !what;
}

/* `most`: so many pods of a StatefulSet. */
static void check_workload(const struct support *support, const struct object *object, int32_t most,
                           bool differ, struct claim_places *all)
{
    const int32_t pods = pods_are_alike(support, object) ? 1 : most;
    for (int32_t p = 0; p < pods; p++) {
        const struct claim_places places = all_places(support, object, p);
        if (!check_templates(support, object, name_of_pod(support, object, p), differ))
            return;
        for (uint32_t i = 0; i < places.count; i++) {
            const struct claim_place *place = &places.items[i];
            if (claim_place_is_plain(place) || (claim_place_is_of_zones(place) && !differ))
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
                !place->is_made || place->volumes.count > 0 ? "to one of the PersistentVolumes"
                : place->at_once                            ? "before its pods are placed"
                                 : "in zones that its StorageClass names",
                missing);
            return;
        }
    }
}

static bool has_place(const struct claim_places *places, const char *claim)
{
    for (uint32_t i = 0; i < places->count; i++)
        if (strcmp(places->items[i].name, claim) == 0)
            return true;
    return false;
}

/* Which claims stay is asked of the StatefulSet as it was first. */
static void check_applied_again(const struct support *support, const struct object *object,
                                bool differ)
{
    const struct scope *scope = support->scope;
    for (uint32_t w = 0; w < scope->workload_count; w++) {
        if (object->kind != OBJECT_STATEFUL_SET || !same_object(object, scope->workloads[w].object))
            continue;
        const struct claim_places now = all_places(support, object, 0);
        const struct claim_places before = all_places(support, scope->workloads[w].object, 0);
        const struct claim_places *of[] = {&now, &before};
        for (uint32_t k = 0; k < 2; k++)
            for (uint32_t i = 0; i < of[k]->count; i++)
                if (!has_place(of[1 - k], of[k]->items[i].name) &&
                    (differ || !claim_place_is_of_zones(&of[k]->items[i]))) {
                    problem_error(support->problems, object->place, NULL,
                                  "verify does not model a StatefulSet whose pods get, or lose, "
                                  "a claim with a place (%s); nothing is verified",
                                  of[k]->items[i].name);
                    return;
                }
    }
}

static void check_applied(const struct support *support, const struct objects *applied, bool differ,
                          struct claim_places *all)
{
    for (uint32_t i = 0; i < applied->count; i++) {
        const struct object *object = &applied->items[i];
        check_applied_again(support, object, differ);
        if (workload_template(object))
            check_workload(support, object,
                           object->kind == OBJECT_STATEFUL_SET ? object->as.stateful_set->replicas
                                                               : 1,
                           differ, all);
    }
}

/* Reports a claim that gets its volume where pods are there already. */
static bool check_given(const struct support *support, const struct object *object,
                        const struct claim_places *places, bool differ)
{
    for (uint32_t i = 0; i < places->count; i++) {
        const struct claim_place *place = &places->items[i];
        if (!place->is_given || claim_place_is_plain(place) ||
            (claim_place_is_of_zones(place) && !differ))
            continue;
        problem_error(support->problems, object->place, NULL,
                      "PersistentVolumeClaim %s has no volume yet: verify does not model "
                      "where it gets one beside pods that are there already; nothing is "
                      "verified",
                      place->name);
        return false;
    }
    return true;
}

/* A dump has the claims of its pods, which are bound, or nothing is known of their volumes. */
static void check_observed(const struct support *support, const struct object *object, int32_t most,
                           bool differ)
{
    const int32_t pods = pods_are_alike(support, object) ? 1 : most;
    for (int32_t p = 0; p < pods; p++) {
        const struct claim_places places = all_places(support, object, p);
        if (!check_given(support, object, &places, differ))
            return;
    }
}

/* Pods that wait, and that no workload has. */
static void check_waiting(const struct support *support, bool differ)
{
    const struct scope *scope = support->scope;
    for (uint32_t i = 0; i < scope->pod_count; i++) {
        const struct object *object = scope->pods[i].object;
        if (scope->pods[i].stage != OBSERVED_WAITING || scope->pods[i].workload != UINT32_MAX)
            continue;
        const struct claim_places places = claim_places_of_spec(
            support->arena, scope->objects, object->meta->namespace, &object->as.pod->spec);
        if (!check_given(support, object, &places, differ))
            return;
    }
}

static bool share_volume(const struct claim_place *one, const struct claim_place *other)
{
    for (uint32_t i = 0; i < one->volumes.count; i++)
        for (uint32_t k = 0; k < other->volumes.count; k++)
            if (strcmp(one->volumes.items[i]->meta.name, other->volumes.items[k]->meta.name) == 0)
                return true;
    return false;
}

static bool is_claim_of(const struct claim_places *all, const struct persistent_volume_claim *claim)
{
    for (uint32_t i = 0; i < all->count; i++)
        if (strcmp(all->items[i].name, claim->meta.name) == 0 &&
            strcmp(all->items[i].claim->meta.namespace, claim->meta.namespace) == 0)
            return true;
    return false;
}

/* Claims of no pod that are bound at once take volumes from others. */
static void check_claims_without_pods(const struct support *support, const struct claim_places *all)
{
    const struct objects *objects = support->scope->objects;
    for (uint32_t o = 0; o < objects->count; o++) {
        const struct persistent_volume_claim *claim = objects->items[o].as.persistent_volume_claim;
        struct claim_place place;
        if (objects->items[o].kind != OBJECT_PERSISTENT_VOLUME_CLAIM || is_claim_of(all, claim) ||
            (claim->volume_name && *claim->volume_name))
            continue;
        claim_place_find(support->arena, objects, claim, &place);
        for (uint32_t i = 0; place.at_once && i < all->count; i++)
            if (share_volume(&place, &all->items[i])) {
                problem_error(support->problems, objects->items[o].place, NULL,
                              "no pod has PersistentVolumeClaim %s, which may get a volume of "
                              "PersistentVolumeClaim %s: verify does not model that; nothing is "
                              "verified",
                              claim->meta.name, all->items[i].name);
                return;
            }
    }
}

void supports_volumes(const struct support *support)
{
    const struct scope *scope = support->scope;
    const bool differ = zones_differ(scope);
    struct claim_places all = {0};
    struct volume_kinds kinds = {0};
    for (uint32_t w = 0; scope->start == START_OBSERVED && w < scope->workload_count; w++)
        check_observed(support, scope->workloads[w].object, scope->workloads[w].most, differ);
    if (scope->start == START_OBSERVED) {
        check_waiting(support, differ);
        return;
    }
    for (uint32_t w = 0; w < scope->workload_count; w++)
        check_workload(support, scope->workloads[w].object, scope->workloads[w].most, differ, &all);
    for (uint32_t e = 0; scope->check && e < scope->check->event_count; e++)
        check_applied(support, &scope->applied[e], differ, &all);
    check_claims_without_pods(support, &all);
    if (all.count > 0 && !volume_kinds_find(support->arena, &all, &kinds))
        problem_error(support->problems, (struct place){0}, NULL,
                      "expected PersistentVolumes of at most %d kinds; nothing is verified",
                      VOLUME_KINDS_MOST);
}
