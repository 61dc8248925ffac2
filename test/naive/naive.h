/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The naive engine: the meaning of explore/model.h, written as plainly as it
 * can be, to judge the real engine by.
 *
 * It keeps every state and every step of a model in plain lists, in the order
 * of a sequential breadth-first search, and answers each property from that
 * graph. Fair cycles are found by the fixpoint of Emerson and Lei ("states from
 * which every obligation can still be met within the set"), not by components
 * as the real engine does. No limits, no threads, no compression: for models of
 * a few thousand states.
 */
#ifndef FATHOM_TEST_NAIVE_NAIVE_H
#define FATHOM_TEST_NAIVE_NAIVE_H

#include "base/vec.h"
#include "explore/explore.h"

enum { NAIVE_CLASSES_MOST = 64, NAIVE_NOWHERE = -1 };

struct naive_state {
    uint32_t *words;
    uint32_t length;
    uint32_t depth;
    int64_t parent; /* state, or NAIVE_NOWHERE for an initial one */
    uint32_t index; /* of the step from the parent, or of the initial state */
    uint64_t atoms;
    uint64_t enabled; /* fairness classes, as a mask */
    uint32_t open;    /* gates, as a mask */
    uint32_t first_edge, edge_count;
    bool may_rest; /* no step, or outside events only */
};

struct naive_edge {
    uint32_t from, to;
    uint32_t index; /* in the order of expand */
    uint32_t action;
    uint32_t fairness;
    uint64_t marks;
};

struct naive_graph {
    struct arena *arena;
    const struct model *model;
    VEC(struct naive_state) states; /* in breadth-first order */
    VEC(struct naive_edge) edges;   /* by state they leave, in order */
    uint32_t *slots;                /* state index + 1 by hash of the words */
    uint32_t slot_count;
    uint32_t initial_count;
    uint32_t depth;
    void *worker;
};

/* Explores the whole model. The graph lives in the arena. */
void naive_explore(struct naive_graph *graph, struct arena *arena, const struct model *model);

/* The state's index or NAIVE_NOWHERE. */
int64_t naive_find(const struct naive_graph *graph, const uint32_t *words, uint32_t length);

struct naive_answer {
    bool violated; /* for REACHABLE: not reachable */
    /* Of a safety counterexample or witness: where the path ends, and with
     * which edge beyond that state (NAIVE_NOWHERE: none). */
    bool has_path;
    uint32_t state;
    int64_t edge;
    uint32_t length; /* steps */
};

struct naive_answer naive_judge(const struct naive_graph *graph, const struct property *property);

/* NULL if `path` really shows what the property forbids (or, for REACHABLE,
 * asks for); otherwise what is wrong with it. */
const char *naive_refute_path(const struct naive_graph *graph, const struct property *property,
                              const struct run_path *path);

#endif
