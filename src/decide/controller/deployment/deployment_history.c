/* SPDX-License-Identifier: Apache-2.0 */
/* Old sets beyond the revision history limit. Mirrors cleanupDeployment in
 * pkg/controller/deployment/sync.go @ v1.26.15. */
#include "decide/controller/deployment/deployment_internal.h"

/* Lowest revision first; the list comes sorted by age, and stays so where the
 * revisions are equal or missing. */
static void sort_by_revision(const struct deployment_sync *sync, struct set_list *sets)
{
    for (uint32_t i = 1; i < sets->count; i++)
        for (uint32_t j = i;
             j > 0 && sync->seen[sets->items[j]].revision < sync->seen[sets->items[j - 1]].revision;
             j--) {
            const uint32_t other = sets->items[j];
            sets->items[j] = sets->items[j - 1];
            sets->items[j - 1] = other;
        }
}

void history_clean(struct deployment_sync *sync, const struct set_list *old)
{
    if (sync->deployment.history_limit == INT32_MAX)
        return;
    struct set_list sets = {.items = ARENA_ARRAY(sync->arena, uint32_t, old->count + 1)};
    for (uint32_t i = 0; i < old->count; i++)
        if (!sync->seen[old->items[i]].terminating)
            sets.items[sets.count++] = old->items[i];
    sort_by_revision(sync, &sets);
    const int64_t surplus = (int64_t)sets.count - sync->deployment.history_limit;
    for (int64_t i = 0; i < surplus; i++) {
        const struct replica_set_facts *set = &sync->seen[sets.items[i]];
        if (set->status_replicas != 0 || set->replicas != 0 || !set->observed)
            continue;
        const struct deployment_action action = {.verb = DEPLOYMENT_DELETE, .set = sets.items[i]};
        VEC_PUSH(sync->arena, &sync->decision->actions, action);
    }
}
