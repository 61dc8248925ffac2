/* SPDX-License-Identifier: Apache-2.0 */
/* What a model with a pool (state/pool.h) reads of the requests of its pods. */
#ifndef FATHOM_CLUSTER_REDUCE_REQUESTS_H
#define FATHOM_CLUSTER_REDUCE_REQUESTS_H

#include "cluster/forward.h"
#include "cluster/others.h"

struct pod_requests {
    struct room *of; /* by revision */
    uint32_t count;
    /* What depends on requests, but for whether others crowd pods out: two models that differ in
     * requests alone, and have the same text, are the same. NULL: more depends on them. */
    const char *text;
};

/* Gives what is held by pods of these requests, where pods of a model that is the same but for them
 * hold it. */
void room_held_by(struct room_held *held, const struct pod_requests *requests);

/* The model must be one beside others. */
void population_requests(struct arena *arena, const struct population *population,
                         struct pod_requests *requests);

#endif
