/* SPDX-License-Identifier: Apache-2.0 */
/* Recreate: all old pods go before the first new one comes. Mirrors
 * pkg/controller/deployment/recreate.go @ v1.26.15. */
#include "decide/controller/deployment/deployment_internal.h"

static bool old_pods_running(const struct deployment_sync *sync, const struct set_list *old)
{
    for (uint32_t i = 0; i < old->count; i++)
        if (sync->seen[old->items[i]].status_replicas > 0)
            return true;
    return sync->deployment.old_pods_unfinished > 0;
}

void recreate_sync(struct deployment_sync *sync)
{
    uint32_t new_set = revision_find_new_set(sync);
    const struct set_list old = sync_old_sets(sync, new_set, false);
    const struct set_list active = sync_old_sets(sync, new_set, true);
    struct set_list all = sync_with(sync, old, new_set);
    bool scaled_down = false;
    for (uint32_t i = 0; i < active.count; i++)
        scaled_down |= sync_scale(sync, active.items[i], 0);
    if (!scaled_down && !old_pods_running(sync, &old)) {
        if (new_set == NO_SET) {
            new_set = revision_ensure_new_set(sync);
            all = sync_with(sync, old, new_set);
        }
        sync_scale(sync, new_set, sync->deployment.replicas);
        if (progress_complete(sync, &sync->deployment.status))
            history_clean(sync, &old);
    }
    progress_write_rollout_status(sync, &all, new_set);
}
