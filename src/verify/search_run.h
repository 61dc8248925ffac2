/* SPDX-License-Identifier: Apache-2.0 */
/*
 * One run of the whole model, looking for violations.
 *
 * In each state the run takes the step that seems to lead nearest to a violation, where several
 * seem equally good one by chance. Steps to states in which it has been come last, and among those
 * the one whose turn was longest ago: so a run that cannot get out of a loop is fair before long.
 * On the way all properties that are open are judged:
 *
 *   - each step out of each state, by what it is marked with;
 *   - each state that the run comes to, by its atoms;
 *   - rest, where nobody changes anything any more, by what is true there for ever;
 *   - a loop, where the run comes back to a state in which it has been.
 *
 * What is found is a path of the model. Whether a loop is fair is judged by is_fair_run.
 */
#ifndef FATHOM_VERIFY_SEARCH_RUN_H
#define FATHOM_VERIFY_SEARCH_RUN_H

#include "cluster/ask/filled_domain.h"
#include "cluster/population.h"
#include "explore/explore.h"

/* When outside events come: when they lead nearer to a violation (or, without a guide, at any
 * time), as early as possible, or as late. */
enum search_events { EVENTS_OF_USE, EVENTS_FIRST, EVENTS_AT_REST, SEARCH_EVENTS_COUNT };

#define GUIDE_NONE UINT32_MAX

struct search_guide {
    uint32_t intent; /* whose violation it goes for (population_nearness); GUIDE_NONE: nobody's */
    enum search_events events;
    /* Others are to fill this domain, which leads nearer then; NULL: none. */
    const struct domain_search *domain;
    uint32_t blind; /* of 256 steps so many are taken without looking where they lead */
    uint64_t seed;
    uint64_t steps_most;
    uint64_t effort_most;    /* of all runs whose findings are added up */
    const atomic_bool *stop; /* may be NULL */
    int64_t deadline_ns;     /* 0: none */
};

struct search_findings {
    uint64_t violated;      /* bit i: property i is */
    struct run_path *paths; /* by property, of those that are; in the arena */
    uint64_t goes_round;    /* bit i: by a loop in which something changes */
    uint64_t runs;
    uint64_t steps;  /* that were taken, the beginning of a run being one */
    uint64_t effort; /* steps that were looked at */
};

/* Runs, and adds what it finds of the properties that are `open`, as bits. `worker`: of a
 * population model, in whose numbers the paths are. */
void search_run(struct arena *arena, struct worker *worker, const struct search_guide *guide,
                uint64_t open, struct search_findings *findings);

#endif
