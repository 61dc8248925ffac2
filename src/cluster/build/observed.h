/* SPDX-License-Identifier: Apache-2.0 */
/* A start from the present state: the nodes and pods that are there. */
#ifndef FATHOM_CLUSTER_BUILD_OBSERVED_H
#define FATHOM_CLUSTER_BUILD_OBSERVED_H

#include "base/vec.h"
#include "setup/setup.h"

struct population;
struct population_state;
struct reads;

/* A node of the start, by name, with the pods on it: names and classes. */
struct observed_name {
    const char *name;
    uint32_t number; /* class of a pod on a node, revision of one that waits */
};

struct observed_node {
    const char *name;
    uint32_t group;
    uint32_t config;
    VEC(struct observed_name) pods;
};

/* ---- observed_revisions.c ---- */
/* The revisions of the sets that are there; gives the present one. */
uint32_t observed_add_revisions(struct population *population, uint32_t workload);
/* Makes the pod of a template look like those that there are of it. */
void observed_dress(struct population *population, uint32_t workload, uint32_t number,
                    int32_t ordinal, struct pod *pod);
/* How many ordinals the StatefulSet's pods need that are there. */
uint32_t observed_ordinals(const struct scope *scope, uint32_t workload);

/* ---- observed_find.c ---- */
/* The number behind the last hyphen of the pod's name; -1: there is none. */
int32_t observed_ordinal(const struct object *pod);
/* Was the pod made from a template that its StatefulSet or DaemonSet no longer has? */
bool observed_is_outdated(const struct observed_pod *pod, const struct object *set);
/* Such a pod of the workload; NULL: there is none. */
const struct observed_pod *observed_outdated_pod(const struct scope *scope, uint32_t workload);
/* The newest pod of a set: what the set makes next will look like it, with all
 * that admission has put in. NULL: there is none. */
const struct observed_pod *observed_newest_pod(const struct scope *scope, uint32_t workload,
                                               const struct object *set);

/* ---- build_observed.c ---- */
/* Finds the revision of every pod; adds those of bystanders. */
void observed_add_pods(struct population *population);
/* Sets, pods and nodes of the initial state. */
void observed_begin(struct population *population, struct population_state *state);

/* ---- observed_slice.c ---- */
/* A copy of the pod with what is read of it. Of a pod that waits that is more:
 * a node is looked for. */
struct pod *observed_slice(struct arena *arena, const struct reads *reads, const struct pod *pod);

/* ---- observed_revisions.c ---- */
/* If nobody asked for claims, volumes are taken to be wherever their pods go. */
void observed_drop_claims(struct population *population, struct pod_spec *spec);
/* The revision of a pod that its workload looks after. */
uint32_t observed_revision_of(const struct population *population, const struct observed_pod *pod);

#endif
