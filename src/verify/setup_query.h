/* SPDX-License-Identifier: Apache-2.0 */
/* The question about one setup, and the outcome. */
#ifndef FATHOM_VERIFY_SETUP_QUERY_H
#define FATHOM_VERIFY_SETUP_QUERY_H

#include "cluster/threads/shelf.h"
#include "verify/checkpoint.h"
#include "verify/explorer.h"
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
    /* By workload: true if it acts in every order, while of the others only one order is explored
     * (worker.h): what is violated is, what holds is not known to. NULL: all act in every order. */
    const bool *leads;
    bool lead_alone;       /* true if the others do nothing at all */
    bool modular;          /* each workload may be verified by itself (modular.h) ... */
    bool coupled_alone;    /* ... also if all workloads are coupled, for the pool (state/pool.h) */
    bool parts_for_sizes;  /* ... also to say more of other sizes (options.every_size) */
    bool components_first; /* ... also if the product is small, and before any search */
    bool pictures;         /* after every step */
    uint64_t states_most;
    uint64_t time_most_ms;
    uint32_t threads;       /* at most */
    uint32_t parallel_from; /* 0: as usual */
    const atomic_uint *threads_now;
    struct phases *phases; /* where the time goes; NULL: nobody asks */
    const atomic_bool *stop;
    atomic_uint_fast64_t *states;    /* so far, for the progress */
    struct population_shelf *shelf;  /* the thread's own; NULL: models are always new */
    const struct explorer *explorer; /* explores the product; NULL: explore_run */
    uint64_t states_before;          /* of other explorations of the setup, for the progress */

    /* How far the components are (modular.h), for the progress. May be NULL. */
    void (*tell_part)(void *telling, const struct part_news *news);
    void *telling;

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
    uint64_t goes_on;   /* bit i: by a loop */
    uint64_t doubted;   /* bit i: it holds if nodes that are alike share a fairness class, but maybe
                           not if fairness to each node is required (confirm_loops.c) */
    uint64_t undecided; /* bit i: a limit was reached first */
    bool images_could_decide; /* where pods go (ask/images.h) */
    uint64_t applied;         /* bit i: intent i applied somewhere (population_findings) */
    uint64_t came;            /* bit i: event i of the Check came somewhere */
    uint32_t components;      /* workloads were verified in so many parts; 0: together */
    uint64_t by_components;   /* bit i: that intent i holds was shown in these parts */
    struct parts *parts;      /* how workloads were decided; NULL: there is only one */
    struct population_findings findings;
    /* With options.every_size: the sizes for which the outcome is the same. */
    struct size_region sizes;
    enum population_reductions reductions;
    uint64_t placement;           /* with which runs begin (population_placement) */
    bool may_loop;                /* beside others: there may be loops that count as rest */
    enum explore_reason ended_by; /* EXPLORE_DECIDED: everything was explored */
    uint64_t states_most;         /* the limit that was set */
    uint64_t states;
    uint64_t transitions;
    uint64_t runs; /* of a search */
    uint32_t depth;
    struct arena arena;            /* of the stories */
    struct verify_result *results; /* by intent; filled in for those that are told */
};

/* How to make a model that is given up when the query's limits are reached; and why one
 * that was made so is not there. */
struct population_options setup_options(const struct setup_query *query,
                                        enum population_reductions reductions);
enum explore_reason setup_why_unmade(const struct population_options *how);

/* Some of the intents, and which of all they are. */
struct asked_intents {
    uint32_t *numbers;
    struct check_intent *items;
    uint32_t count;
};

struct asked_intents asked_intents(struct arena *arena, const struct setup_query *query,
                                   uint64_t wanted);

/* Has the user interrupted the run, or has its time passed since it started? */
bool setup_is_over(const struct setup_query *query, int64_t started_ns);

#endif
