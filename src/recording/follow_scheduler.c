/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The scheduler. It knows its own decisions before they are committed: binding
 * is asynchronous, so a decision may depend on binds that are committed later.
 * Subsets of these are tried as foresight. Pending pods and assigned pods reach
 * the scheduler by different caches, so the pod that is scheduled may be newer
 * than the rest of the view.
 */
#include "recording/follow_internal.h"
#include "recording/follow_questions.h"

#include <string.h>

/* Binds in flight at one time that are looked at. */
enum { IN_FLIGHT_MOST = 16, IN_FLIGHT_ALL_SUBSETS = 6 };
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

/* A bind that was refused is in no version, but the scheduler assumed it until
 * it got the answer. */
static struct version *assumed_version(struct follower *follower, const struct deed *deed,
                                       int64_t rv)
{
    const struct thing *thing =
        recording_find(follower->recording, "Pod", deed->namespace, deed->name);
    struct version *version = thing ? thing_at(thing, rv) : NULL;
    const char *node = value_find_string(deed->line, "node");
    const struct object *object = version ? restore_object(&follower->restorer, version) : NULL;
    if (!object || !node || object->as.pod->spec.node_name)
        return NULL;
    struct version *assumed = arena_copy(&follower->scratch, version, sizeof(*version));
    struct pod *pod = arena_copy(&follower->scratch, object->as.pod, sizeof(*object->as.pod));
    pod->spec.node_name = node;
    assumed->object.as.pod = pod;
    assumed->object.meta = &pod->meta;
    return assumed;
}

struct flight {
    uint32_t count;
    uint32_t guess; /* those that came to the scheduler before the pod at hand */
    struct version *versions[IN_FLIGHT_MOST];
};

/* Binds of pods that are there already and that are committed soon after the
 * deed, or refused about then. */
static void find_flight(struct follower *follower, const struct deed *deed, struct flight *flight)
{
    const struct recording *recording = follower->recording;
    const struct deed *end = recording->deeds.items + recording->deeds.count;
    const struct thing *own = recording_find(recording, "Pod", deed->namespace, deed->name);
    const struct deed *other = deed;
    *flight = (struct flight){0};
    while (other > recording->deeds.items && other[-1].time > deed->time - IN_FLIGHT_SECONDS)
        other--;
    for (; other < end && flight->count < IN_FLIGHT_MOST; other++) {
        if (other > deed && other->time > deed->time + IN_FLIGHT_SECONDS)
            break;
        const bool refused = other->rv < 0 || other->code;
        if (other == deed || (other < deed && !refused) || strcmp(other->actor, "scheduler") != 0 ||
            strcmp(other->action, "bind") != 0)
            continue;
        struct version *version =
            refused ? assumed_version(follower, other, deed->rv) : bound_version(follower, other);
        if (!version || version->thing == own || !thing_at(version->thing, deed->rv))
            continue;
        if (own && version->thing->versions.items[0].rv < own->versions.items[0].rv)
            flight->guess |= 1U << flight->count;
        flight->versions[flight->count++] = version;
    }
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

typedef bool (*accept_view)(struct follower *follower, const struct deed *deed,
                            const struct glimpse *glimpse);

struct departure {
    const struct deed *deed;
    const struct glimpse *glimpse;
    struct version *newest; /* of the pod at hand, where the view is older; or NULL */
    struct flight flight;
    accept_view accept;
};

static bool try_subset(struct follower *follower, const struct departure *departure,
                       uint32_t subset)
{
    struct version *chosen[IN_FLIGHT_MOST + 1];
    struct foresight foresight = {chosen, 0};
    struct glimpse ahead = *departure->glimpse;
    const struct arena_mark mark = arena_mark(&follower->scratch);
    if (departure->newest)
        chosen[foresight.count++] = departure->newest;
    for (uint32_t i = 0; i < departure->flight.count; i++)
        if (subset >> i & 1)
            chosen[foresight.count++] = departure->flight.versions[i];
    const bool shown =
        foresight.count == 0 ||
        (view_spend(follower) && glimpse_at(follower, &departure->glimpse->outlook,
                                            departure->glimpse->now, &foresight, &ahead));
    const bool good = shown && departure->accept(follower, departure->deed, &ahead);
    arena_rewind(&follower->scratch, mark);
    return good;
}

/* With every subset of what is in flight if there are few; otherwise with those
 * that are likely: what came before the pod, what is committed next, one or two
 * more or less. */
static bool try_subsets(struct follower *follower, const struct deed *deed,
                        const struct glimpse *glimpse, accept_view accept)
{
    struct departure departure = {.deed = deed, .glimpse = glimpse, .accept = accept};
    const struct thing *pod =
        recording_find(follower->recording, "Pod", deed->namespace, deed->name);
    struct version *newest = pod ? thing_at(pod, deed->rv - 1) : NULL;
    if (newest && newest->rv > outlook_rv(&glimpse->outlook, "Pod"))
        departure.newest = newest;
    find_flight(follower, deed, &departure.flight);
    const uint32_t count = departure.flight.count;
    const uint32_t guess = departure.flight.guess;
    if (try_subset(follower, &departure, 0) || (guess && try_subset(follower, &departure, guess)))
        return true;
    if (count <= IN_FLIGHT_ALL_SUBSETS) {
        for (uint32_t subset = 1; subset < 1U << count; subset++)
            if (subset != guess && try_subset(follower, &departure, subset))
                return true;
        return false;
    }
    for (uint32_t first = 1; first <= count; first++)
        if (try_subset(follower, &departure, (1U << first) - 1))
            return true;
    for (uint32_t i = 0; i < count; i++)
        for (uint32_t j = i; j < count; j++) {
            const uint32_t pair = 1U << i | 1U << j;
            if (try_subset(follower, &departure, pair) ||
                try_subset(follower, &departure, guess ^ pair))
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
