/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What is read of nodes and pods.
 *
 * Two nodes of a real cluster are never equal: addresses, images, dozens of
 * labels. Most of it nobody looks at. What is collected here is everything that
 * somebody may look at: nodes and pods that are equal in that behave alike.
 *
 * Plugins say what they read in the words below (struct plugin_reads in
 * scheduler/plugin.h); who collects it for a whole scope is setup/scope_reads.c.
 * Taints, cordons, tolerations, requests and ports are never left out, so that
 * nobody has to say that it reads them.
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
    bool everything;        /* somebody reads we do not know what */
    bool all_resources;
    bool all_pod_labels;
    bool container_names; /* an autoscaler goes by the usage of one */
    bool pods_in_place;   /* a descheduler looks at pods where they are */
};

/* Nothing is read yet. */
void reads_init(struct reads *reads, struct arena *arena);

/* ---- what is read; NULL is nothing ---- */

/* The key of a label of nodes. That of the hostname is an identity: who asks for
 * one mentions the node. */
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

/* Nothing may be left out, and no two are alike. */
void reads_everything(struct reads *reads);

/* ---- is it read? ---- */

bool reads_has_node_label(const struct reads *reads, const char *key);
bool reads_has_pod_label(const struct reads *reads, const char *key);
bool reads_has_image(const struct reads *reads, const char *name);
bool reads_has_resource(const struct reads *reads, const char *name);

#endif
