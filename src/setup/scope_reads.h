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

/* What controllers always read, whatever the objects say. */
void reads_add_controllers(struct reads *reads);
/* What this object's rules read. */
void reads_add_object(struct reads *reads, const struct object *object);
/* What the Check's controllers, events and intents read. */
void reads_add_check(struct reads *reads, const struct check *check);
void reads_add_intents(struct reads *reads, const struct check_intent *intents, uint32_t count);

/* A copy of the node with only what is read of it, and without conditions. The
 * name and the hostname label are kept. */
struct node *reads_slice_node(const struct reads *reads, const struct node *node);

/* Is the pod bound to its node for good, so that no scheduler places it again? */
bool pod_is_pinned(const struct pod *pod);

#endif
