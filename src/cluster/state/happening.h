/* SPDX-License-Identifier: Apache-2.0 */
/* What a step is about, for intents and descriptions. The makers set what they do not name to
 * "none". */
#ifndef FATHOM_CLUSTER_STATE_HAPPENING_H
#define FATHOM_CLUSTER_STATE_HAPPENING_H

#include "cluster/state/actions.h"
#include "cluster/state/population_model.h"
#include "cluster/state/workloads.h"

#include <stdint.h>

struct happening {
    enum population_action action;
    uint32_t workload; /* UINT32_MAX: none */
    uint32_t revision; /* UINT32_MAX: none */
    uint32_t node;     /* index of the entry it happens on; UINT32_MAX: none */
    uint32_t amount;
    uint32_t nominated; /* the entry where a place is kept for the pod that is tried, plus one; 0:
                           none */
    uint64_t victims;   /* the workloads that lose pods by it, as bits: see victims_of */
    bool guessed; /* true if only a guess allows the step (reductions.c): nobody waits for it */
    const bool *moving; /* of ACT_SETTLED, by workload: true if it does not rest; NULL: all rest */
};

/* A step about the nodes of an entry; UINT32_MAX: about no nodes either. */
static inline struct happening happening_at(enum population_action action, uint32_t node)
{
    return (struct happening){
        .action = action, .workload = UINT32_MAX, .revision = UINT32_MAX, .node = node};
}

/* A step about nothing in particular. */
static inline struct happening happening_of(enum population_action action)
{
    return happening_at(action, UINT32_MAX);
}

/* A step about a workload. */
static inline struct happening happening_to(enum population_action action, uint32_t workload,
                                            uint32_t amount)
{
    struct happening happening = happening_of(action);
    happening.workload = workload;
    happening.amount = amount;
    return happening;
}

/* A step about so many pods of a revision on a node of the entry; UINT32_MAX: on none. */
static inline struct happening happening_with(const struct population *population,
                                              enum population_action action, uint32_t revision,
                                              uint32_t node, uint32_t amount)
{
    return (struct happening){.action = action,
                              .workload = population->revisions.items[revision].workload,
                              .revision = revision,
                              .node = node,
                              .amount = amount};
}

#endif
