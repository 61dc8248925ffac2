/* SPDX-License-Identifier: Apache-2.0 */
/* What is known about the zoo: counts, verdicts and shortest lengths, for any
 * engine to be tested against. Each table ends with a row without a model. */
#ifndef FATHOM_EXPLORE_ZOO_ZOO_KNOWN_H
#define FATHOM_EXPLORE_ZOO_ZOO_KNOWN_H

#include "explore/explore.h"

enum { ZOO_ANY_LENGTH = -1 };

struct zoo_count {
    const char *model;
    uint64_t states, transitions, depth;
};

struct zoo_verdict {
    const char *model, *property;
    enum verdict fair, unfair;
    int length; /* of the shortest path, for safety */
};

/* A cage of the fairness zoo, and for each form a pair of letters: over fair
 * runs, over all runs; H holds, V violated. */
struct zoo_cage {
    const char *model, *expected;
};

extern const struct zoo_count zoo_counts[];
extern const struct zoo_verdict zoo_verdicts[];
extern const char *const zoo_forms[]; /* names of properties; ended by NULL */
extern const struct zoo_cage zoo_cages[];

#endif
