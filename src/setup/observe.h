/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The cluster as it is: whose the pods among the objects are, where they are
 * and how far they have come. The groups and workloads of the scope are known.
 */
#ifndef FATHOM_SETUP_OBSERVE_H
#define FATHOM_SETUP_OBSERVE_H

#include "setup/setup.h"

/* Where runs begin: as the Check says, else from the pods if there are any. */
enum check_start observe_start(const struct objects *objects, const struct check *check);

/* Is the object modelled, and can its pods be handed to it? A Job that has begun
 * is not: how far it has come is not in the objects. Pods of other owners stay
 * where they are and nobody looks after them. */
bool observe_adopts(const struct objects *objects, const struct object *owner);

/* A ReplicaSet whose owner is not there, or not known, looks after itself. */
bool observe_is_orphan(const struct objects *objects, const struct object *set);

/* Fills in `pods` of the scope and `sets` of its workloads. */
void observe_pods(struct arena *arena, struct scope *scope, struct problems *problems);

/* The CPU that the workload's pods use, if an autoscaler goes by it. */
void observe_usage(struct arena *arena, struct scope *scope, uint32_t workload);

/* What was taken for granted about the present state, one sentence each. */
struct string_list observe_assumptions(struct arena *arena, const struct scope *scope);

#endif
