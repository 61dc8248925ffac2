/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What anything in a scope can read of nodes and pods.
 *
 * Two nodes of a real cluster are never equal: addresses, images, dozens of
 * labels. Most of it nobody looks at. What is collected here is everything that
 * somebody may look at: a controller by the rules of some object, an event, an
 * intent. Nodes and pods that are equal in that behave alike.
 */
#ifndef FATHOM_SETUP_READS_H
#define FATHOM_SETUP_READS_H

#include "object/check.h"
#include "setup/node_mentions.h"

struct reads {
    struct arena *arena;
    struct node_mentions mentions;
    struct map node_labels; /* keys that are read of nodes; the hostname is not one of them */
    struct map pod_labels;  /* keys that are read of pods */
    struct map images;      /* of pods that may yet be placed, as ImageLocality names them */
    struct map resources;   /* that pods request */
    bool all_resources;
    bool all_pod_labels;
    bool container_names; /* an autoscaler goes by the usage of one */
    bool pods_in_place;   /* a descheduler looks at pods where they are */
};

void reads_init(struct reads *reads, struct arena *arena);
/* What this object's rules read. */
void reads_add_object(struct reads *reads, const struct object *object);
/* What the Check's controllers, events and intents read. */
void reads_add_check(struct reads *reads, const struct check *check);
void reads_add_intents(struct reads *reads, const struct check_intent *intents, uint32_t count);

bool reads_has(const struct map *map, const char *key);

/* A copy of the node with what is read of it, and of its conditions nothing.
 * The name stays, and the label with the hostname. */
struct node *reads_slice_node(const struct reads *reads, const struct node *node);

/* A pod that belongs to its node: no scheduler will ever look at where it may go. */
bool pod_is_pinned(const struct pod *pod);

#endif
