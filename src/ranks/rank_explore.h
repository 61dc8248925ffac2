/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Explores a model on several ranks together and judges its properties, as explore_run does.
 *
 * Each state has an owner, a rank, by the hash of what it is. The owner stores it, expands it, and
 * sends its successors to their owners. All states of one depth are expanded before any of the
 * next. Then the new states are numbered over all ranks in the order in which a search with a
 * single thread would find them (rank_order.c), so each knows the predecessor on its first
 * shortest path. Verdicts, counts and counterexamples of a run that no limit ended are therefore
 * those of explore_run with `all`, for any number of ranks.
 *
 * Liveness is judged when all states are known: states that no state leads to are taken away
 * until there are none (rank_trim.c). What is left goes to rank 0, as a graph without states
 * (rank_gather.c), which the checker core judges. Only if that does not decide, or if a loop
 * has to be shown, rank 0 gets the whole graph.
 *
 * A limit that any rank reaches ends the run for all, with UNDECIDED for what is not decided. What
 * was saved before (rank_snapshot.c) is where a later run of as many ranks goes on.
 */
#ifndef FATHOM_RANKS_RANK_EXPLORE_H
#define FATHOM_RANKS_RANK_EXPLORE_H

#include "base/bytes.h"
#include "explore/explore.h"
#include "ranks/codec.h"
#include "ranks/link.h"

/* What one rank did, over all explorations. */
struct rank_statistics {
    uint64_t states;      /* that it owns */
    uint64_t expanded;    /* expansions, repeated ones included */
    uint64_t transitions; /* out of its states, each once */
    uint64_t sent;        /* of these, to states of other ranks */
    uint64_t levels;
    uint64_t gathered; /* states whose steps went to rank 0 */
    double cpu_seconds;
};

/* Saves the search from time to time, at the end of a level, and goes on with one that was saved.
 * All ranks have one of these, or none has. */
struct rank_keeping {
    void *context;
    uint64_t interval_ms; /* at least so long from one time to the next; that of rank 0 counts */
    bool saves;           /* the same on all ranks */
    /* The place to write to; NULL: it cannot be written. */
    struct bytes_out *(*begin)(void *context);
    /* All is written. False: it could not be. */
    bool (*end)(void *context);
    /* Every rank knows whether all of them could write. */
    void (*settle)(void *context, bool all);
    struct bytes_in *resume; /* NULL, on all ranks: the search begins anew */
    /* Can the model have this state, which was read? NULL: it may be taken for one. */
    bool (*is_sound)(void *context, const uint32_t *words, uint32_t length);
};

struct rank_options {
    const struct explore_options *explore; /* those of rank 0 count: limits of time and states */
    struct link *link;
    const struct codec *codec;
    struct rank_statistics *statistics;
    const struct rank_keeping *keeping; /* NULL: nothing is saved */
};

/* To be called by all ranks with the same model. NULL: there is no memory even for the result;
 * the others are not kept waiting. Paths are only in the result of rank 0. */
struct exploration *rank_explore(const struct model *model, const struct rank_options *options,
                                 struct memory *memory);

#endif
