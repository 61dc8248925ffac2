/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Preemption. The deletion of a victim does not say for which pod it was made, so
 * all pods that wait are asked. The scheduler marks its victim before it deletes
 * it, and in 1.26 this wipes the victim's status: what it decided by is the victim
 * as it was before. Of the pod that waits it may know more than of the others.
 */
#include "recording/follow_questions.h"
#include "recording/follow_scheduler.h"

#include <string.h>

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

/* The API server keeps whole seconds of the time at which a pod has started, and
 * victims of equal start are ties. Lines that leave the time out give it by the
 * millisecond, and where a second begins is not known: it begins at `boundary`.
 * False if the view is the same with whole seconds. */
static bool round_starts(struct follower *follower, struct glimpse *glimpse, int64_t boundary)
{
    bool rounded = false;
    for (uint32_t i = 0; i < glimpse->objects.count; i++) {
        struct object *object = &glimpse->objects.items[i];
        if (object->kind != OBJECT_POD || object->as.pod->status.start_time == TIME_NONE)
            continue;
        const int64_t since = object->as.pod->status.start_time - boundary;
        const int64_t rest =
            (since % NANOSECONDS_PER_SECOND + NANOSECONDS_PER_SECOND) % NANOSECONDS_PER_SECOND;
        if (rest == 0)
            continue;
        struct pod *pod = arena_copy(&follower->scratch, object->as.pod, sizeof(*object->as.pod));
        pod->status.start_time -= rest;
        object->as.pod = pod;
        object->meta = &pod->meta;
        rounded = true;
    }
    return rounded;
}

static bool preempts(struct follower *follower, const struct departure *departure,
                     const struct glimpse *glimpse)
{
    const struct deed *deed = departure->deed;
    const char *victim = arena_printf(&follower->scratch, "%s/%s", deed->namespace, deed->name);
    follower->namespace = departure->pod->namespace;
    const struct value *decision = follower_schedule(follower, glimpse, departure->pod->name);
    follower->namespace = deed->namespace;
    return drives_out(decision, victim);
}

/* The view with its own copies of objects, so that they can be changed. */
static struct glimpse copy_view(struct follower *follower, const struct glimpse *glimpse)
{
    struct glimpse copy = *glimpse;
    copy.objects = (struct objects){0};
    for (uint32_t i = 0; i < glimpse->objects.count; i++)
        objects_put(&follower->scratch, &copy.objects, &glimpse->objects.items[i]);
    return copy;
}

static bool accept_preemption(struct follower *follower, const struct departure *departure,
                              const struct glimpse *glimpse)
{
    bool whole = true;
    for (uint32_t i = 0; i < glimpse->objects.count; i++) {
        const struct object *object = &glimpse->objects.items[i];
        if (object->kind != OBJECT_POD || object->as.pod->status.start_time == TIME_NONE)
            continue;
        const struct arena_mark mark = arena_mark(&follower->scratch);
        struct glimpse rounded = copy_view(follower, glimpse);
        const bool changed = round_starts(follower, &rounded, object->as.pod->status.start_time);
        const bool good = changed && preempts(follower, departure, &rounded);
        whole &= !changed;
        arena_rewind(&follower->scratch, mark);
        if (good)
            return true;
    }
    return whole && preempts(follower, departure, glimpse);
}

/* May the scheduler have had this pod at hand? */
static bool waits(const struct deed *deed, const struct thing *thing)
{
    const struct version *newest =
        strcmp(thing->kind, "Pod") == 0 ? thing_at(thing, deed->rv - 1) : NULL;
    return newest && !value_find_string(newest->line, "nodeName");
}

bool rule_preempt(struct follower *follower, const struct deed *deed, struct glimpse *glimpse)
{
    const struct recording *recording = follower->recording;
    for (uint32_t t = 0; t < recording->things.count; t++)
        if (waits(deed, recording->things.items[t]) &&
            follower_tries(follower, deed, recording->things.items[t], glimpse, accept_preemption))
            return true;
    if (follower->would.length == 0)
        text_printf(&follower->would, "the scheduler would preempt %s for no pod that waits",
                    deed->name);
    return false;
}
