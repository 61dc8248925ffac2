/* SPDX-License-Identifier: Apache-2.0 */
/*
 * `fathom verify --learn-scale FOLDER`: up to which size failures show at all,
 * learnt from those that are known (section 4.2.3 of the Kivi paper).
 *
 * For every Check of the folder the smallest scale that violates one of its
 * intents is looked for, with no upper bound on the ranges that it gives, in the
 * order of scaling, up to the first violation. The most nodes of all these scales
 * and the most pods per node, each doubled, are the sufficient scale.
 */
#ifndef FATHOM_VERIFY_LEARN_SCALE_H
#define FATHOM_VERIFY_LEARN_SCALE_H

#include "verify/plan.h"
#include "verify/verify.h"

/* Groups get no more nodes than this. */
enum { LEARN_NODES_MOST = 12 };

/* The smallest scale at which a Check fails. */
struct scale_failure {
    const struct verify_plan *plan;
    const struct check_intent *intent; /* NULL: none was found */
    int32_t nodes;
    int32_t pods;
    enum explore_reason ended_by; /* if none was found: EXPLORE_DECIDED: there is none */
};

struct learnt_scale {
    VEC(struct scale_failure) failures;
    int32_t nodes;         /* the most of all smallest scales */
    int32_t pods_per_node; /* so too, of each rounded up */
    bool complete;         /* every Check showed a failure */
};

/* The plans outlive what was learnt. */
void scale_learn(struct arena *arena, struct memory *memory, const struct verify_plan *plans,
                 uint32_t count, const struct verify_options *options, struct learnt_scale *learnt);

/* Rounded up. */
int32_t scale_pods_per_node(const struct scale_failure *failure);

#endif
