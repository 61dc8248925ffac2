/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Is the end of a recording a rest of the model, too? Then what was seen to
 * settle is a settled state that the model reaches: every step on the way
 * there was one of its own, and none is left.
 */
#include "model/claim.h"
#include "model/controller/taint_manager.h"
#include "object/workload.h"
#include "observe/follow_internal.h"

#include <string.h>

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

/* A pod that its kubelet, or the taint manager, is not done with. */
static bool pod_rests(struct follower *follower, const struct glimpse *glimpse,
                      const struct pod *pod)
{
    const char *node = pod->spec.node_name;
    if (pod->status.phase == POD_SUCCEEDED || pod->status.phase == POD_FAILED)
        return true;
    if (pod->meta.deletion_time != TIME_NONE)
        return !node_works(glimpse, node);
    if (node)
        return true;
    const struct value *decision =
        follower_decide(follower, &decider_scheduler, glimpse, pod->meta.name);
    const struct value *best = value_find(decision, "best");
    return !best || best->count == 0;
}

static bool set_rests(struct follower *follower, const struct glimpse *glimpse,
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
        return !decision || decision->count == 0;
    case OBJECT_STATEFUL_SET:
        decision =
            value_find(follower_decide(follower, &decider_statefulset, glimpse, name), "actions");
        return !decision || decision->count == 0;
    case OBJECT_REPLICA_SET:
        decision = follower_decide(follower, &decider_replicaset, glimpse, name);
        value_read_integer(value_find(decision, "created"), &created);
        value_read_integer(value_find(decision, "deletedCount"), &removed);
        return created == 0 && removed == 0;
    case OBJECT_DAEMON_SET:
        decision = follower_decide(follower, &decider_daemonset, glimpse, name);
        return value_find(decision, "createOn")->count == 0 &&
               value_find(decision, "delete")->count == 0;
    case OBJECT_JOB:
        decision = follower_decide(follower, &decider_job, glimpse, name);
        value_read_integer(value_find(decision, "created"), &created);
        return created == 0;
    default: return true;
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
    struct glimpse glimpse;
    if (!glimpse_at(follower, last->rv, now, NULL, &glimpse) || has_quota(&glimpse))
        return FOLLOW_END_BUSY;
    for (uint32_t i = 0; i < glimpse.objects.count; i++) {
        const struct object *object = &glimpse.objects.items[i];
        follower->namespace = object->meta->namespace ? object->meta->namespace : "";
        const bool rests = object->kind == OBJECT_POD
                               ? pod_rests(follower, &glimpse, object->as.pod)
                               : set_rests(follower, &glimpse, object);
        if (rests)
            continue;
        *restless = arena_printf(recording->arena, "%s/%s", object->kind_name, object->meta->name);
        return FOLLOW_END_RESTLESS;
    }
    return FOLLOW_END_RESTS;
}
