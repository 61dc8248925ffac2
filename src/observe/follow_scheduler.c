/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The scheduler. It knows its own decisions before they are committed: binding
 * is asynchronous, so that a decision may rest on binds that come later in the
 * order of commits. Subsets of those are tried as foresight. And what it knows
 * of pods that wait and of pods on nodes comes to it on two ways: the pod at
 * hand may be newer than the rest of its view.
 */
#include "observe/follow_internal.h"

#include <string.h>

/* Binds in flight at one time that are looked at; the more, the more subsets. */
enum { IN_FLIGHT_MOST = 6 };
#define IN_FLIGHT_SECONDS 1.0

/* The version in which the deed's bind shows. */
static struct version *bound_version(const struct follower *follower, const struct deed *deed)
{
    struct thing *thing = recording_find(follower->recording, "Pod", deed->namespace, deed->name);
    for (uint32_t i = 0; thing && i < thing->versions.count; i++)
        if (thing->versions.items[i].rv == deed->rv)
            return &thing->versions.items[i];
    return NULL;
}

/* Binds that are committed soon after the deed, of pods that are there already. */
static uint32_t in_flight(const struct follower *follower, const struct deed *deed,
                          struct version **versions)
{
    const struct recording *recording = follower->recording;
    const struct deed *end = recording->deeds.items + recording->deeds.count;
    uint32_t count = 0;
    for (const struct deed *later = deed + 1; later < end && count < IN_FLIGHT_MOST; later++) {
        if (later->time > deed->time + IN_FLIGHT_SECONDS)
            break;
        if (later->rv < 0 || strcmp(later->actor, "scheduler") != 0 ||
            strcmp(later->action, "bind") != 0)
            continue;
        struct version *version = bound_version(follower, later);
        if (version && thing_at(version->thing, deed->rv))
            versions[count++] = version;
    }
    return count;
}

static const struct value *decide_pod(struct follower *follower, const struct glimpse *glimpse,
                                      const char *pod)
{
    return follower_decide(follower, &decider_scheduler, glimpse, pod);
}

static void tell_best(struct follower *follower, const char *pod, const struct value *decision)
{
    const struct value *best = value_find(decision, "best");
    if (follower->would.length > 0)
        return;
    text_printf(&follower->would, "the scheduler would bind %s to", pod);
    if (!best || best->count == 0)
        text_append_string(&follower->would, " no node");
    for (uint32_t i = 0; best && i < best->count; i++)
        text_printf(&follower->would, "%s %s", i ? " or" : "", best->items[i].text);
}

/* With every subset of what is in flight, the empty one first. */
static bool try_subsets(struct follower *follower, const struct deed *deed,
                        const struct glimpse *glimpse,
                        bool (*accept)(struct follower *follower, const struct deed *deed,
                                       const struct glimpse *glimpse))
{
    struct version *versions[IN_FLIGHT_MOST];
    const uint32_t count = in_flight(follower, deed, versions);
    const struct thing *pod =
        recording_find(follower->recording, "Pod", deed->namespace, deed->name);
    struct version *newest = pod ? thing_at(pod, deed->rv - 1) : NULL;
    for (uint32_t subset = 0; subset < 1U << count; subset++) {
        struct version *chosen[IN_FLIGHT_MOST + 1];
        struct foresight foresight = {chosen, 0};
        if (newest && newest->rv > glimpse->rv)
            chosen[foresight.count++] = newest;
        struct glimpse ahead = *glimpse;
        const struct arena_mark mark = arena_mark(&follower->scratch);
        for (uint32_t i = 0; i < count; i++)
            if (subset >> i & 1)
                chosen[foresight.count++] = versions[i];
        if (foresight.count > 0 &&
            !glimpse_at(follower, glimpse->rv, glimpse->now, &foresight, &ahead))
            return false;
        const bool good = accept(follower, deed, &ahead);
        arena_rewind(&follower->scratch, mark);
        if (good)
            return true;
    }
    return false;
}

static bool accept_bind(struct follower *follower, const struct deed *deed,
                        const struct glimpse *glimpse)
{
    const char *node = value_find_string(deed->line, "node");
    const struct value *decision = decide_pod(follower, glimpse, deed->name);
    tell_best(follower, deed->name, decision);
    return node && list_has(value_find(decision, "best"), node);
}

bool rule_bind(struct follower *follower, const struct deed *deed, struct glimpse *glimpse)
{
    return try_subsets(follower, deed, glimpse, accept_bind);
}

static bool accept_unschedulable(struct follower *follower, const struct deed *deed,
                                 const struct glimpse *glimpse)
{
    const struct value *decision = decide_pod(follower, glimpse, deed->name);
    const struct value *best = value_find(decision, "best");
    tell_best(follower, deed->name, decision);
    return decision && (!best || best->count == 0);
}

/* Of the statuses that the scheduler writes, that a pod fits nowhere. The mark
 * on a victim and a nomination come with the preemption. */
bool rule_unschedulable(struct follower *follower, const struct deed *deed, struct glimpse *glimpse)
{
    const struct value *change = value_find(deed->line, "change");
    const char *reason = value_find_string(change, "schedReason");
    const struct object *pod = glimpse_find(glimpse, OBJECT_POD, deed->name);
    if (!reason || strcmp(reason, "Unschedulable") != 0 || (pod && pod->as.pod->spec.node_name))
        return true;
    return try_subsets(follower, deed, glimpse, accept_unschedulable);
}

static bool is_victim(const struct value *candidate, const char *victim)
{
    const struct value *alternatives = value_find(candidate, "alternatives");
    if (list_has(value_find(candidate, "victims"), victim))
        return true;
    for (uint32_t i = 0; alternatives && i < alternatives->count; i++)
        if (list_has(value_find(&alternatives->items[i], "victims"), victim))
            return true;
    return false;
}

static bool drives_out(const struct value *decision, const char *victim)
{
    const struct value *preemption = value_find(decision, "preemption");
    const struct value *ties = value_find(preemption, "ties");
    const struct value *candidates = value_find(preemption, "candidates");
    for (uint32_t i = 0; ties && i < ties->count; i++)
        if (is_victim(value_find(candidates, ties->items[i].text), victim))
            return true;
    return false;
}

static bool accept_preemption(struct follower *follower, const struct deed *deed,
                              const struct glimpse *glimpse)
{
    const char *victim = arena_printf(&follower->scratch, "%s/%s", deed->namespace, deed->name);
    for (uint32_t i = 0; i < glimpse->objects.count; i++) {
        const struct object *object = &glimpse->objects.items[i];
        if (object->kind != OBJECT_POD || object->as.pod->spec.node_name ||
            !pod_is_active(object->as.pod))
            continue;
        follower->namespace = object->meta->namespace;
        const struct value *decision = decide_pod(follower, glimpse, object->meta->name);
        follower->namespace = deed->namespace;
        if (drives_out(decision, victim))
            return true;
    }
    if (follower->would.length == 0)
        text_printf(&follower->would, "the scheduler would preempt %s for no pod that waits",
                    deed->name);
    return false;
}

bool rule_preempt(struct follower *follower, const struct deed *deed, struct glimpse *glimpse)
{
    return try_subsets(follower, deed, glimpse, accept_preemption);
}
