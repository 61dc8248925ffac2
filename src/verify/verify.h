/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Verification: every setup of a scope, smallest first, until every intent is
 * decided.
 *
 * An intent holds if it holds in all setups; it is violated in the first setup
 * in which it is, with the shortest counterexample there; it is undecided if a
 * limit ended the run before that.
 *
 * Setups are jobs over threads. Their outcomes are taken in the order of
 * scaling, and an outcome counts only if it is the one that a run with a single
 * thread would have had, so that everything reported but the times is the same
 * for any number of threads, as long as neither time nor memory runs out.
 */
#ifndef FATHOM_VERIFY_VERIFY_H
#define FATHOM_VERIFY_VERIFY_H

#include "cluster/population.h"
#include "cluster/story/story.h"
#include "explore/explore.h"
#include "verify/cover.h"
#include "verify/explorer.h"
#include "verify/shard.h"
#include "verify/shard_notes.h"

struct verify_progress {
    uint64_t setups_done;
    uint64_t setups_total;
    uint64_t states;
    int32_t nodes; /* the scale in hand */
    int32_t pods;
    double seconds;
};

/* How long to look for violations of what is undecided (search.h). */
struct verify_search_options {
    uint64_t steps_most; /* UINT64_MAX: no limit; so for the time; 0: do not look */
    uint64_t time_most_ms;
    uint64_t seed;
};

struct verify_options {
    struct population_options population;
    uint32_t jobs;          /* threads, for setups and within them; 0: one */
    uint32_t parallel_from; /* for tests: levels of so many states are shared; 0: as usual */
    bool exhaustive;        /* judge every intent in every setup */
    bool whole;             /* explore all workloads together, and never one by itself */
    bool coupled_alone;     /* workloads that are all coupled are explored as a component, too */
    bool components_first;  /* not even a small product is explored together at first */
    bool stop_at_first;     /* violation: what else there is stays undecided */
    bool over_before;       /* the limits were reached before the plan was made: nothing is known of
                               its setups, and none is explored */
    bool pictures;          /* of the cluster after every step of a counterexample */
    uint64_t states_most;   /* of all setups together; UINT64_MAX: no limit; so for the others */
    uint64_t time_most_ms;
    struct verify_search_options search;
    size_t memory_most;             /* of the whole process; 0: no limit */
    const atomic_bool *interrupted; /* may be NULL */
    void (*progress)(void *context, const struct verify_progress *progress); /* may be NULL */
    void (*part_progress)(void *context, const struct part_news *news);      /* may be NULL */
    void *progress_context;
    /* Where a run that ends early leaves what it has come to, and where an earlier one
     * is gone on with: with the same scope, intents and options, limits and threads
     * aside. Both may be NULL. `unit` tells runs of one file apart. */
    struct checkpoint_writer *checkpoint;
    const struct checkpoint_reader *resume;
    uint32_t unit;
    /* A shard explores only its own setups, and keeps their outcomes in the log; what it notes for
     * the others, and they for it, is in the notes. Whoever joins shards knows their outcomes.
     * Each may be NULL. */
    struct shard shard;
    struct shard_log *log;
    const struct shard_notes *notes;
    const struct known_outcomes *known;
    struct phases *phases; /* where the time goes; NULL: nobody asks */
    /* Other processes explore setups, too, whose groups of nodes all have a maximum. With `whole`.
     * NULL: none does. */
    const struct explorer *explorer;
};

/* Steps are numbered from 1; 0 is the initial state. */
struct verify_step {
    struct story_step told;
    int64_t time_ns;              /* since the start, as far as periodic controllers say */
    uint32_t choice;              /* which of the model's steps it is, from 0 */
    struct story_picture picture; /* after it; only if the options ask for pictures */
};

/* What a loop costs in which nodes come and go (node_cost.h). */
struct node_cost {
    const char *group;
    uint32_t added;   /* nodes that come in each round */
    double hours;     /* of nodes, a day: no more than these */
    double price;     /* of these hours */
    int64_t round_ns; /* a round takes as long as that, or longer; 0: that is not known */
};

struct verify_result {
    const struct check_intent *intent;
    enum verdict verdict;
    enum explore_reason reason; /* if undecided */
    const char *of_nothing;     /* if it holds of nothing, why: "no pod was ever ready"; NULL */
    const struct setup *setup;  /* the smallest that violates it; NULL: none */
    uint64_t asked;             /* bit i: intent i was judged in the same exploration */
    struct story_picture start; /* before the first step; only if the options ask for pictures */
    struct verify_step *steps;
    uint32_t step_count;
    uint32_t whose;   /* the workload that it is violated by, of the scope; UINT32_MAX: unknown */
    uint32_t initial; /* which of the initial states it begins with */
    enum population_reductions reductions;
    enum population_nodes nodes;  /* which nodes are distinguished in the run */
    struct story_causes causes;   /* the steps in which, or by which, it is violated */
    struct story_picture picture; /* at the end */
    struct story_values values;   /* of the parts of its expression, at the end */
    bool loops;
    uint32_t loop_from;  /* the steps from here on (from 0) repeat for ever */
    bool rests;          /* nothing happens any more after the last step */
    bool unconfirmed;    /* whether the loop is fair to each of the nodes that are alike took too
                            many states to find out */
    bool searched;       /* the run was found by a search (search.h): a shorter one may exist */
    bool race;           /* the loop exists only if slow steps hit busy states again and again */
    uint64_t violations; /* setups that violate it: all of them if exhaustive */
    struct node_cost *costs;
    uint32_t cost_count;
};

/* What a search for violations did after the limits were reached. */
struct verify_search {
    uint64_t runs; /* 0: there was none */
    uint64_t steps;
    uint32_t found; /* so many intents are violated by what it found */
};

struct verify_report {
    struct verify_result *results; /* by intent */
    uint32_t result_count;
    struct setups setups;
    struct cover_found sizes; /* which sizes the verdicts are about, if not just these setups */
    uint64_t setups_explored;
    uint8_t *verdicts; /* enum verdict by setup, then intent, of those explored; NULL unless
                          exhaustive */
    uint64_t states;
    uint64_t transitions;
    uint32_t depth;
    bool images_could_decide;     /* true if a pod could go elsewhere because of images that nodes
                                     have pulled */
    uint64_t applied;             /* bit i: intent i applied in some setup (intent_class.applies) */
    uint64_t came;                /* bit i: event i of the Check came in some setup */
    uint32_t components;          /* in some setup, workloads were verified in so many parts, none
                                     of which knows the others (modular.h); 0: always together */
    uint64_t by_components;       /* bit i: that intent i holds was shown so in some setup */
    enum explore_reason ended_by; /* EXPLORE_DECIDED: all is decided */
    struct verify_search search;
    double seconds;
    uint64_t peak_bytes;
    struct arena *story_arenas; /* released by verify_release */
    uint32_t story_arena_count;

    /* How workloads were decided, in the last setup that was not small; if the run ended early, in
     * the setup in hand. NULL: there is no such setup, or only one workload. */
    const struct parts *parts;
    unsigned part_reasons;    /* of all setups, of enum part_reason */
    struct arena parts_arena; /* of the parts; released by verify_release, too */
};

/* The intents and the scope outlive the report. */
void verify_run(struct arena *arena, struct memory *memory, const struct scope *scope,
                const struct check_intent *intents, uint32_t intent_count,
                const struct verify_options *options, struct verify_report *report);
void verify_release(struct verify_report *report);

/* How much of the memory that the options allow is left for exploring. */
size_t verify_memory_for_setups(const struct verify_options *options);

/* Did a limit or the user end it, so that more is to be found out? */
bool verify_ended_early(const struct verify_report *report);

/* Violated if any intent is; else undecided if any is; else holds. */
enum verdict verify_verdict(const struct verify_report *report);

#endif
