/* SPDX-License-Identifier: Apache-2.0 */
/* Requests: the pods that get them through Services, also while they terminate. */
#ifndef FATHOM_CLUSTER_ASK_TRAFFIC_H
#define FATHOM_CLUSTER_ASK_TRAFFIC_H

#include "cluster/forward.h"
#include "object/object.h"

struct service;

struct service_info {
    const struct service *service;
    bool *selects; /* by revision */
};

enum { ENDPOINT_SECONDS = 5 }; /* until an endpoint is removed everywhere */

/* Does the Service select the pod? */
bool service_selects(const struct service *service, const struct object_meta *pod);
/* Does a pod that is told to end serve until its endpoint is removed? */
bool pod_serves_on(const struct pod_spec *spec);
/* Must the kubelet wait with the end of the pod, because its preStop hook sleeps? */
bool kubelet_must_wait(const struct population *population, const struct class_info *info);
/* A pod of the revision was stopped: did proxies still send it requests? */
bool endpoint_stopped(struct worker *worker, const struct state *state, const struct state *next,
                      uint32_t revision);
/* Was it one whose endpoint was removed, and that got requests because no other was left? */
bool endpoint_was_removed(struct worker *worker, const struct state *state,
                          const struct state *next, uint32_t revision);

#endif
