/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The descheduler: which pods one cycle evicts.
 *
 * Upstream leaves much to Go's maps: the order of nodes, of pods on a node, of
 * domains of equal size, of owners. So a cycle has a canonical result, in which
 * everything goes by name, and a set of outcomes, which are all those that some
 * order leads to. The same code gives both; see choice.h.
 *
 * A cycle is run over a cluster (descheduler_cluster.h), which is made from
 * objects or from a view; see there for what is interchangeable.
 */
#ifndef FATHOM_DECIDE_DESCHEDULER_H
#define FATHOM_DECIDE_DESCHEDULER_H

#include "decide/descheduler/descheduler_cluster.h"
#include "decide/descheduler/descheduler_features.h"
#include "decide/reads.h"
#include "object/descheduler_policy.h"

/* What an accepted eviction does to the cluster that the rest of the cycle sees. */
enum descheduler_mode {
    DESCHEDULER_DELETE,   /* the pod is gone (grace period 0, or a dry run) */
    DESCHEDULER_STATIC,   /* nothing: the cache is not updated before the cycle ends */
    DESCHEDULER_GRACEFUL, /* the pod is terminating and stays */
};

struct descheduler_setup {
    const struct descheduler_policy *policy;
    const struct objects *objects; /* for priority classes; NULL: none */
    struct descheduler_features features;
    enum descheduler_mode mode;
    bool profiles_in_turn; /* a profile's balance plugins run before the next profile, always */
    int64_t now;
};

enum eviction_refusal { REFUSED_BY_BUDGET, REFUSED_BY_SEVERAL_BUDGETS, REFUSED_NOT_FOUND };
const char *eviction_refusal_name(enum eviction_refusal refusal);

struct descheduler_eviction {
    uint32_t pod; /* of the cluster */
    uint32_t node;
    enum descheduler_plugin plugin;
    uint32_t step;                 /* how many plugins ran before this one */
    enum eviction_refusal refusal; /* of rejected ones */
    enum eviction_rule rule;       /* by which the API server decided */
    const char *why;               /* in words, only if the cycle was to be explained */
};

typedef VEC(struct descheduler_eviction) descheduler_evictions;

/* What the plugins looked at, in words: one for each plugin that ran. */
struct descheduler_story {
    const char *profile;
    enum descheduler_plugin plugin;
    VEC(const char *) sentences;
};

typedef VEC(struct descheduler_story) descheduler_stories;

struct descheduler_result {
    descheduler_evictions evicted; /* in order */
    descheduler_evictions rejected;
    VEC(const char *) notes;     /* why nothing or not everything ran */
    const char *error;           /* the descheduler refuses the policy */
    descheduler_stories stories; /* only if it was to be explained */
};

/* The canonical cycle. */
void descheduler_run(struct arena *arena, const struct descheduler_setup *setup,
                     struct cluster *cluster, bool explain, struct descheduler_result *result);

/* What a cycle may lead to: how many pods of which kind leave one node. Nodes of
 * one kind are interchangeable, so an outcome says nothing of which is which. */
struct descheduler_loss {
    uint32_t node; /* of the cluster: one of its kind */
    uint32_t kind; /* of the pods */
    enum descheduler_plugin plugin;
    uint32_t count;
};

struct descheduler_outcome {
    struct signature signature;      /* equal for equal outcomes */
    struct descheduler_loss *losses; /* by node, kind, plugin */
    uint32_t loss_count;
};

struct descheduler_outcomes {
    VEC(struct descheduler_outcome) items; /* the canonical one first */
    bool too_many; /* the walk was stopped: there may be outcomes that are not listed */
    uint64_t runs;
};

struct descheduler_limits {
    uint64_t runs_most;  /* 0: a million */
    bool without_memory; /* do not skip states that were seen; for tests */
};

void descheduler_enumerate(struct arena *arena, const struct descheduler_setup *setup,
                           struct cluster *cluster, struct descheduler_limits limits,
                           struct descheduler_outcomes *outcomes);

/* The signature of the outcome in which exactly these pods are evicted, each by
 * its plugin. It is used to compare a recorded outcome with the enumerated
 * ones. */
struct signature descheduler_outcome_signature(struct cluster *cluster,
                                               const struct descheduler_eviction *evictions,
                                               uint32_t count);

/* What the policy's plugins read of pods under these features. */
struct kind_readers descheduler_readers(const struct descheduler_policy *policy,
                                        struct descheduler_features features);

/* What a cycle reads of nodes because of a pod that is placed, and because of a policy. */
void descheduler_reads_pod(struct reads *reads, const struct pod_spec *spec);
void descheduler_reads_policy(struct reads *reads, const struct descheduler_policy *policy);

/* Does the plugin go by ages or restarts? These are known only in clocked models. */
bool descheduler_plugin_is_timed(enum descheduler_plugin plugin);

/* The field of a pod's spec that a plugin of this name enforces; NULL: none. */
const char *descheduler_plugin_field(const char *name);

#endif
