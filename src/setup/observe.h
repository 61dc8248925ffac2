/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The observed cluster: which workloads the pods among the objects belong to,
 * which nodes they are on, and which stage they are in. The groups and
 * workloads of the scope are known before.
 */
#ifndef FATHOM_SETUP_OBSERVE_H
#define FATHOM_SETUP_OBSERVE_H

#include "setup/setup.h"

/* Where runs begin: as the Check says, else from the pods if there are any. */
enum check_start observe_start(const struct objects *objects, const struct check *check);

/* Is the object modelled, and can its pods be handed to it? A Job that has begun
 * is not: how far it has come is not in the objects. Pods of other owners stay
 * where they are, and no controller of the model acts on them. */
bool observe_adopts(const struct objects *objects, const struct object *owner);

/* Is it a ReplicaSet whose owner is not among the objects, or not modelled? It is a
 * workload of its own then. */
bool observe_is_orphan(const struct objects *objects, const struct object *set);

/* Fills in `pods` of the scope and `sets` of its workloads. */
void observe_pods(struct arena *arena, struct scope *scope, struct problems *problems);

/* The CPU that the workload's pods use, if an autoscaler goes by it. */
void observe_usage(struct arena *arena, struct scope *scope, uint32_t workload);

/* What was assumed about the present state, a sentence each. */
struct string_list observe_assumptions(struct arena *arena, const struct scope *scope);

#endif
