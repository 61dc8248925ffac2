/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What is read of nodes and pods.
 *
 * Two nodes of a real cluster are never equal: they have addresses, images and
 * dozens of labels. Most of that is never read. This struct collects everything
 * that a controller or an intent may read: nodes and pods that are equal in that
 * behave alike.
 *
 * Plugins declare what they read by calling the functions below (struct
 * plugin_reads in scheduler/plugin.h); setup/scope_reads.c collects it for a
 * whole scope. Taints, cordons, tolerations, requests and ports are never left
 * out, so no plugin has to declare that it reads them.
 */
#ifndef FATHOM_DECIDE_READS_H
#define FATHOM_DECIDE_READS_H

#include "decide/node_mentions.h"

struct reads {
    struct arena *arena;
    struct node_mentions mentions;
    struct map node_labels; /* keys that are read of nodes; the hostname is not one of them */
    struct map pod_labels;  /* keys that are read of pods */
    struct map images;      /* of pods that may yet be placed, as ImageLocality names them */
    struct map resources;   /* that pods request */
    bool filters_only;      /* given: which of the nodes that fit is the best is of no interest */
    bool no_volumes; /* given: no pod that is yet to be placed has volumes that are somewhere */
    bool everything; /* a reader does not declare what it reads */
    bool all_resources;
    bool all_pod_labels;
    bool all_node_labels;
    bool declared_features; /* of nodes, because a pod needs some */
    bool container_names;   /* an autoscaler goes by the usage of one */
    bool pods_in_place;     /* a descheduler looks at pods where they are */
};

/* Nothing is read yet. */
void reads_init(struct reads *reads, struct arena *arena);

/* ---- what is read; NULL is nothing ---- */

/* The key of a label of nodes. The key of the hostname is an identity: a
 * selector with a hostname mentions the node. */
void reads_node_label(struct reads *reads, const char *key);
void reads_node_name(struct reads *reads, const char *name);
/* Labels, names and hostnames that a selector asks for. */
void reads_node_labels(struct reads *reads, const struct labels *selector);
void reads_node_label_selector(struct reads *reads, const struct label_selector *selector);
void reads_node_selector(struct reads *reads, const struct node_selector *selector);
void reads_node_affinity(struct reads *reads, const struct node_affinity *affinity);
/* The labels of a term, and no names. */
void reads_node_term_labels(struct reads *reads, const struct node_selector_term *term);

void reads_pod_label(struct reads *reads, const char *key);
void reads_pod_labels(struct reads *reads, const struct labels *selector);
void reads_pod_selector(struct reads *reads, const struct label_selector *selector);
void reads_pod_affinity(struct reads *reads, const struct pod_affinity *affinity);
void reads_spread_constraints(struct reads *reads,
                              const struct topology_spread_constraint *constraints, uint32_t count);

void reads_image(struct reads *reads, const char *name);
void reads_resource(struct reads *reads, const char *name);
/* What a pod requests. */
void reads_requests(struct reads *reads, const struct pod_spec *spec);

/* Everything is read: no two nodes or pods count as equal. */
void reads_everything(struct reads *reads);

/* ---- is it read? ---- */

bool reads_has_node_label(const struct reads *reads, const char *key);
bool reads_has_pod_label(const struct reads *reads, const char *key);
bool reads_has_image(const struct reads *reads, const char *name);
bool reads_has_resource(const struct reads *reads, const char *name);

#endif
