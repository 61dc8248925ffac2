/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Is the model at rest in the last state of a recording, too? Then the recorded
 * state is a settled state that the model reaches: every recorded step was one
 * of the model, and no step is left.
 */
#include "decide/claim.h"
#include "decide/controller/taint_manager.h"
#include "object/workload.h"
#include "recording/follow_internal.h"
#include "recording/follow_questions.h"

#include <string.h>

/* The scheduler tries again within this time after something has changed. */
#define BACKOFF_SECONDS 11.0
/* The Job controller waits longer after each failure, up to six minutes. */
#define JOB_BACKOFF_SECONDS 360.0

/* An object at the end of a recording. */
enum rest {
    REST_DONE,
    REST_WAITS, /* there is something to do, but it may not be due yet */
    REST_GOES_ON,
};

static bool is_settled(const struct recording *recording)
{
    for (uint32_t i = recording->deeds.count; i > 0; i--)
        if (strcmp(recording->deeds.items[i - 1].name, "end settled") == 0)
            return true;
    return false;
}

static bool node_works(const struct glimpse *glimpse, const char *name)
{
    const struct object *node = name ? glimpse_find(glimpse, OBJECT_NODE, name) : NULL;
    const struct condition *ready =
        node ? conditions_find(&node->as.node->status.conditions, "Ready") : NULL;
    return ready && strcmp(ready->status, "True") == 0;
}

/* How long nothing has happened to objects of these kinds. */
static double quiet_for(const struct recording *recording, const char *kind, const char *other,
                        double now)
{
    double last = 0;
    for (uint32_t i = 0; i < recording->order.count; i++) {
        const struct version *version = recording->order.items[i];
        if ((strcmp(version->thing->kind, kind) == 0 || strcmp(version->thing->kind, other) == 0) &&
            version->time > last)
            last = version->time;
    }
    return now - last;
}

/* Does the kubelet or the scheduler still have something to do for this pod? */
static enum rest pod_rests(struct follower *follower, const struct glimpse *glimpse,
                           const struct pod *pod)
{
    const char *node = pod->spec.node_name;
    const struct condition *scheduled = conditions_find(&pod->status.conditions, "PodScheduled");
    if (pod->status.phase == POD_SUCCEEDED || pod->status.phase == POD_FAILED)
        return REST_DONE;
    if (pod->meta.deletion_time != TIME_NONE)
        return node_works(glimpse, node) && pod->meta.finalizers.count == 0 ? REST_GOES_ON
                                                                            : REST_DONE;
    if (node)
        return REST_DONE;
    const struct value *decision =
        follower_decide(follower, &decider_scheduler, glimpse, pod->meta.name);
    const struct value *best = value_find(decision, "best");
    if (!best || best->count == 0)
        return REST_DONE;
    return scheduled && strcmp(scheduled->status, "False") == 0 &&
                   quiet_for(follower->recording, "Pod", "Node", glimpse->now) < BACKOFF_SECONDS
               ? REST_WAITS
               : REST_GOES_ON;
}

static bool has_items(const struct value *list)
{
    return list && list->kind == VALUE_SEQUENCE && list->count > 0;
}

static enum rest rest_unless(bool busy)
{
    return busy ? REST_GOES_ON : REST_DONE;
}

static enum rest set_rests(struct follower *follower, const struct glimpse *glimpse,
                           const struct object *object)
{
    const char *name = object->meta->name;
    const struct value *decision = NULL;
    int64_t created = 0;
    int64_t removed = 0;
    switch (object->kind) {
    case OBJECT_DEPLOYMENT:
        decision =
            value_find(follower_decide(follower, &decider_deployment, glimpse, name), "actions");
        return rest_unless(decision && decision->count > 0);
    case OBJECT_STATEFUL_SET:
        decision =
            value_find(follower_decide(follower, &decider_statefulset, glimpse, name), "actions");
        return rest_unless(decision && decision->count > 0);
    case OBJECT_REPLICA_SET:
        decision = follower_decide(follower, &decider_replicaset, glimpse, name);
        value_read_integer(value_find(decision, "created"), &created);
        value_read_integer(value_find(decision, "deletedCount"), &removed);
        return rest_unless(created > 0 || removed > 0);
    case OBJECT_DAEMON_SET:
        decision = follower_decide(follower, &decider_daemonset, glimpse, name);
        return rest_unless(has_items(value_find(decision, "createOn")) ||
                           has_items(value_find(decision, "delete")));
    case OBJECT_JOB:
        decision = follower_decide(follower, &decider_job, glimpse, name);
        value_read_integer(value_find(decision, "created"), &created);
        if (created > 0 && object->as.job->status.failed > 0 &&
            quiet_for(follower->recording, "Pod", "Job", glimpse->now) < JOB_BACKOFF_SECONDS)
            return REST_WAITS;
        return rest_unless(created > 0);
    default: return REST_DONE;
    }
}

/* Quotas hold creations back, and are not modelled. */
static bool has_quota(const struct glimpse *glimpse)
{
    for (uint32_t i = 0; i < glimpse->objects.count; i++)
        if (glimpse->objects.items[i].kind == OBJECT_RESOURCE_QUOTA)
            return true;
    return false;
}

enum follow_end follow_end(struct follower *follower, const char **restless)
{
    const struct recording *recording = follower->recording;
    if (!is_settled(recording) || recording->order.count == 0)
        return FOLLOW_END_BUSY;
    const struct version *last = recording->order.items[recording->order.count - 1];
    const double now = recording->deeds.items[recording->deeds.count - 1].time;
    const struct outlook end = {.rv = last->rv};
    struct glimpse glimpse;
    if (!glimpse_at(follower, &end, now, NULL, &glimpse) || has_quota(&glimpse))
        return FOLLOW_END_BUSY;
    bool waits = false;
    for (uint32_t i = 0; i < glimpse.objects.count; i++) {
        const struct object *object = &glimpse.objects.items[i];
        follower->namespace = object->meta->namespace ? object->meta->namespace : "";
        const enum rest rest = object->kind == OBJECT_POD
                                   ? pod_rests(follower, &glimpse, object->as.pod)
                                   : set_rests(follower, &glimpse, object);
        waits = waits || rest == REST_WAITS;
        if (rest != REST_GOES_ON)
            continue;
        *restless = arena_printf(recording->arena, "%s/%s", object->kind_name, object->meta->name);
        return FOLLOW_END_RESTLESS;
    }
    return waits ? FOLLOW_END_BUSY : FOLLOW_END_RESTS;
}
