/* SPDX-License-Identifier: Apache-2.0 */
/*
 * An order that exists, that nobody sees, and that is asked about piece by piece.
 *
 * Pods are listed in some order, and several constraints take from the ends of
 * parts of that one list. Which pod is the last of a part is chance, but once it
 * is known it stays so: what one constraint takes from a node, another takes
 * first as well. So every answer is kept as a fact (this one comes after those),
 * and a later answer must not contradict the facts.
 */
#ifndef FATHOM_MODEL_DESCHEDULER_HIDDEN_ORDER_H
#define FATHOM_MODEL_DESCHEDULER_HIDDEN_ORDER_H

#include "base/vec.h"

#include <stdbool.h>

struct hidden_fact {
    uint32_t last;
    const uint32_t *before;
    uint32_t count;
};

struct hidden_order {
    struct arena *arena;
    VEC(struct hidden_fact) facts;
};

/* Can this one come after all of the others, for all that is known? */
bool hidden_order_allows(const struct hidden_order *order, uint32_t last, const uint32_t *others,
                         uint32_t count);
/* `others` may contain `last` itself. */
void hidden_order_learn(struct hidden_order *order, uint32_t last, const uint32_t *others,
                        uint32_t count);

#endif
