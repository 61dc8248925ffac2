/* SPDX-License-Identifier: Apache-2.0 */
/* How many replicas syncs of a HorizontalPodAutoscaler may want without clocks: with and without
 * what it recommended before, and whichever pods it sees as unready where states do not say it. */
#ifndef FATHOM_CLUSTER_ASK_AUTOSCALER_WISHES_H
#define FATHOM_CLUSTER_ASK_AUTOSCALER_WISHES_H

#include "base/vec.h"
#include "cluster/forward.h"

#include <stdint.h>

struct autoscaler;

/* What a sync wants, and what it notes for the next one (state/notes.h). */
struct wish {
    int32_t replicas;
    uint32_t note;
};

struct wishes {
    struct wish *items;
    uint32_t count;
    uint32_t capacity;
};

/* All different, the first of them if all pods on nodes are as the state has them. `remembered`:
 * the highest recommendation that counts still; 0: none. They live in the scratch arena. */
struct wishes autoscaler_wishes(struct worker *worker, const struct state *state,
                                const struct autoscaler *autoscaler, int32_t remembered);

#endif
