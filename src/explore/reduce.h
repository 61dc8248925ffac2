/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Reductions: each takes a model and gives a model with fewer states or cheaper
 * steps, and the same verdicts.
 *
 *   symmetry   explores one representative of each orbit. Needs the model's
 *              `canonicalise`. Keeps safety; keeps liveness if the properties and
 *              the fairness classes do not tell the members of an orbit apart
 *              (which is the model's promise in giving the hook).
 *   order      explores one order of steps that do not influence each other
 *              (stubborn sets over declared reads and writes). Needs `groups`.
 *              Keeps safety and deadlocks, not the length of counterexamples;
 *              liveness is refused, because weak fairness is not kept.
 *   cache      remembers the steps of a group by the words it reads and writes.
 *              Needs `groups`. Changes nothing but time.
 *
 * Each is a flag, and a model without the hook it needs is left as it is. The
 * wrapped model must outlive the wrapper.
 */
#ifndef FATHOM_EXPLORE_REDUCE_H
#define FATHOM_EXPLORE_REDUCE_H

#include "explore/model.h"

enum { REDUCE_SYMMETRY = 1, REDUCE_ORDER = 2, REDUCE_CACHE = 4 };

/* The reductions of a set of flags, applied: cache below order below symmetry. */
struct reduced {
    const struct model *model; /* the outermost: explore this */
    struct reduction *chain[3];
    uint32_t count;
    struct memory *memory;
};

/* False: out of memory. Release in either case. */
bool reduced_init(struct reduced *reduced, const struct model *model, unsigned flags,
                  struct memory *memory);
void reduced_release(struct reduced *reduced);

/* For the files that implement reductions. */

struct reduction {
    struct model model; /* first: a model of a reduction is one */
    struct memory *memory;
    void *data; /* the reduction's own, of data_bytes */
    size_t data_bytes;
};

/* Every worker of a reduction begins like this. */
struct reduction_worker {
    void *inner; /* the wrapped model's */
};

static inline const void *reduction_data(const struct model *model)
{
    return ((const struct reduction *)(const void *)model)->data;
}

bool reduction_worker_init(struct reduction_worker *worker, const struct model *model,
                           struct memory *memory);
void reduction_worker_release(struct reduction_worker *worker, const struct model *model,
                              struct memory *memory);

/* Fill in what the reduction changes; false: out of memory. */
bool reduce_symmetry(struct reduction *reduction);
bool reduce_order(struct reduction *reduction);
bool reduce_cache(struct reduction *reduction);

#endif
