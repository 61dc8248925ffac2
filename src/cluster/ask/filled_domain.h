/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A topology domain that some workloads fill, and that another one needs.
 *
 * A hard spread constraint may leave a pod one domain to go to. If others keep that full for ever,
 * the pod waits for ever. They do if their pods gather there in a rollout: each of them has as many
 * there as its own constraint allows, because the other domains were full for a while. A search
 * that wants to get there takes steps in this order, and compares states by how far they are.
 */
#ifndef FATHOM_CLUSTER_ASK_FILLED_DOMAIN_H
#define FATHOM_CLUSTER_ASK_FILLED_DOMAIN_H

#include "cluster/forward.h"
#include "explore/model.h"

#include <stdbool.h>
#include <stdint.h>

/* The nodes that have this label, and the workload that needs them. */
struct domain_search {
    uint32_t workload;
    const char *key;
    const char *value;
};

/* Sets the smallest domain that a hard constraint of the workload may leave its pods; false: it has
 * no such constraint, or there is one domain only. */
bool domain_search_for(const struct worker *worker, uint32_t workload,
                       struct domain_search *search);

enum domain_step {
    DOMAIN_STEP_LAST, /* a pod of the workload gets into the domain */
    DOMAIN_STEP_LATE, /* one that terminates outside of it is gone */
    DOMAIN_STEP_USUAL,
    DOMAIN_STEP_FIRST, /* one that terminates in it is gone */
};

/* What the step out of the state means for the search. `filled`: greater if the workloads have more
 * pods of their present revisions in the domain then, or may have. */
enum domain_step domain_step(struct worker *worker, const struct domain_search *search,
                             const uint32_t *words, uint32_t length, const struct step *step,
                             int64_t *filled);

#endif
