/* SPDX-License-Identifier: Apache-2.0 */
/* What InterPodAffinity keeps: shared by its filter and its score. */
#ifndef FATHOM_DECIDE_SCHEDULER_POD_AFFINITY_H
#define FATHOM_DECIDE_SCHEDULER_POD_AFFINITY_H

#include "decide/scheduler/cycle.h"
#include "decide/scheduler/domain_table.h"

/*
 * Counters, from part->counters on, where K is the number of topology keys:
 *   0           pods that match all required affinity terms of the incoming pod
 *   1 .. K      matches of its required anti-affinity terms, by key
 *   K+1 .. 2K   required anti-affinity terms of existing pods that match it, by key
 *   2K+1 .. 3K  weights of preferences either way, by key
 */
struct pod_affinity_state {
    uint32_t key_count;
    bool has_affinity;
    bool has_anti_affinity;
    bool matches_itself; /* the pod would satisfy its own required affinity */

    /* Of the decision under way, each by key. */
    struct domain_table *affinity;
    struct domain_table *anti_affinity;
    struct domain_table *existing_anti_affinity;
    struct domain_table *preferences;
    int64_t affinity_total; /* over all terms and domains */
};

static inline uint32_t affinity_counter_anti(const struct part *part, uint32_t key)
{
    return part->counters + 1 + key;
}

static inline uint32_t affinity_counter_existing(const struct part *part, uint32_t key)
{
    const struct pod_affinity_state *state = part->state;
    return part->counters + 1 + state->key_count + key;
}

static inline uint32_t affinity_counter_preference(const struct part *part, uint32_t key)
{
    const struct pod_affinity_state *state = part->state;
    return part->counters + 1 + 2 * state->key_count + key;
}

/* Whether the term is about this pod. A term of the incoming pod and one of an
 * existing pod differ about namespaces that do not exist. */
bool affinity_term_matches(const struct catalog *catalog, const struct affinity_term *term,
                           const struct pod *pod, bool of_incoming);

/* Clears the table and sums a counter over the view's nodes that share domains of the key. */
void affinity_sum(const struct cycle *cycle, struct domain_table *table, uint32_t key,
                  uint32_t counter);

void affinity_gather(struct cycle *cycle, const struct part *part);
struct verdict affinity_filter(const struct trial *trial);
void affinity_pre_score(struct cycle *cycle, const struct part *part);
int64_t affinity_score(const struct trial *trial);
void affinity_normalise(const struct cycle *cycle, const struct part *part, int64_t *scores);
int64_t affinity_lead(const struct lead *lead);

#endif
