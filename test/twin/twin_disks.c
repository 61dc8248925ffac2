/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Disks: the attach-detach controller attaches a volume that is no more than ReadWriteOnce to
 * one node, as long as pods on it use the volume. A pod on another node waits for that.
 *
 * Nobody notes where a volume is: who runs has it, and who terminates has it until it is gone. Of
 * those that start anybody may be the first to get it, in the moment in which it becomes ready. Who
 * starts and does not become ready may have it, too.
 */
#include "object/storage.h"
#include "twin/twin_internal.h"

#include <string.h>

/* The more of it the surer. */
enum grip { GRIP_NONE, GRIP_MAYBE, GRIP_LAST, GRIP_FIRM };

/* May the claim's volume be attached to one node alone? */
static bool is_disk(const struct twin *twin, const char *claim)
{
    for (uint32_t i = 0; i < twin->scope->objects->count; i++) {
        const struct object *object = &twin->scope->objects->items[i];
        if (object->kind != OBJECT_PERSISTENT_VOLUME_CLAIM ||
            strcmp(object->meta->name, claim) != 0)
            continue;
        const struct string_list *modes = &object->as.persistent_volume_claim->access_modes;
        for (uint32_t m = 0; m < modes->count; m++)
            if (strcmp(modes->items[m], "ReadWriteMany") == 0 ||
                strcmp(modes->items[m], "ReadOnlyMany") == 0)
                return false;
        return true;
    }
    return false;
}

static bool uses(const struct pod_spec *spec, const char *claim)
{
    for (uint32_t v = 0; v < spec->volume_count; v++)
        if (spec->volumes[v].source == VOLUME_PERSISTENT_CLAIM &&
            strcmp(spec->volumes[v].claim_name, claim) == 0)
            return true;
    return false;
}

static enum grip grip_of(const struct twin *twin, const struct twin_state *state, uint32_t place)
{
    const struct place_of_pod *pod = &state->pods[place];
    switch (pod->stage) {
    case POD_IS_READY: return GRIP_FIRM;
    case POD_TERMINATES: return GRIP_LAST;
    case POD_STARTS:
        return twin_never_ready(twin, pod) ||
                       !condition_works((enum twin_condition)state->conditions[pod->node])
                   ? GRIP_MAYBE
                   : GRIP_NONE;
    default: return GRIP_NONE;
    }
}

/* Do pods elsewhere have it more surely than those on the node? */
static bool is_elsewhere(const struct twin *twin, const struct twin_state *state, uint32_t node,
                         const char *claim)
{
    enum grip here = GRIP_NONE;
    enum grip there = GRIP_NONE;
    for (uint32_t p = 0; p < TWIN_PODS_MOST; p++) {
        const struct place_of_pod *pod = &state->pods[p];
        if (!pod_is_there(pod) || pod->node == NOBODY ||
            !uses(&twin->revisions[pod->revision].pod->spec, claim))
            continue;
        const enum grip grip = grip_of(twin, state, p);
        enum grip *of = pod->node == node ? &here : &there;
        *of = grip > *of ? grip : *of;
    }
    return there != GRIP_NONE && there >= here;
}

bool twin_waits_for_disk(const struct twin *twin, const struct twin_state *state, uint32_t place)
{
    const struct place_of_pod *pod = &state->pods[place];
    const struct pod_spec *spec = &twin->revisions[pod->revision].pod->spec;
    for (uint32_t v = 0; v < spec->volume_count; v++)
        if (spec->volumes[v].source == VOLUME_PERSISTENT_CLAIM &&
            is_disk(twin, spec->volumes[v].claim_name) &&
            is_elsewhere(twin, state, pod->node, spec->volumes[v].claim_name))
            return true;
    return false;
}
