/* SPDX-License-Identifier: Apache-2.0 */
/* The ReplicaSets of one sync: listed, summed up, given a size. Mirrors
 * pkg/controller/deployment/{sync.go,util/deployment_util.go} @ v1.26.15. */
#include "decide/controller/deployment/deployment_internal.h"
#include "decide/controller/go_number.h"

#include <string.h>

int64_t sync_replicas_sum(const struct deployment_sync *sync, const struct set_list *sets)
{
    int64_t sum = 0;
    for (uint32_t i = 0; i < sets->count; i++)
        sum += sync->seen[sets->items[i]].replicas;
    return sum;
}

int64_t sync_available_sum(const struct deployment_sync *sync, const struct set_list *sets)
{
    int64_t sum = 0;
    for (uint32_t i = 0; i < sets->count; i++)
        sum += sync->seen[sets->items[i]].available_replicas;
    return sum;
}

struct set_list sync_with(const struct deployment_sync *sync, struct set_list sets, uint32_t set)
{
    struct set_list with = {.items = ARENA_ARRAY(sync->arena, uint32_t, sets.count + 1),
                            .count = sets.count};
    if (sets.count > 0)
        memcpy(with.items, sets.items, sets.count * sizeof(*sets.items));
    if (set != NO_SET)
        with.items[with.count++] = set;
    return with;
}

static int compare_age(const struct replica_set_facts *a, const struct replica_set_facts *b)
{
    if (a->creation_time != b->creation_time)
        return a->creation_time < b->creation_time ? -1 : 1;
    return strcmp(a->name, b->name);
}

static bool comes_before(const struct deployment_sync *sync, enum set_order order, uint32_t left,
                         uint32_t right)
{
    const struct replica_set_facts *a = &sync->seen[left];
    const struct replica_set_facts *b = &sync->seen[right];
    if (order != OLDEST_FIRST && a->replicas != b->replicas)
        return a->replicas > b->replicas;
    /* Upstream compares the other way round for 'newer', names included, only
     * where the ages differ; sets of one age go by name either way. */
    if (order == LARGEST_THEN_NEWEST && a->creation_time != b->creation_time)
        return a->creation_time > b->creation_time;
    return compare_age(a, b) < 0;
}

void sync_sort(const struct deployment_sync *sync, struct set_list *sets, enum set_order order)
{
    for (uint32_t i = 1; i < sets->count; i++)
        for (uint32_t j = i; j > 0 && comes_before(sync, order, sets->items[j], sets->items[j - 1]);
             j--) {
            const uint32_t other = sets->items[j];
            sets->items[j] = sets->items[j - 1];
            sets->items[j - 1] = other;
        }
}

struct set_list sync_old_sets(const struct deployment_sync *sync, uint32_t new_set,
                              bool active_only)
{
    struct set_list old = {.items = ARENA_ARRAY(sync->arena, uint32_t, sync->seen_count + 1)};
    for (uint32_t i = 0; i < sync->seen_count; i++)
        if (i != new_set && (!active_only || sync->seen[i].replicas > 0))
            old.items[old.count++] = i;
    if (old.count > 1)
        sync_sort(sync, &old, OLDEST_FIRST);
    return old;
}

bool sync_write_scale(struct deployment_sync *sync, uint32_t set, int32_t replicas)
{
    struct replica_set_facts *stored = &sync->decision->sets[set];
    const struct replica_set_facts *seen = &sync->seen[set];
    const struct optional_int desired = {true, sync->deployment.replicas};
    const struct optional_int most = {
        true, go_add_int32(sync->deployment.replicas, sync->deployment.max_surge)};
    const bool size_differs = seen->replicas != replicas;
    const bool annotations_differ = !seen->desired.set || seen->desired.value != desired.value ||
                                    !seen->most.set || seen->most.value != most.value;
    if (!size_differs && !annotations_differ)
        return false;
    const struct deployment_action action = {
        .verb = size_differs ? DEPLOYMENT_SCALE : DEPLOYMENT_ANNOTATE,
        .set = set,
        .from = seen->replicas,
        .to = replicas,
    };
    VEC_PUSH(sync->arena, &sync->decision->actions, action);
    stored->replicas = replicas;
    stored->desired = desired;
    stored->most = most;
    return size_differs;
}

bool sync_scale(struct deployment_sync *sync, uint32_t set, int32_t replicas)
{
    return sync->seen[set].replicas != replicas && sync_write_scale(sync, set, replicas);
}

int32_t sync_new_replicas(const struct deployment_sync *sync, const struct set_list *all,
                          uint32_t new_set)
{
    const int32_t size = sync->seen[new_set].replicas;
    const int64_t total = sync_replicas_sum(sync, all);
    if (total >= sync->decision->surge_limit)
        return size;
    const int64_t room = sync->decision->surge_limit - total;
    const int64_t wanted = sync->deployment.replicas - (int64_t)size;
    return size + (int32_t)(room < wanted ? room : wanted);
}
