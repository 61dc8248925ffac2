/* SPDX-License-Identifier: Apache-2.0 */
/* Requests: who gets them through Services, and who still does while it ends. */
#ifndef FATHOM_CLUSTER_ASK_TRAFFIC_H
#define FATHOM_CLUSTER_ASK_TRAFFIC_H

#include "object/object.h"

struct class_info;
struct expansion;
struct object_meta;
struct pod_spec;
struct population;
struct population_state;
struct population_worker;
struct service;

struct service_info {
    const struct service *service;
    bool *selects; /* by revision */
};

enum { ENDPOINT_SECONDS = 5 }; /* until an endpoint is removed everywhere */

/* ---- traffic.c ---- */
bool service_selects(const struct service *service, const struct object_meta *pod);
/* Does it go on serving, when it is told to end, until its endpoint is removed? */
bool pod_serves_on(const struct pod_spec *spec);
/* Its preStop hook sleeps. */
bool kubelet_must_wait(const struct population *population, const struct class_info *info);
bool endpoint_stopped(struct population_worker *worker, const struct population_state *state,
                      const struct population_state *next, uint32_t revision);
/* Was it one that proxies had already left, and came back to for want of others? */
bool endpoint_was_removed(struct population_worker *worker, const struct population_state *state,
                          const struct population_state *next, uint32_t revision);

#endif
