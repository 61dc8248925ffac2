/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The taint manager. It sets a timer when NoExecute taints start to apply to a
 * pod, because the pod or the taints are new. It keeps the timer while the
 * taints change, as long as the pod tolerates some of them only for a limited
 * time. It ignores other taints, and the deletion of the node does not stop the
 * timer.
 */
#include "decide/controller/taint_manager.h"
#include "recording/follow_internal.h"

#include <math.h>
#include <string.h>

/* Timers fire a little early by the clock of a recorder that runs late. */
#define TIMER_SLACK_SECONDS 0.5

struct timer {
    const struct pod *pod;
    uint32_t taints; /* NoExecute ones that the pod faces at the end */
    double trigger;  /* INFINITY: none is set */
};

static void face(struct follower *follower, const struct node *node, double time,
                 struct timer *timer)
{
    const struct node_spec *spec = &node->spec;
    const struct pod_spec *pod = &timer->pod->spec;
    struct taint *taints = ARENA_ARRAY(&follower->scratch, struct taint, spec->taint_count + 1);
    timer->taints = 0;
    for (uint32_t i = 0; i < spec->taint_count; i++)
        if (spec->taints[i].effect == TAINT_NO_EXECUTE)
            taints[timer->taints++] = spec->taints[i];
    const int64_t seconds = taint_manager_tolerated_seconds(taints, timer->taints, pod->tolerations,
                                                            pod->toleration_count);
    if (timer->taints == 0 || seconds == TOLERATED_FOREVER)
        timer->trigger = INFINITY;
    else if (seconds == NOT_TOLERATED)
        timer->trigger = fmin(timer->trigger, time);
    else if (isinf(timer->trigger))
        timer->trigger = time + (double)(seconds > 0 ? seconds : 0);
}

/* The pod's timer, after what the view shows. */
static bool find_timer(struct follower *follower, const struct deed *deed,
                       const struct glimpse *glimpse, struct timer *timer)
{
    const struct object *object = glimpse_find(glimpse, OBJECT_POD, deed->name);
    const char *name = object ? object->as.pod->spec.node_name : NULL;
    const struct thing *place =
        name ? recording_find(follower->recording, "Node", NULL, name) : NULL;
    const struct thing *thing =
        recording_find(follower->recording, "Pod", follower->namespace, deed->name);
    const int64_t seen = outlook_rv(&glimpse->outlook, "Node");
    const struct version *bound =
        thing ? thing_at(thing, outlook_rv(&glimpse->outlook, "Pod")) : NULL;
    if (!place || !bound)
        return false;
    while (bound > thing->versions.items && !bound[-1].gone &&
           value_find_string(bound[-1].line, "nodeName"))
        bound--;
    *timer = (struct timer){.pod = object->as.pod, .trigger = INFINITY};
    for (uint32_t i = 0; i < place->versions.count; i++) {
        struct version *version = &place->versions.items[i];
        const bool last = i + 1 == place->versions.count || version[1].rv > bound->rv;
        if (version->gone || version->rv > seen || (version->rv < bound->rv && !last))
            continue;
        const struct object *node = restore_object(&follower->restorer, version);
        if (!node)
            return false;
        face(follower, node->as.node, version->time > bound->time ? version->time : bound->time,
             timer);
    }
    return true;
}

bool rule_taint_evict(struct follower *follower, const struct deed *deed, struct glimpse *glimpse)
{
    struct timer timer;
    if (!find_timer(follower, deed, glimpse, &timer)) {
        if (follower->would.length == 0)
            text_printf(&follower->would, "the taint manager deletes pods on nodes, %s is on none",
                        deed->name);
        return false;
    }
    if (follower->would.length == 0 && isinf(timer.trigger))
        text_printf(&follower->would, "%s faces %u NoExecute taints on %s, and tolerates them",
                    deed->name, timer.taints, timer.pod->spec.node_name);
    else if (follower->would.length == 0)
        text_printf(&follower->would,
                    "%s faces %u NoExecute taints on %s, and tolerates them for %.1f s more",
                    deed->name, timer.taints, timer.pod->spec.node_name,
                    timer.trigger - deed->time);
    return deed->time + TIMER_SLACK_SECONDS >= timer.trigger;
}
