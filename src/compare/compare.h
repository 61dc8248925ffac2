/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What a change changes: two Checks, or one under two versions of Kubernetes, by what can happen
 * and not by their lines.
 *
 * Both are verified, and the graphs of their setups compared: states with what can be seen of them
 * (numbers of pods by node, stage and workload; names do not count), steps with who takes them,
 * and which intents they matter to. Graphs are equal if no observer can tell them apart
 * (bisimulation). Where only the order of documents and keys differs, nothing is explored.
 */
#ifndef FATHOM_COMPARE_COMPARE_H
#define FATHOM_COMPARE_COMPARE_H

#include "base/budget.h"
#include "base/vec.h"
#include "verify/plan.h"
#include "verify/verify.h"

struct compare_side {
    const struct verify_plan *plan;
    struct verify_options run; /* with the features of the version */
    struct verify_report found;
};

/* An intent of one side or both. */
struct compared_intent {
    const struct verify_result *old; /* NULL: it is not there */
    const struct verify_result *new;
};

/* The reachable numbers of ready pods of a workload, in one setup. */
struct compared_ready {
    const char *workload;
    uint32_t old_least, old_most; /* least: once all were ready for the first time */
    uint32_t new_least, new_most;
    uint32_t old_steps, new_steps; /* from the state with the longest way back to all ready;
                                      UINT32_MAX: there is no way back */
};

enum compare_verdict { COMPARE_EQUAL, COMPARE_DIFFERENT, COMPARE_UNKNOWN };

struct comparison {
    struct compare_side old;
    struct compare_side new;
    enum compare_verdict verdict;
    bool same_objects;  /* the documents are the same: nothing was compared */
    bool sizes_differ;  /* the sizes of the scopes do */
    bool scopes_differ; /* workloads or groups of nodes have no counterpart */
    VEC(struct compared_intent) intents;
    struct string_list left_out; /* sizes that are not compared, a sentence each */
    uint32_t setups_equal;       /* that were compared and are equal */
    uint32_t setup_count;
    const struct setup *setup;     /* of OLD, in which the graphs differ; NULL: none */
    const struct setup *new_setup; /* the same of NEW */
    uint64_t old_states, new_states;
    VEC(const char *) appear; /* placements that become possible there, the nearest first */
    VEC(const char *) vanish;
    uint32_t appear_count;
    uint32_t vanish_count;
    VEC(struct compared_ready) ready; /* of workloads for which it differs */
    const char *unknown;              /* why it is not decided */
};

/* The plans outlive the comparison, and `old` and `new` have plans and options. */
void compare_run(struct arena *arena, struct memory *memory, struct comparison *comparison);
void compare_release(struct comparison *comparison);

/* ---- for the files of this folder ---- */

/* A text with the names of one side in place of which numbers stand. */
struct compare_names {
    const char **names; /* sorted by nothing; looked up one by one */
    const char **ids;
    uint32_t count;
};

struct compare_state {
    const char *label; /* normalised */
    uint64_t atoms;    /* what intents see of it */
    uint64_t class;
    uint32_t first_edge;
    uint32_t edge_count;
    uint32_t depth;
};

struct compare_edge {
    uint32_t action;
    uint32_t to;
    bool outside;
    uint64_t marks; /* what intents see of it */
};

struct compare_graph {
    struct arena *arena;
    VEC(struct compare_state) states;
    VEC(struct compare_edge) edges;
    uint32_t initial_count; /* the first states */
    bool complete;
    bool doubtful; /* more may happen: that graphs are the same proves nothing */
};

/* False: there are more states than `most`, the budget is over, or the model cannot be made. */
bool compare_graph_make(struct arena *arena, struct memory *memory, const struct compare_side *side,
                        const struct setup *setup, const struct compare_names *names, uint32_t most,
                        const struct budget *budget, struct compare_graph *graph);
/* Can no observer tell them apart? Classes of both are comparable afterwards. */
bool compare_graphs_equal(struct arena *arena, struct compare_graph *left,
                          struct compare_graph *right);

/* Ready pods of the workload with this id in a label, and how many it wants. */
uint32_t compare_label_ready(const char *label, const char *id);
uint32_t compare_label_wanted(const char *label, const char *id);

#endif
