/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The scheduler. It knows its own decisions before they are committed: binding
 * is asynchronous, so a decision may depend on binds that are committed later.
 * Subsets of these are tried as foresight. Pending pods and assigned pods reach
 * the scheduler by different caches, so the pod that is scheduled may be newer
 * than the rest of the view.
 */
#include "recording/follow_scheduler.h"

#include "recording/follow_questions.h"

#include <string.h>

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

/* Binds of pods that are there already and that are committed soon after the
 * deed, or refused about then; but for that of the pod at hand. */
static void find_flight(struct follower *follower, const struct deed *deed, const struct thing *own,
                        struct flight *flight)
{
    const struct recording *recording = follower->recording;
    const struct deed *end = recording->deeds.items + recording->deeds.count;
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

const struct value *follower_schedule(struct follower *follower, const struct glimpse *glimpse,
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
    const bool good = shown && departure->accept(follower, departure, &ahead);
    arena_rewind(&follower->scratch, mark);
    return good;
}

bool follower_tries(struct follower *follower, const struct deed *deed, const struct thing *pod,
                    const struct glimpse *glimpse, accept_view accept)
{
    struct departure departure = {.deed = deed, .pod = pod, .glimpse = glimpse, .accept = accept};
    struct version *newest = pod ? thing_at(pod, deed->rv - 1) : NULL;
    if (newest && newest->rv > outlook_rv(&glimpse->outlook, "Pod"))
        departure.newest = newest;
    find_flight(follower, deed, pod, &departure.flight);
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

static const struct thing *pod_of_deed(const struct follower *follower, const struct deed *deed)
{
    return recording_find(follower->recording, "Pod", deed->namespace, deed->name);
}

static bool accept_bind(struct follower *follower, const struct departure *departure,
                        const struct glimpse *glimpse)
{
    const struct deed *deed = departure->deed;
    const char *node = value_find_string(deed->line, "node");
    const struct value *decision = follower_schedule(follower, glimpse, deed->name);
    tell_best(follower, deed->name, decision);
    return node && list_has(value_find(decision, "best"), node);
}

bool rule_bind(struct follower *follower, const struct deed *deed, struct glimpse *glimpse)
{
    return follower_tries(follower, deed, pod_of_deed(follower, deed), glimpse, accept_bind);
}

static bool accept_unschedulable(struct follower *follower, const struct departure *departure,
                                 const struct glimpse *glimpse)
{
    const struct value *decision = follower_schedule(follower, glimpse, departure->deed->name);
    const struct value *best = value_find(decision, "best");
    tell_best(follower, departure->deed->name, decision);
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
    return follower_tries(follower, deed, pod_of_deed(follower, deed), glimpse,
                          accept_unschedulable);
}
