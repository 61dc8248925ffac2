/* SPDX-License-Identifier: Apache-2.0 */
/* The order of one sync, and scaling without a rollout. Mirrors pkg/controller/deployment/
 * {deployment_controller,sync}.go @ v1.26.15. */
#include "decide/controller/deployment/deployment_internal.h"

#include "decide/controller/go_number.h"

#include <string.h>

void deployment_resolve_fenceposts(const struct deployment *deployment, int32_t *max_surge,
                                   int32_t *max_unavailable)
{
    *max_surge = 0;
    *max_unavailable = 0;
    if (deployment->strategy == DEPLOYMENT_RECREATE)
        return;
    *max_surge = (int32_t)int_or_percent_of(deployment->max_surge, deployment->replicas, true);
    int64_t unavailable =
        int_or_percent_of(deployment->max_unavailable, deployment->replicas, false);
    if (*max_surge == 0 && unavailable == 0)
        unavailable = 1;
    if (unavailable > deployment->replicas)
        unavailable = deployment->replicas;
    *max_unavailable = (int32_t)unavailable;
}

/* Looking for the one active set, upstream turns its list of old sets round,
 * and scales in that order. */
static struct set_list newest_first(struct set_list sets)
{
    for (uint32_t i = 0; i < sets.count / 2; i++) {
        const uint32_t other = sets.items[i];
        sets.items[i] = sets.items[sets.count - 1 - i];
        sets.items[sets.count - 1 - i] = other;
    }
    return sets;
}

/* The one set that takes every change of size: the only active one, or, if
 * there is none, the new set, else the newest old one. */
static uint32_t active_or_latest(const struct deployment_sync *sync, uint32_t new_set)
{
    const struct set_list old = sync_old_sets(sync, new_set, false);
    uint32_t active = NO_SET;
    uint32_t active_count = 0;
    const struct set_list all = sync_with(sync, old, new_set);
    for (uint32_t i = 0; i < all.count; i++)
        if (sync->seen[all.items[i]].replicas > 0) {
            active = all.items[i];
            active_count++;
        }
    if (active_count == 1)
        return active;
    if (active_count > 1)
        return NO_SET;
    return new_set != NO_SET ? new_set : old.count > 0 ? old.items[old.count - 1] : NO_SET;
}

static bool saturated(const struct deployment_sync *sync, uint32_t new_set)
{
    if (new_set == NO_SET)
        return false;
    const struct replica_set_facts *set = &sync->seen[new_set];
    const int32_t wanted = sync->deployment.replicas;
    return set->desired.set && set->desired.value == wanted && set->replicas == wanted &&
           set->available_replicas == wanted;
}

/* The share of a set in the change: it keeps its fraction of all replicas. */
static int64_t proportion(const struct deployment_sync *sync, uint32_t index, int64_t to_add,
                          int64_t added)
{
    const struct replica_set_facts *set = &sync->seen[index];
    if (set->replicas == 0 || to_add == 0 || to_add == added)
        return 0;
    int64_t fraction = -(int64_t)set->replicas;
    if (sync->deployment.replicas != 0) {
        const int64_t whole = go_add_int32(sync->deployment.replicas, sync->deployment.max_surge);
        const bool recorded =
            set->most.set && !(set->most.value == 0 && sync->deployment.zero_most_is_missing);
        const int64_t most = recorded ? set->most.value : sync->deployment.status.replicas;
        if (most == 0 && sync->deployment.zero_most_is_missing)
            return 0;
        const double size = (double)(set->replicas * whole) / (double)most;
        fraction = (int64_t)go_int32_of(size < 0 ? size - 0.5 : size + 0.5) - set->replicas;
    }
    const int64_t allowed = to_add - added;
    if (to_add > 0)
        return fraction < allowed ? fraction : allowed;
    return fraction > allowed ? fraction : allowed;
}

static void scale_proportionally(struct deployment_sync *sync, uint32_t new_set)
{
    struct set_list sets = newest_first(sync_old_sets(sync, new_set, true));
    if (new_set != NO_SET && sync->seen[new_set].replicas > 0)
        sets = sync_with(sync, sets, new_set);
    const int64_t allowed = sync->deployment.replicas > 0 ? go_add_int32(sync->deployment.replicas,
                                                                         sync->deployment.max_surge)
                                                          : 0;
    const int64_t to_add = allowed - sync_replicas_sum(sync, &sets);
    if (to_add != 0)
        sync_sort(sync, &sets, to_add > 0 ? LARGEST_THEN_NEWEST : LARGEST_THEN_OLDEST);

    int64_t *sizes = ARENA_ARRAY(sync->arena, int64_t, sets.count + 1);
    int64_t added = 0;
    for (uint32_t i = 0; i < sets.count; i++) {
        const int64_t share = proportion(sync, sets.items[i], to_add, added);
        sizes[i] = sync->seen[sets.items[i]].replicas + share;
        added += share;
    }
    if (sets.count > 0 && to_add != 0) {
        sizes[0] += to_add - added;
        if (sizes[0] < 0)
            sizes[0] = 0;
    }
    for (uint32_t i = 0; i < sets.count; i++)
        sync_write_scale(sync, sets.items[i], (int32_t)sizes[i]);
}

static void scale(struct deployment_sync *sync, uint32_t new_set)
{
    const uint32_t only = active_or_latest(sync, new_set);
    if (only != NO_SET) {
        sync_scale(sync, only, sync->deployment.replicas);
        return;
    }
    if (saturated(sync, new_set)) {
        const struct set_list old = newest_first(sync_old_sets(sync, new_set, true));
        for (uint32_t i = 0; i < old.count; i++)
            sync_scale(sync, old.items[i], 0);
        return;
    }
    if (!sync->deployment.recreate)
        scale_proportionally(sync, new_set);
}

/* Paused, or the number of replicas was changed: sizes only, no rollout. */
static void scale_and_write_status(struct deployment_sync *sync)
{
    const uint32_t new_set = revision_find_new_set(sync);
    const struct set_list old = sync_old_sets(sync, new_set, false);
    scale(sync, new_set);
    if (sync->deployment.paused)
        history_clean(sync, &old);
    const struct set_list all = sync_with(sync, old, new_set);
    progress_write_status(sync, &all, new_set);
}

static void write_status_only(struct deployment_sync *sync)
{
    const uint32_t new_set = revision_find_new_set(sync);
    const struct set_list all = sync_with(sync, sync_old_sets(sync, new_set, false), new_set);
    progress_write_status(sync, &all, new_set);
}

/* An active set that was made for another number of replicas. */
static bool scaling(const struct deployment_sync *sync)
{
    for (uint32_t i = 0; i < sync->seen_count; i++)
        if (sync->seen[i].replicas > 0 && sync->seen[i].desired.set &&
            sync->seen[i].desired.value != sync->deployment.replicas)
            return true;
    return false;
}

static enum deployment_branch run(struct deployment_sync *sync)
{
    if (sync->deployment.selects_everything)
        return DEPLOYMENT_BRANCH_REFUSED;
    if (sync->deployment.terminating) {
        write_status_only(sync);
        return DEPLOYMENT_BRANCH_STATUS_ONLY;
    }
    progress_check_paused(sync);
    if (sync->deployment.paused) {
        scale_and_write_status(sync);
        return DEPLOYMENT_BRANCH_PAUSED;
    }
    revision_find_new_set(sync); /* upstream looks for it here, too, and may write */
    if (scaling(sync)) {
        scale_and_write_status(sync);
        return DEPLOYMENT_BRANCH_SCALING;
    }
    if (sync->deployment.recreate) {
        recreate_sync(sync);
        return DEPLOYMENT_BRANCH_RECREATE;
    }
    rolling_sync(sync);
    return DEPLOYMENT_BRANCH_ROLLING;
}

struct deployment_decision *deployment_sync(struct arena *arena,
                                            const struct deployment_facts *deployment,
                                            const struct replica_set_facts *sets,
                                            uint32_t set_count, const char *name_new)
{
    struct deployment_decision *decision = ARENA_NEW(arena, struct deployment_decision);
    struct deployment_sync sync = {
        .arena = arena,
        .deployment = *deployment,
        .seen = ARENA_ARRAY(arena, struct replica_set_facts, set_count + 1),
        .seen_count = set_count,
        .name_new = name_new,
        .decision = decision,
    };
    decision->sets = ARENA_ARRAY(arena, struct replica_set_facts, set_count + 1);
    if (set_count > 0) {
        memcpy(sync.seen, sets, set_count * sizeof(*sets));
        memcpy(decision->sets, sets, set_count * sizeof(*sets));
    }
    decision->set_count = set_count;
    decision->new_set = NO_SET;
    decision->status = deployment->status;
    decision->surge_limit = go_add_int32(deployment->replicas, deployment->max_surge);
    decision->availability_floor = deployment->replicas - deployment->max_unavailable;
    decision->branch = run(&sync);
    decision->revision = sync.deployment.revision;
    return decision;
}
