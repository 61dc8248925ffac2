/* SPDX-License-Identifier: Apache-2.0 */
/* What is compared of a population and its twin. */
#ifndef FATHOM_TEST_TWIN_COMPARE_H
#define FATHOM_TEST_TWIN_COMPARE_H

#include "base/map.h"
#include "base/vec.h"
#include "cluster/population.h"
#include "explore/explore.h"
#include "twin/twin.h"

enum { DEPTH_MOST = 400, ACTIONS_MOST = 128 };

/* SKIPPED: there is nothing to compare (the twin also says so of what is too large for it). */
enum result { SAME, DIFFERENT, SKIPPED, TOO_LARGE };

/* ---- graph.c: a graph, counted ---- */

struct graph {
    struct arena arena;
    const struct model *model;
    struct twin *twin; /* NULL: states are folded already */
    struct map states; /* words -> number + 1 */
    struct map folded; /* folded state -> number + 1 */
    struct map edges;  /* folded from, action, folded to */
    VEC(const uint32_t *) words;
    VEC(uint32_t) lengths;
    VEC(uint32_t) depths;
    VEC(uint32_t) folds;
    uint64_t at_depth[DEPTH_MOST];
    uint64_t of_action[ACTIONS_MOST];
    uint32_t depth;
    uint32_t limit;
    uint32_t only_before; /* an action; 0: there is no end */
    VEC(uint32_t) last;   /* the states after it */
    bool too_large;
};

void graph_build(struct graph *graph, struct memory *memory, const struct model *model,
                 struct twin *twin, uint32_t limit);
/* Up to steps of an action, which lead to `last`. */
void graph_build_until(struct graph *graph, struct memory *memory, const struct model *model,
                       struct twin *twin, uint32_t limit, uint32_t action);
/* As many states at every depth, and as many steps of every action? */
enum result compare_graphs(const struct graph *quotient, const struct graph *naive, bool tell);

/* ---- follow.c ---- */

/* Can the twin do what the counterexample does, and is it as bad there? */
bool twin_follows(struct memory *memory, const struct model *twin, const struct property *property,
                  const struct run_path *path);

/* ---- verdicts.c ---- */

/* A Check with its objects, and the setups of it. */
struct trial {
    struct memory memory;
    struct arena arena;
    struct problems problems;
    struct objects objects;
    const struct check *check;
    struct scope scope;
    struct setups setups;
};

bool trial_load(struct trial *trial, const char *file, const char *text);

struct totals {
    uint32_t replayed; /* counterexamples */
    uint32_t loops;    /* those that go on for ever */
    uint32_t unfair;   /* of these: to one of several nodes that are alike */
    uint32_t turns;    /* that are fair to each node, but not to all as one */
    uint32_t lazy;     /* loops of the twin in which somebody never acts */
    uint32_t focus;    /* populations whose workloads were explored one at a time (focus.c) */
    uint32_t guessed;  /* populations in which some pods may have started or not */
    uint32_t parts;    /* clusters that were verified in parts, too */
    uint32_t by_parts; /* intents of them that hold because each part says so */
    uint32_t clusters;
    uint32_t skipped;
    uint64_t states;
    uint64_t naive_states;
    uint64_t edges;
    uint64_t of_action[ACTIONS_MOST];
};

/* How populations of the trial are explored. */
struct population_options trial_options(const struct trial *trial,
                                        enum population_reductions reductions);

/* Intents that say nothing of readiness: it is left out then. */
bool intent_is_unaware(enum intent_kind kind);
/* Those for which the reductions of large setups leave it out. */
bool intent_is_patient(enum intent_kind kind);

/* One setup in both; `totals` may be NULL. */
enum result try_setup(struct trial *trial, const struct setup *setup, uint32_t limit, bool tell,
                      struct totals *totals);

#endif
