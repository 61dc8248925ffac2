/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Whether all that an expression reads is of one part of a whole, as far as its text and what is
 * known of the elements show. Whoever believes it evaluates the expression where the other parts
 * are left out.
 *
 * `workloads['Deployment/web'].ready >= 2` reads one object of a map. In
 * `pods.filter(p, p.labels.app == 'web' && p.ready).size() >= 2` the elements of other parts
 * make no difference if it is known of them that they lack the label: the predicate is false of
 * them, whatever else they are, and does not fail.
 */
#ifndef FATHOM_EXPRESSION_EXPRESSION_SOLE_PART_H
#define FATHOM_EXPRESSION_EXPRESSION_SOLE_PART_H

#include "expression/expression.h"

/* Elements of a bag that are of one part, and alike in some fields. */
struct expression_kind {
    uint32_t part;                       /* UINT32_MAX: it may be any */
    const struct expression_map *fields; /* these, by their names */
};

struct expression_whole {
    const char *map;                      /* a variable: a map from names to objects ... */
    const struct expression_map *objects; /* ... each of which has its part as its `first` */
    const char *bag;                      /* a variable: a bag */
    const struct expression_kind *kinds;  /* what elements of the bag can be, but for those that the
                                             whole has in common with every part */
    uint32_t kind_count;
    /* Can a map among the fields have this key, and any value of it, whatever is known of it? */
    bool (*is_unsure)(const char *key);
};

/* The part; UINT32_MAX: there is none, or it is not known. */
uint32_t expression_sole_part(const struct expression *expression,
                              const struct expression_whole *whole, struct arena *scratch);

#endif
