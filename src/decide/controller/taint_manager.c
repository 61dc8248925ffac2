/* SPDX-License-Identifier: Apache-2.0 */
/* Follows pkg/controller/nodelifecycle/scheduler/taint_manager.go and
 * timed_workers.go of v1.26 (pkg/controller/tainteviction since 1.29). */
#include "decide/controller/taint_manager.h"

#include "decide/claim.h"

int64_t taint_manager_tolerated_seconds(const struct taint *taints, uint32_t taint_count,
                                        const struct toleration *tolerations,
                                        uint32_t toleration_count)
{
    int64_t least = TOLERATED_FOREVER;
    for (uint32_t i = 0; i < taint_count; i++) {
        const struct toleration *toleration =
            tolerations_find(tolerations, toleration_count, &taints[i]);
        if (!toleration)
            return NOT_TOLERATED;
        if (!toleration->toleration_seconds.set)
            continue;
        const int64_t seconds = toleration->toleration_seconds.value;
        if (seconds < least)
            least = seconds > 0 ? seconds : 0;
    }
    return least;
}

static struct taint_eviction fired(bool forgets)
{
    return (struct taint_eviction){.state = forgets ? TAINT_EVICTION_NONE : TAINT_EVICTION_DONE};
}

/* Schedules an eviction unless there is an entry for the pod already, even one that has fired. */
static void schedule(struct taint_eviction *eviction, bool forgets, int64_t left, bool *evict)
{
    if (eviction->state != TAINT_EVICTION_NONE)
        return;
    *evict = left <= 0;
    *eviction = left <= 0 ? fired(forgets)
                          : (struct taint_eviction){TAINT_EVICTION_SCHEDULED, .left = left};
}

enum taint_manager_rule taint_manager_update(struct taint_eviction *eviction, bool forgets,
                                             uint32_t taint_count, int64_t seconds, bool *evict)
{
    const struct taint_eviction none = {0};
    *evict = false;
    if (taint_count == 0) {
        *eviction = none;
        return TAINT_MANAGER_NO_TAINTS;
    }
    if (seconds == NOT_TOLERATED) {
        *eviction = none;
        schedule(eviction, forgets, 0, evict);
        return TAINT_MANAGER_NOT_TOLERATED;
    }
    if (seconds == TOLERATED_FOREVER) {
        *eviction = none;
        return TAINT_MANAGER_FOREVER;
    }
    if (eviction->state == TAINT_EVICTION_SCHEDULED) {
        if (eviction->age > 0)
            return TAINT_MANAGER_KEPT;
        *eviction = none;
    }
    const bool done = eviction->state == TAINT_EVICTION_DONE;
    schedule(eviction, forgets, duration_of_seconds(seconds), evict);
    return done ? TAINT_MANAGER_ALREADY_DONE : TAINT_MANAGER_SCHEDULED;
}

bool taint_manager_age(struct taint_eviction *eviction, bool forgets, int64_t nanoseconds)
{
    if (eviction->state != TAINT_EVICTION_SCHEDULED)
        return false;
    eviction->left -= nanoseconds;
    eviction->age += nanoseconds;
    if (eviction->left > 0)
        return false;
    *eviction = fired(forgets);
    return true;
}
