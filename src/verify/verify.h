/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Verification: every setup of a scope, smallest first, until every intent is
 * decided.
 *
 * An intent holds if it holds in all setups; it is violated in the first setup
 * in which it is, with the shortest counterexample there; it is undecided if a
 * limit ended the search of some setup before that.
 */
#ifndef FATHOM_VERIFY_VERIFY_H
#define FATHOM_VERIFY_VERIFY_H

#include "explore/explore.h"
#include "model/population/population.h"

struct verify_options {
    struct population_options population;
    uint64_t states_most; /* of one setup */
    uint64_t time_most_ms;
    const atomic_bool *interrupted; /* may be NULL */
};

/* One step of a counterexample, in words. */
struct verify_step {
    const char *actor;
    const char *verb;
    const char *sentence;
    const char *state; /* that it leads to */
    bool outside;
};

struct verify_result {
    const struct check_intent *intent;
    enum verdict verdict;
    enum explore_reason reason;
    const struct setup *setup; /* of the violation, or the first undecided one */
    struct verify_step *steps;
    uint32_t step_count;
    const char *initial_state;
    bool loops;
    uint32_t loop_from; /* the steps from here on (from 0) repeat for ever */
    bool rests;         /* nothing happens any more after the last step */
};

struct verify_report {
    struct verify_result *results; /* by intent */
    uint32_t result_count;
    uint64_t setups_total;
    uint64_t setups_explored;
    uint64_t states;
    uint64_t transitions;
    uint32_t depth;
    bool interrupted;
    double seconds;
};

void verify_run(struct arena *arena, struct memory *memory, const struct scope *scope,
                const struct check_intent *intents, uint32_t intent_count,
                const struct verify_options *options, struct verify_report *report,
                struct problems *problems);

#endif
