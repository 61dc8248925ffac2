/* SPDX-License-Identifier: Apache-2.0 */
/* Requests: who gets them through Services, and who still does while it ends. */
#ifndef FATHOM_CLUSTER_TRAFFIC_H
#define FATHOM_CLUSTER_TRAFFIC_H

#include "object/object.h"

struct class_info;
struct expansion;
struct happening;
struct intent;
struct population;
struct pod_spec;
struct population_state;

struct service_info {
    const struct service *service;
    bool *selects; /* by revision */
};

/* Levels of pods that terminate, where intents ask about endpoints. */
enum { ENDING_ENDPOINT, ENDING_REMOVED, ENDING_UNSERVED, ENDING_COUNT };

enum { ENDPOINT_SECONDS = 5 }; /* until an endpoint is removed everywhere */

/* ---- traffic.c ---- */
bool service_selects(const struct service *service, const struct object_meta *pod);
/* Does it go on serving, when it is told to end, until its endpoint is removed? */
bool pod_serves_on(const struct pod_spec *spec);
void add_services(struct population *population);
/* What a pod of the class, on a node of this config, becomes when it is told to end. */
uint32_t class_ending(const struct population *population, uint32_t config, uint32_t class);
/* The same when it is deleted; VIEW_NONE: it waited for the node, and is gone. */
uint32_t class_deleted(const struct population *population, uint32_t config, uint32_t class);
/* Its preStop hook sleeps. */
bool kubelet_must_wait(const struct population *population, const struct class_info *info);
void step_endpoints(struct expansion *expansion);
bool endpoint_stopped(const struct population *population, const struct population_state *state,
                      const struct population_state *next, uint32_t revision);
/* Was it one that proxies had already left, and came back to for want of others? */
bool endpoint_was_removed(const struct population *population, const struct population_state *state,
                          const struct population_state *next, uint32_t revision);
/* Is a request sent to a pod that has stopped, or cannot be reached? */
bool endpoint_dies(const struct population *population, const struct population_state *state,
                   const struct population_state *next, const struct intent *intent,
                   const struct happening *happening);
bool traffic_is_uneven(const struct population *population, const struct population_state *state,
                       const struct intent *intent);

#endif
