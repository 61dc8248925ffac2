/* SPDX-License-Identifier: Apache-2.0 */
/* Mirrors updateStatefulSet in pkg/controller/statefulset/
 * stateful_set_control.go @ v1.26.15, and later rules where the facts say so. */
#include "decide/controller/stateful_set/stateful_set_controller.h"

struct sync {
    struct arena *arena;
    const struct stateful_set_facts *facts;
    struct stateful_set_decision *decision;
    struct stateful_pod *wanted; /* ordinals start .. start + replicas */
    struct stateful_pod *surplus;
    uint32_t surplus_count;
    int32_t first_unhealthy; /* ordinal; INT32_MAX: all are healthy */
};

/* From 1.34 on, a pod that is not available yet is not healthy. */
static bool healthy(const struct stateful_set_facts *facts, const struct stateful_pod *pod)
{
    const bool good = facts->features->stateful_waits_available ? pod->available : pod->ready;
    return good && !pod->terminating;
}

/* Below the partition the old revision is kept. */
static struct stateful_pod new_pod(const struct stateful_set_facts *facts, int32_t ordinal)
{
    const bool old = !facts->on_delete && ordinal < facts->start_ordinal + facts->partition;
    return (struct stateful_pod){
        .ordinal = ordinal,
        .current_revision = old || facts->same_revision,
        .update_revision = !old || facts->same_revision,
    };
}

static void see_unhealthy(struct sync *sync, const struct stateful_pod *pod)
{
    if (!healthy(sync->facts, pod) && pod->ordinal < sync->first_unhealthy)
        sync->first_unhealthy = pod->ordinal;
}

/* The status counts the pods that existed when the sync began: a pod that was
 * just created does not count yet, and one that was just deleted still counts,
 * unless it had failed. */
static void count(struct stateful_set_decision *decision, const struct stateful_pod *pod)
{
    decision->replicas += pod->created;
    decision->ready += pod->ready;
    decision->available += pod->ready && pod->available;
    if (pod->created && !pod->terminating) {
        decision->current += pod->current_revision;
        decision->updated += pod->update_revision;
    }
}

static void sort_out(struct sync *sync)
{
    const struct stateful_set_facts *facts = sync->facts;
    const uint32_t replicas = (uint32_t)facts->replicas;
    sync->wanted = ARENA_ARRAY(sync->arena, struct stateful_pod, replicas + 1);
    sync->surplus = ARENA_ARRAY(sync->arena, struct stateful_pod, facts->pod_count + 1);
    for (uint32_t i = 0; i < replicas; i++)
        sync->wanted[i] = new_pod(facts, facts->start_ordinal + (int32_t)i);
    for (uint32_t i = 0; i < facts->pod_count; i++) {
        const struct stateful_pod *pod = &facts->pods[i];
        const int64_t index = (int64_t)pod->ordinal - facts->start_ordinal;
        if (index >= 0 && index < facts->replicas)
            sync->wanted[index] = *pod;
        else
            sync->surplus[sync->surplus_count++] = *pod;
    }
    for (uint32_t i = 0; i < replicas; i++)
        see_unhealthy(sync, &sync->wanted[i]);
    for (uint32_t i = 0; i < sync->surplus_count; i++)
        see_unhealthy(sync, &sync->surplus[i]);
}

static void act(struct sync *sync, enum stateful_verb verb, const struct stateful_pod *pod)
{
    const struct stateful_action action = {verb, pod->ordinal, pod->update_revision};
    VEC_PUSH(sync->arena, &sync->decision->actions, action);
}

static bool wait_for(struct sync *sync, enum stateful_wait wait, const struct stateful_pod *pod)
{
    sync->decision->wait = wait;
    sync->decision->wait_ordinal = pod->ordinal;
    return true;
}

/* One pod that should be there. True: the sync ends here. */
static bool process_wanted(struct sync *sync, struct stateful_pod *pod)
{
    const bool ordered = !sync->facts->parallel;
    if (pod->failed || (pod->succeeded && sync->facts->features->stateful_succeeded_ends)) {
        if (!pod->terminating || !sync->facts->features->stateful_recreates_later)
            act(sync, STATEFUL_DELETE, pod);
        if (sync->facts->features->stateful_recreates_later)
            return ordered && wait_for(sync, STATEFUL_WAITS_GONE, pod);
        *pod = new_pod(sync->facts, pod->ordinal);
    }
    if (!pod->created) {
        act(sync, STATEFUL_CREATE, pod);
        return ordered && wait_for(sync, STATEFUL_CREATED_ONE, pod);
    }
    if (!ordered)
        return false;
    if (pod->terminating)
        return wait_for(sync, STATEFUL_WAITS_TERMINATING, pod);
    if (!pod->ready)
        return wait_for(sync, STATEFUL_WAITS_READY, pod);
    return !pod->available && wait_for(sync, STATEFUL_WAITS_AVAILABLE, pod);
}

/* One pod that should not be there any more. */
static bool process_surplus(struct sync *sync, const struct stateful_pod *pod)
{
    const bool ordered = !sync->facts->parallel;
    if (pod->terminating)
        return ordered && wait_for(sync, STATEFUL_WAITS_TERMINATING, pod);
    /* An unhealthy surplus pod is deleted only if it is the first unhealthy pod. */
    const bool blocked = ordered && pod->ordinal != sync->first_unhealthy;
    if (blocked && !pod->ready)
        return wait_for(sync, STATEFUL_WAITS_READY, pod);
    if (blocked && !pod->available)
        return wait_for(sync, STATEFUL_WAITS_AVAILABLE, pod);
    act(sync, STATEFUL_DELETE, pod);
    return ordered && wait_for(sync, STATEFUL_DELETED_ONE, pod);
}

/* From the highest ordinal down to the partition, one pod a sync. */
static void update(struct sync *sync)
{
    for (int32_t i = sync->facts->replicas - 1; i >= sync->facts->partition; i--) {
        const struct stateful_pod *pod = &sync->wanted[i];
        if (!pod->update_revision && !pod->terminating) {
            act(sync, STATEFUL_DELETE, pod);
            sync->decision->current--;
            wait_for(sync, STATEFUL_DELETED_ONE, pod);
            return;
        }
        if (!healthy(sync->facts, pod)) {
            wait_for(sync, STATEFUL_WAITS_UPDATED, pod);
            return;
        }
    }
}

/* With maxUnavailable: deletes as many pods as may still become unavailable. */
static void update_several(struct sync *sync)
{
    int32_t room = sync->facts->max_unavailable;
    for (int32_t i = 0; i < sync->facts->replicas; i++)
        room -= !healthy(sync->facts, &sync->wanted[i]);
    for (int32_t i = sync->facts->replicas - 1; i >= sync->facts->partition; i--) {
        const struct stateful_pod *pod = &sync->wanted[i];
        if (pod->update_revision || pod->terminating)
            continue;
        if (room <= 0) {
            wait_for(sync, STATEFUL_WAITS_LIMIT, pod);
            return;
        }
        act(sync, STATEFUL_DELETE, pod);
        sync->decision->current--;
        room--;
    }
}

static bool update_complete(const struct stateful_set_facts *facts,
                            const struct stateful_set_decision *decision)
{
    const int32_t whole =
        facts->features->stateful_all_updated ? facts->replicas : decision->replicas;
    return !facts->on_delete && decision->updated == whole && decision->ready == whole &&
           decision->replicas == whole;
}

/* False: the sync ends before it considers updates. */
static bool bring_to_size(struct sync *sync)
{
    if (sync->facts->terminating)
        return false;
    for (int32_t i = 0; i < sync->facts->replicas; i++)
        if (process_wanted(sync, &sync->wanted[i]))
            return false;
    for (uint32_t i = sync->surplus_count; i > 0; i--)
        if (process_surplus(sync, &sync->surplus[i - 1]))
            return false;
    return true;
}

struct stateful_set_decision *stateful_set_sync(struct arena *arena,
                                                const struct stateful_set_facts *facts)
{
    struct stateful_set_decision *decision = ARENA_NEW(arena, struct stateful_set_decision);
    struct sync sync = {
        .arena = arena, .facts = facts, .decision = decision, .first_unhealthy = INT32_MAX};
    sort_out(&sync);
    const bool sized = bring_to_size(&sync);
    for (int32_t i = 0; i < facts->replicas; i++)
        count(decision, &sync.wanted[i]);
    for (uint32_t i = 0; i < sync.surplus_count; i++)
        count(decision, &sync.surplus[i]);
    if (sized && !facts->on_delete && facts->max_unavailable > 0)
        update_several(&sync);
    else if (sized && !facts->on_delete)
        update(&sync);
    if (update_complete(facts, decision)) {
        decision->current = decision->updated;
        decision->update_complete = true;
    }
    return decision;
}

/* Rounds down, but never to 0. */
int32_t stateful_set_max_unavailable(const struct features *features,
                                     const struct stateful_set *set, int32_t replicas)
{
    if (!features->stateful_max_unavailable)
        return 0;
    const int64_t most =
        set->max_unavailable.set ? int_or_percent_of(set->max_unavailable, replicas, false) : 1;
    return most < 1 ? 1 : (int32_t)most;
}
