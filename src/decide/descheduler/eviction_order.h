/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Orders: lists in which items of equal rank may come in any sequence.
 *
 * An order holds pods or nodes in canonical sequence, each with a rank; ranks
 * never fall. Taking from it gives, in a canonical cycle, the first item left.
 * When outcomes are enumerated, every item of the lowest rank may be next; of
 * those that are interchangeable one is tried.
 *
 * An order can be fixed: where the sequence cannot matter, nothing is chosen.
 * stakes_of() says whether it can matter.
 */
#ifndef FATHOM_DECIDE_DESCHEDULER_EVICTION_ORDER_H
#define FATHOM_DECIDE_DESCHEDULER_EVICTION_ORDER_H

#include "decide/descheduler/descheduler_cycle.h"

struct eviction_order {
    bool of_nodes;
    bool fixed;
    uint32_t *items;
    int64_t *ranks;
    uint32_t count; /* left */
    uint32_t capacity;
};

void order_init(struct cycle *cycle, struct eviction_order *order, uint32_t capacity);
void order_add(struct eviction_order *order, uint32_t item, int64_t rank);

/* The next item, VIEW_NONE at the end and when the run is given up. `place`
 * says where the plugin is: everything that matters later and is neither in the
 * cluster nor in the order. */
uint32_t order_take(struct cycle *cycle, struct eviction_order *order, struct signature place);

/* A place of this plugin. */
struct signature place_of(const struct cycle *cycle, uint32_t site, uint64_t detail);

/* Chooses among the alternatives, of which those with equal signatures are
 * offered once. Gives the index into `alternatives`. */
uint32_t order_choose(struct cycle *cycle, const struct signature *alternatives, uint32_t count,
                      struct signature state);

/* All that has happened, nodes of a kind interchanged; with `local` (by node,
 * NULL: nothing) for what is about to happen there. */
struct signature cycle_signature(const struct cycle *cycle, const struct signature *local);

/* Can it matter in which order these pods are evicted? */
struct stakes {
    bool within; /* on a node */
    bool across; /* from node to node */
};

/* `ready` says whether a pod is to be evicted as things are; evictions only make
 * room, so what is true stays true. NULL: all of them are. */
struct stakes stakes_of(struct cycle *cycle, const uint32_t *pods, uint32_t count,
                        bool (*ready)(struct cycle *cycle, uint32_t pod));

/* Pods by ascending priority and quality, as sort.Slice leaves them. */
void order_by_priority(struct cycle *cycle, struct eviction_order *order, uint32_t *pods,
                       uint32_t count);

#endif
