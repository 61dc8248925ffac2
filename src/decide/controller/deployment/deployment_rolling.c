/* SPDX-License-Identifier: Apache-2.0 */
/* RollingUpdate: scale up if we can, else scale down if we can. Mirrors
 * pkg/controller/deployment/rolling.go @ v1.26.15. */
#include "decide/controller/deployment/deployment_internal.h"

static int32_t lesser(int64_t a, int64_t b)
{
    return (int32_t)(a < b ? a : b);
}

static bool scale_up(struct deployment_sync *sync, const struct set_list *all, uint32_t new_set)
{
    const int32_t size = sync->seen[new_set].replicas;
    if (size == sync->deployment.replicas)
        return false;
    if (size > sync->deployment.replicas)
        return sync_scale(sync, new_set, sync->deployment.replicas);
    return sync_scale(sync, new_set, sync_new_replicas(sync, all, new_set));
}

/* Scales down old pods that are not available first, since they serve no
 * requests. False if a status contradicts its spec: upstream then ends the sync
 * without an error. The rest of the sync sees the sets that were scaled down
 * with their new sizes. */
static bool clean_unavailable(struct deployment_sync *sync, const struct set_list *old,
                              int64_t most, int64_t *cleaned)
{
    *cleaned = 0;
    for (uint32_t i = 0; i < old->count && *cleaned < most; i++) {
        struct replica_set_facts *set = &sync->seen[old->items[i]];
        if (set->replicas == 0 || set->replicas == set->available_replicas)
            continue;
        const int64_t cut =
            lesser(most - *cleaned, (int64_t)set->replicas - set->available_replicas);
        if (cut < 0)
            return false;
        sync_scale(sync, old->items[i], (int32_t)(set->replicas - cut));
        set->replicas = (int32_t)(set->replicas - cut);
        *cleaned += cut;
    }
    return true;
}

static int64_t cut_available(struct deployment_sync *sync, const struct set_list *old,
                             uint32_t new_set)
{
    const struct set_list all = sync_with(sync, *old, new_set);
    const int64_t available = sync_available_sum(sync, &all);
    const int64_t surplus = available - sync->decision->availability_floor;
    int64_t cut_total = 0;
    for (uint32_t i = 0; i < old->count && cut_total < surplus; i++) {
        const int32_t size = sync->seen[old->items[i]].replicas;
        if (size == 0)
            continue;
        const int32_t cut = lesser(size, surplus - cut_total);
        sync_scale(sync, old->items[i], size - cut);
        cut_total += cut;
    }
    return cut_total;
}

static bool scale_down(struct deployment_sync *sync, const struct set_list *all, uint32_t new_set)
{
    const struct set_list old = sync_old_sets(sync, new_set, true);
    if (old.count == 0)
        return false;
    const struct replica_set_facts *set = &sync->seen[new_set];
    const int64_t new_unavailable = (int64_t)set->replicas - set->available_replicas;
    const int64_t room =
        sync_replicas_sum(sync, all) - sync->decision->availability_floor - new_unavailable;
    if (room <= 0)
        return false;
    int64_t cleaned = 0;
    if (!clean_unavailable(sync, &old, room, &cleaned))
        return false;
    return cleaned + cut_available(sync, &old, new_set) > 0;
}

void rolling_sync(struct deployment_sync *sync)
{
    const uint32_t new_set = revision_ensure_new_set(sync);
    const struct set_list old = sync_old_sets(sync, new_set, false);
    const struct set_list all = sync_with(sync, old, new_set);
    /* The status speaks of the sets as they were before this sync scaled any. */
    struct replica_set_facts *before =
        arena_copy(sync->arena, sync->seen, sync->seen_count * sizeof(*sync->seen));
    const bool scaled = scale_up(sync, &all, new_set) || scale_down(sync, &all, new_set);
    sync->seen = before;
    if (!scaled && progress_complete(sync, &sync->deployment.status))
        history_clean(sync, &old);
    progress_write_rollout_status(sync, &all, new_set);
}
