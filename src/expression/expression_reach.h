/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What an expression can look at, as far as its text shows: for those who want to evaluate it where
 * something is left out. The answer is `no` wherever the text does not show it.
 */
#ifndef FATHOM_EXPRESSION_EXPRESSION_REACH_H
#define FATHOM_EXPRESSION_EXPRESSION_REACH_H

#include "expression/expression.h"

/* Does it go on from an object by this member (`p.node.zone`)? has(p.node) only asks whether it is
 * there. */
bool expression_follows(const struct expression *expression, const char *member);

/* Collections that a whole has in common with its parts: each element is in one part, or in all. */
struct expression_parting {
    const char *bag;    /* a variable: a bag */
    const char *map;    /* a variable: a map from names to objects */
    const char *beyond; /* the member by which objects lead to those of other parts */
};

/* Is it true of the whole if and only if it is true of each part? Then it says something of each
 * element by itself: `pods.all(p, p.ready) && workloads.all(w, workloads[w].converged)`. */
bool expression_is_of_each(const struct expression *expression,
                           const struct expression_parting *parting);
/* Is it false of the whole if and only if it is false of each part? The same with `exists`. */
bool expression_is_of_some(const struct expression *expression,
                           const struct expression_parting *parting);

#endif
