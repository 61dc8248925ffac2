/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What a pod requests of a node, by the rules of a version.
 *
 * The sum over the containers, or what any init container needs if that is
 * more; what is requested for the pod as a whole instead, where that is given
 * (1.34 on); and the overhead. A sidecar (an init container that restarts
 * always, 1.29 on) runs from its start on: it adds to everything that comes
 * after it. While a pod is resized in place (1.33 on), a container counts with
 * the most of what it shall have, has, and was promised.
 *
 * Mirrors k8s.io/component-helpers/resource/helpers.go @ v1.36.4, and its
 * predecessors in pkg/api/v1/resource and pkg/scheduler.
 */
#ifndef FATHOM_DECIDE_POD_REQUESTS_H
#define FATHOM_DECIDE_POD_REQUESTS_H

#include "decide/features.h"
#include "object/pod.h"

/* What is asked of a pod's requests. */
enum requests_kind {
    REQUESTS_ASKED,     /* what a node must have free for it */
    REQUESTS_HELD,      /* what it takes of a node that it is on: a resize counts */
    REQUESTS_HELD_MOST, /* the same with 100m and 200 MiB for a container without a request */
    REQUESTS_SCORED, /* what it would take, for scores that count a container without a request as
                        these, too; those do not look at requests of the pod as a whole */
};

/* Of one resource; false if nothing of the pod mentions it, and the quantity is 0 then. */
bool pod_request(const struct features *features, const struct pod *pod, const char *name,
                 enum requests_kind kind, struct quantity *quantity);

/* What is requested for the pod as a whole, as it is given or as the API server fills it in; false
 * if that is nothing. */
bool pod_own_request(const struct features *features, const struct pod *pod, const char *name,
                     struct quantity *quantity);

/* Shows each resource that the pod may request, perhaps several times, and perhaps more. */
void pod_request_names(const struct pod *pod, void (*visit)(void *context, const char *name),
                       void *context);

/* Are there requests for the pod as a whole, given or filled in? Their resources
 * count instead of the containers' (1.34 on). */
bool pod_has_own_requests(const struct features *features, const struct pod *pod);

/* Does a container run beside those that come after it? */
bool container_is_sidecar(const struct features *features, const struct container *container);

/* An init container with restartPolicy Always. */
bool container_restarts_always(const struct container *container);

#endif
