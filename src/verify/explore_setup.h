/* SPDX-License-Identifier: Apache-2.0 */
/* One setup, explored: a fresh model of it, so that the outcome depends on
 * nothing that was explored before. */
#ifndef FATHOM_VERIFY_EXPLORE_SETUP_H
#define FATHOM_VERIFY_EXPLORE_SETUP_H

#include "verify/verify.h"

/* What one setup is asked. */
struct setup_query {
    const struct scope *scope;
    const struct setup *setup;
    const struct check_intent *intents; /* all of them */
    uint32_t intent_count;
    uint64_t asked; /* bit i: intent i is judged */
    uint64_t told;  /* bit i: a violation of intent i is to be told */
    const struct population_options *population;
    bool pictures; /* after every step */
    uint64_t states_most;
    uint64_t time_most_ms;
    uint32_t threads;       /* at most */
    uint32_t parallel_from; /* 0: as usual */
    const atomic_uint *threads_now;
    const atomic_bool *stop;
    atomic_uint_fast64_t *states; /* so far, for the progress */
};

struct setup_outcome {
    uint64_t asked;
    uint64_t violated;            /* bit i: intent i is */
    uint64_t goes_on;             /* bit i: by what goes on for ever */
    uint64_t undecided;           /* bit i: a limit came first */
    enum explore_reason ended_by; /* EXPLORE_DECIDED: everything was explored */
    uint64_t states_most;         /* the limit that was set */
    uint64_t states;
    uint64_t transitions;
    uint32_t depth;
    struct arena arena;            /* of the stories */
    struct verify_result *results; /* by intent; filled in for those that are told */
};

/* `memory` is the thread's own; the outcome's arena takes from `stories`. */
void setup_explore(const struct setup_query *query, struct memory *memory, struct memory *stories,
                   struct setup_outcome *outcome);
void setup_outcome_release(struct setup_outcome *outcome);

#endif
