/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What anything in a scope reads of nodes and pods (decide/reads.h): a controller
 * by the rules of some object, an event, an intent.
 */
#ifndef FATHOM_SETUP_SCOPE_READS_H
#define FATHOM_SETUP_SCOPE_READS_H

#include "decide/reads.h"
#include "object/check.h"
#include "object/object.h"

/* What controllers read whether anybody asks for it or not. */
void reads_add_controllers(struct reads *reads);
/* What this object's rules read. */
void reads_add_object(struct reads *reads, const struct object *object);
/* What the Check's controllers, events and intents read. */
void reads_add_check(struct reads *reads, const struct check *check);
void reads_add_intents(struct reads *reads, const struct check_intent *intents, uint32_t count);

/* A copy of the node with what is read of it, and of its conditions nothing.
 * The name stays, and the label with the hostname. */
struct node *reads_slice_node(const struct reads *reads, const struct node *node);

/* A pod that belongs to its node: no scheduler will ever look at where it may go. */
bool pod_is_pinned(const struct pod *pod);

#endif
