/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The spread constraints of a pod, compiled: shared by the filter (hard
 * constraints) and the score (soft ones) of PodTopologySpread.
 */
#ifndef FATHOM_DECIDE_SCHEDULER_TOPOLOGY_SPREAD_H
#define FATHOM_DECIDE_SCHEDULER_TOPOLOGY_SPREAD_H

#include "decide/node_reads.h"
#include "decide/scheduler/cycle.h"
#include "decide/scheduler/domain_table.h"

/* The smallest count of a domain, and the smallest count of the other domains:
 * with both, the minimum without one node's domain is known without counting
 * again. */
struct spread_minimum {
    int64_t least;
    uint64_t least_owner;
    int64_t next;
    uint64_t next_owner;
};

struct spread_constraint {
    uint32_t key;  /* into catalog.topology_keys */
    bool identity; /* the key names the node itself */
    int32_t max_skew;
    int64_t min_domains;
    const struct label_selector *selector; /* NULL: matches nothing */
    bool honours_affinity;
    bool honours_taints;
    bool matches_itself;
    uint32_t counter; /* pods that count; for hard ones the next counter has the terminating too */

    /* Of the decision under way. */
    struct domain_table table;
    struct spread_minimum minimum;
    struct node_sum nodes; /* that are domains of their own; for soft ones those that are scored */
    uint64_t domains;      /* for soft ones those of feasible nodes */
    double weight;
};

struct spread_constraints {
    struct spread_constraint *items;
    uint32_t count;
};

/* Raw scores by how many domains the feasible nodes have: see pod_topology_spread_lead.c. Of the
 * decision under way. */
struct spread_cases {
    bool made;
    uint64_t count;
    int64_t *raw;     /* by case, then entry */
    int64_t *highest; /* by case */
    uint64_t capacity;
};

struct spread {
    struct spread_constraints hard;
    struct spread_constraints soft;
    struct spread_cases cases;
    bool soft_needs_all_keys; /* nodes without one of the keys are not scored */
};

/* Facts: for each constraint, hard ones first, whether the node counts; then
 * whether it has all keys of the soft ones. */
static inline uint32_t spread_fact_all_soft_keys(const struct spread *spread)
{
    return spread->hard.count + spread->soft.count;
}

static inline uint32_t spread_domain(const struct spread_constraint *constraint,
                                     const struct load *load)
{
    return load->template->domains.items[constraint->key];
}

/* Does the score leave the node out? */
static inline bool spread_ignores(const struct part *part, const struct load *load)
{
    const struct spread *spread = part->state;
    return spread->soft_needs_all_keys &&
           !load->facts[part->facts + spread_fact_all_soft_keys(spread)];
}

/* How much a pod counts that is in one of so many domains. */
double spread_weight(uint64_t domains);

void spread_gather(struct cycle *cycle, const struct part *part);
struct verdict spread_filter(const struct trial *trial);
void spread_pre_score(struct cycle *cycle, const struct part *part);
int64_t spread_score(const struct trial *trial);
void spread_normalise(const struct cycle *cycle, const struct part *part, int64_t *scores);
int64_t spread_lead(const struct lead *lead);

#endif
