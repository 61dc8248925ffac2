/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The order of a list that is not known, and that becomes known piece by piece.
 *
 * Pods are listed in some order, and several constraints take from the ends of
 * parts of that one list. Which pod is the last of a part is random, but once it
 * is chosen it stays so: the pod that one constraint takes first from a node,
 * another takes first as well. So every choice is kept as a fact (this item
 * comes after those), and a later choice must not contradict the facts.
 */
#ifndef FATHOM_DECIDE_DESCHEDULER_HIDDEN_ORDER_H
#define FATHOM_DECIDE_DESCHEDULER_HIDDEN_ORDER_H

#include "base/vec.h"

#include <stdbool.h>

struct hidden_fact {
    uint32_t last;
    const uint64_t *before; /* a set */
};

struct hidden_order {
    struct arena *arena;
    uint32_t item_count; /* items are numbers below it */
    VEC(struct hidden_fact) facts;
};

/* A set of these items. */
uint64_t *hidden_order_set(const struct hidden_order *order, const uint32_t *items, uint32_t count);

/* Can this item come after all others of the set, given the facts? */
bool hidden_order_allows(const struct hidden_order *order, uint32_t last, const uint64_t *set);
/* The set may contain `last` itself; it is kept. */
void hidden_order_learn(struct hidden_order *order, uint32_t last, const uint64_t *set);

#endif
