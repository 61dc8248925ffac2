/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A running cycle: what plugins ask and do.
 *
 * Plugins are tables of functions, found in descheduler_registry.c. They see
 * the cluster through the cycle, evict through the evictor, and take pods and
 * nodes from orders, which is where random choices are made.
 */
#ifndef FATHOM_DECIDE_DESCHEDULER_CYCLE_H
#define FATHOM_DECIDE_DESCHEDULER_CYCLE_H

#include "decide/descheduler/descheduler.h"

struct cycle {
    struct arena *arena; /* for this run only */
    const struct descheduler_setup *setup;
    struct cluster *cluster;
    struct choice *choice; /* NULL: the canonical cycle */
    const struct descheduler_profile *profile;
    uint8_t *filters; /* by kind, for this profile: 0 not known, otherwise enum pod_filter + 1 */
    int64_t priority_threshold;
    enum descheduler_plugin plugin;
    uint32_t step; /* plugins that ran before */
    struct signature
        situation; /* what a plugin knows that is neither in the cluster nor in an order */
    struct descheduler_result *result;
    struct descheduler_story *story; /* NULL: no explanation is wanted */
};

struct descheduler_plugin_type {
    const char *mirrors; /* the file in kubernetes-sigs/descheduler */
    const char *field;   /* of a pod's spec that the plugin enforces; NULL: none */
    /* What it reads of pods that is not part of a kind otherwise; NULL: everything. */
    struct kind_readers (*reads)(const struct descheduler_features *features);
    void (*run)(struct cycle *cycle);
};

/* For `reads`: nothing more. */
static inline struct kind_readers kind_readers_none(const struct descheduler_features *features)
{
    (void)features;
    return (struct kind_readers){0};
}

/* True if the run leads to no new state; loops may end early. */
static inline bool cycle_given_up(const struct cycle *cycle)
{
    return cycle->choice && cycle->choice->given_up;
}

__attribute__((format(printf, 2, 3))) void cycle_tell(struct cycle *cycle, const char *format, ...);
/* A reason for an eviction; NULL if no explanation is wanted. */
__attribute__((format(printf, 2, 3))) const char *cycle_because(struct cycle *cycle,
                                                                const char *format, ...);
/* "namespace/name", or what is known. */
const char *cycle_pod_name(const struct cycle *cycle, uint32_t pod);
const char *cycle_node_name(const struct cycle *cycle, uint32_t node);

/* At the end of a plugin: nodes and pods are as if no plugin had looked at them. */
void cycle_clear_marks(struct cycle *cycle);
/* Forgets the hidden orders (hidden_order.h): every listing has a new one. */
void cycle_forget_hidden(struct cycle *cycle);

/* ---- the default evictor ---- */

/* Why the default evictor does not evict a pod. */
enum pod_filter {
    FILTER_PASSES,
    FILTER_DAEMON_SET,
    FILTER_MIRROR,
    FILTER_STATIC,
    FILTER_TERMINATING,
    FILTER_NO_OWNER,
    FILTER_CRITICAL,
    FILTER_PRIORITY,
    FILTER_LOCAL_STORAGE,
    FILTER_CLAIM,
    FILTER_LABELS,
};

const char *pod_filter_text(enum pod_filter filter);

enum pod_filter evictor_filter(struct cycle *cycle, uint32_t pod);

static inline bool evictor_passes(struct cycle *cycle, uint32_t pod)
{
    return evictor_filter(cycle, pod) == FILTER_PASSES;
}

/* The pre-eviction filter: with nodeFit the pod must fit some other node. */
bool evictor_pre_eviction(struct cycle *cycle, uint32_t pod);

/* True when the pod was evicted. */
bool evictor_evict(struct cycle *cycle, uint32_t pod, const char *why);
/* Has the number of evictions from the node that the policy allows been reached
 * exactly? Upstream compares for equality. */
bool evictor_node_limit_reached(const struct cycle *cycle, uint32_t node);

/* ---- node fit ---- */

/* Selector, required affinity, taints, cordon; and room, unless it is the pod's own node. */
bool fit_node(const struct cycle *cycle, uint32_t pod, uint32_t node);
/* The same without room. */
bool fit_node_but_for_room(const struct cycle *cycle, uint32_t pod, uint32_t node);
bool fit_labels(const struct pod *pod, const struct node *node);
bool fit_taints(const struct pod *pod, const struct node *node);

/* ---- what a plugin may look at ---- */

/* Pods of the namespaces and labels that a plugin's arguments choose. */
bool namespaces_choose(const struct namespace_choice *choice, const char *namespace);
bool strings_have(const struct string_list *list, const char *text);
bool labels_chosen(const struct label_selector *selector, const struct pod *pod);
/* Its phase, or why one of its containers waits, is in the list, or the list is empty. */
bool pod_state_chosen(const struct string_list *states, const struct pod *pod);

static inline const struct pod *cycle_pod(const struct cycle *cycle, uint32_t pod)
{
    return cluster_kind(cycle->cluster, pod)->pod;
}

/* Is the pod still in the cache? */
static inline bool cycle_pod_listed(const struct cycle *cycle, uint32_t pod)
{
    return cycle->cluster->pods[pod].presence != POD_GONE;
}

static inline bool cycle_pod_terminating(const struct cycle *cycle, uint32_t pod)
{
    return cycle->cluster->pods[pod].presence == POD_MARKED ||
           cluster_kind(cycle->cluster, pod)->terminating;
}

#endif
