/* SPDX-License-Identifier: Apache-2.0 */
/* One setup, explored. The outcome depends on nothing that was explored before: what is
 * kept of that are answers to questions that are put in full (shelf.h). */
#ifndef FATHOM_VERIFY_EXPLORE_SETUP_H
#define FATHOM_VERIFY_EXPLORE_SETUP_H

#include "cluster/threads/shelf.h"
#include "verify/checkpoint.h"
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
    atomic_uint_fast64_t *states;   /* so far, for the progress */
    struct population_shelf *shelf; /* the thread's own; NULL: models are always new */

    /* Where the exploration is saved if it ends early, and whether it should be; where
     * an earlier one is gone on with. All may be NULL. */
    struct checkpoint_writer *checkpoint;
    bool (*worth_saving)(void *context, enum explore_reason reason);
    void *saving;
    const struct checkpoint_reader *resume;
    uint32_t unit;
    uint64_t number; /* of the setup */
};

struct setup_outcome {
    uint64_t asked;
    uint64_t violated;  /* bit i: intent i is */
    uint64_t goes_on;   /* bit i: by what goes on for ever */
    uint64_t doubted;   /* bit i: holds if nodes that are alike are taken as one, but maybe not
                           if each has its own turns (confirm_loops.c) */
    uint64_t undecided; /* bit i: a limit came first */
    enum population_reductions reductions;
    enum explore_reason ended_by; /* EXPLORE_DECIDED: everything was explored */
    uint64_t states_most;         /* the limit that was set */
    uint64_t states;
    uint64_t transitions;
    uint32_t depth;
    struct arena arena;            /* of the stories */
    struct verify_result *results; /* by intent; filled in for those that are told */
};

/* How to make a model that is given up when the query's limits are reached; and why one
 * that was made so is not there. */
struct population_options setup_options(const struct setup_query *query,
                                        enum population_reductions reductions);
enum explore_reason setup_why_unmade(const struct population_options *how);

/* `memory` is the thread's own; the outcome's arena takes from `stories`. */
void setup_explore(const struct setup_query *query, struct memory *memory, struct memory *stories,
                   struct setup_outcome *outcome);
void setup_outcome_release(struct setup_outcome *outcome);

/* Some of the intents, and which of all they are. */
struct asked_intents {
    uint32_t *numbers;
    struct check_intent *items;
    uint32_t count;
};

struct asked_intents asked_intents(struct arena *arena, const struct setup_query *query,
                                   uint64_t wanted);

/* What the run does, in words: intent number `intent` of the population. */
void setup_tell(struct arena *arena, struct population *population, uint32_t intent,
                const struct property *property, const struct run_path *path, bool pictures,
                struct verify_result *result);

/* A violation as a file keeps it: which steps were taken. */
struct told_path {
    uint32_t initial; /* which of the initial states */
    uint32_t step_count;
    uint32_t *choices;
    bool loops, rests;
    uint32_t loop_from;
};

/* Tells of it as the exploration did that found it; false: there is no such run. */
bool setup_retell(const struct setup_query *query, enum population_reductions reductions,
                  enum population_nodes nodes, uint32_t intent, const struct told_path *told,
                  struct memory *memory, struct arena *arena, struct verify_result *result);

#endif
