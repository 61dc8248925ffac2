/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Balances the domains of one topology spread constraint: how many pods each
 * domain gives, and which.
 *
 * The arithmetic works on the sizes of the domains in ascending order. The
 * place of a domain among those of the same size is random; how many pods a
 * place gives is not.
 */
#ifndef FATHOM_DECIDE_DESCHEDULER_SPREAD_BALANCE_H
#define FATHOM_DECIDE_DESCHEDULER_SPREAD_BALANCE_H

#include "decide/descheduler/eviction_order.h"
#include "decide/descheduler/hidden_order.h"
#include "decide/descheduler/spread_constraint.h"

struct spread_domain {
    const char *value; /* of the label; NULL: not known */
    uint32_t number;   /* in the cluster's map of the key */
    VEC(uint32_t) pods;
    uint32_t given; /* how many pods it is to give */
};

struct spread {
    struct cycle *cycle;
    const struct spread_constraint *constraint;
    uint32_t constraint_number;
    bool last; /* true if hidden orders are not asked about any more */
    const struct domain_map *map;
    VEC(struct spread_domain) domains;
    uint32_t *sorted; /* domains by size */
    uint32_t pod_count;
    double average;
    struct node_sum domain_sum; /* all domains, also those that one of them stands for */
    bool *below;                /* by node: may take pods, in a domain below the average */
    struct signature *local;    /* by node: what its domain gives */
    struct hidden_order *pods_order;
    struct hidden_order *nodes_order;
    uint32_t *takes; /* answers about hidden orders, so far */
};

/* Finds the domains and puts the pods of the listing that count into them. */
void spread_populate(struct spread *spread, const uint32_t *listing, uint32_t count);
bool spread_is_balanced(const struct spread *spread);

/* How many pods every domain gives. */
void spread_share_out(struct spread *spread);

/* Takes the pods that a domain gives from the end of its list, and marks those
 * that fit a domain below the average as chosen. */
void spread_take(struct spread *spread, struct spread_domain *domain);

#endif
