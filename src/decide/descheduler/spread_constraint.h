/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A topology spread constraint as the descheduler knows it: taken from a pod,
 * but applied to every pod of the namespace that its selector matches.
 */
#ifndef FATHOM_DECIDE_DESCHEDULER_SPREAD_CONSTRAINT_H
#define FATHOM_DECIDE_DESCHEDULER_SPREAD_CONSTRAINT_H

#include "decide/descheduler/descheduler_cycle.h"

struct spread_constraint {
    const struct topology_spread_constraint *constraint;
    const struct pod *carrier;
    const char *key; /* equal for constraints that upstream treats as the same */
};

typedef VEC(struct spread_constraint) spread_constraints;

/* Adds those of a pod that count and are not there yet. */
void spread_constraints_add(struct cycle *cycle, spread_constraints *list, const struct pod *pod);

bool spread_selects(const struct cycle *cycle, const struct spread_constraint *constraint,
                    const struct pod *pod);

/* Do the affinity and tolerations of the pod that has the constraint allow the
 * node to be a domain and to take pods? */
bool spread_includes(const struct cycle *cycle, const struct spread_constraint *constraint,
                     const struct node *node);

#endif
