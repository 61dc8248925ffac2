/* SPDX-License-Identifier: Apache-2.0 */
/*
 * One run of the search, which all its files work on.
 *
 * The calls of a run, in order:
 *
 *     explore.c     explore_run: sets up, calls the rest, gathers the result
 *     bfs.c         bfs_run: level after level, until done or a limit
 *     worker.c      expands states, packs and stores successors in batches
 *     id_limit.c    keeps the limit on states
 *     room.c        enlarges the table of states between levels
 *     suspects.c    which states may be in a cycle at all
 *     cycle.c       judges liveness on the kept edges
 *     lasso.c       the way into a fair cycle and around it
 *     explain.c     the paths of safety properties
 *     trail_find.c  the way to a violation of safety
 *     replay.c      re-executes what lasso.c or trail_find.c found on the model
 *     snapshot.c    saves a search that a limit ended, to resume it later
 */
#ifndef FATHOM_EXPLORE_SEARCH_H
#define FATHOM_EXPLORE_SEARCH_H

#include "explore/edges.h"
#include "explore/explore.h"
#include "explore/gate.h"
#include "explore/limit.h"
#include "explore/phases.h"
#include "explore/store.h"
#include "explore/team.h"

#include <assert.h>

/* Ids begin..end-1 have this depth. Levels follow each other in order of depth;
 * a level that several threads made has gaps, hence several ranges. */
struct level_range {
    uint32_t begin, end, depth;
};

/* When state `expanding` was about to be expanded, ids below `next` were given. */
struct checkpoint {
    uint32_t expanding, next;
};

/* What the run knows about one property. */
struct property_state {
    atomic_bool hit;      /* a safety violation (or witness) was met */
    bool decided;         /* the verdict stands in the result */
    uint32_t path_length; /* of a safety property: steps of the shortest path to the hit */
};

struct search_worker; /* worker.h */

struct search {
    const struct model *model;
    const struct explore_options *options;
    struct memory *memory;
    struct exploration *result;
    struct property_state *properties;

    struct store store;
    struct gate gate;
    struct team team;
    struct search_worker *workers;
    uint32_t worker_count;
    struct limits limits;

    /* Levels. */
    struct region ranges; /* struct level_range, in order of depth */
    uint32_t range_count;
    uint32_t level_first;   /* index of the first range of the current level */
    uint32_t level_last;    /* index behind its last range; the next level's ranges follow */
    uint32_t next_begin;    /* the first id of the next level */
    uint32_t depth;         /* of the states of the current level */
    uint64_t level_size;    /* states of the current level */
    uint64_t level_done;    /* how many of them are expanded; only whole segments count */
    uint64_t level_end;     /* what level_done will be when the current segment is whole */
    uint64_t state_count;   /* states stored, without those of the current segment */
    uint32_t expanded_ids;  /* states with smaller ids are in levels that are expanded wholly */
    uint32_t level_threads; /* threads that work on the current segment */
    uint32_t level_block;   /* ids that a thread took at once when the level was found */
    atomic_uint_fast64_t level_next; /* position in the level that no thread has taken yet */
    bool parallel; /* several threads have expanded states, in this run or the one resumed */
    bool shared;   /* several threads have expanded states in this run */
    struct region checkpoints; /* struct checkpoint; none is added once `parallel` is set */
    uint32_t checkpoint_count;
    uint64_t liveness_at; /* number of states at which cycles are looked for next */

    /* What to look at while searching; set anew for each level. */
    bool watch_states;    /* atoms of new states matter */
    bool watch_deadlock;  /* states without steps matter */
    uint64_t watch_marks; /* steps with one of these marks matter */

    /* Kept for liveness. */
    bool keeps_edges;
    struct edges edges;
    struct region atoms; /* packed atoms by id */
    struct atom_packing packing;

    /* For phases: what level_job measures in the current segment, and totals of the search. */
    atomic_uint_fast64_t segment_work_ns, segment_inside_ns;
    uint64_t growing_ns; /* by whoever has closed the gate */

    struct boundary *boundary; /* what a snapshot would save; NULL: nobody wants one */
    struct region node_gaps;   /* struct id_block: ids of store.nodes that no node has */
    uint32_t node_gap_count;
};

static inline const struct level_range *search_range(const struct search *search, uint32_t index)
{
    assert(index < search->range_count);
    return (const struct level_range *)search->ranges.base + index;
}

/* Has a limit been reached, or somebody ended the search? */
static inline bool search_ending(struct search *search)
{
    return limits_reason(&search->limits) != EXPLORE_DECIDED;
}

/* How many threads may work at present. */
static inline uint32_t search_threads(const struct search *search)
{
    const atomic_uint *now = search->options->threads_now;
    const uint32_t allowed = now ? atomic_load_explicit(now, memory_order_relaxed) : UINT32_MAX;
    const uint32_t threads = allowed < search->worker_count ? allowed : search->worker_count;
    return threads > 0 ? threads : 1;
}

static inline uint64_t search_atoms(const struct search *search, void *scratch,
                                    const uint32_t *words, uint32_t length)
{
    const struct model *model = search->model;
    return model->atoms ? model->atoms(model, scratch, words, length) : 0;
}

#endif
