/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What the files of the exact search share: one run (`struct search`) and the
 * part of it that belongs to each thread (`struct worker`).
 *
 * The calls of a run, in order:
 *
 *     explore.c   explore_run: sets up, calls the rest, gathers the result
 *     bfs.c       bfs_run: level after level, until done or a limit
 *     worker.c    expands states, packs and stores successors in batches
 *     id_limit.c  keeps the limit on states
 *     suspects.c  which states may be in a cycle at all
 *     cycle.c     judges liveness on the kept edges
 *     trail.c     the way to a violation of safety
 *     lasso.c     the way into a fair cycle and around it
 *     replay.c    re-executes what trail.c or lasso.c found on the model
 *     snapshot.c  saves a search that a limit ended, to go on with it some day
 */
#ifndef FATHOM_EXPLORE_EXPLORE_INTERNAL_H
#define FATHOM_EXPLORE_EXPLORE_INTERNAL_H

#include "explore/edges.h"
#include "explore/explore.h"
#include "explore/gate.h"
#include "explore/limit.h"
#include "explore/recents.h"
#include "explore/store.h"
#include "explore/team.h"

enum { BATCH_SIZE = 64 };

/* Ids begin..end-1 have this depth. Levels follow each other in order of depth;
 * a level that several threads made has gaps, hence several ranges. */
struct level_range {
    uint32_t begin, end, depth;
};

/* When state `expanding` was about to be expanded, ids below `next` were given. */
struct checkpoint {
    uint32_t expanding, next;
};

/* A successor on its way into the store. */
struct batch_entry {
    uint64_t root;
    uint32_t hash;
    uint32_t length;
    uint32_t target; /* BATCH_KNOWN */
    uint32_t recent; /* BATCH_STEP: the number of its entry there, plus one; 0: none */
    uint16_t label;
    uint8_t kind; /* enum batch_kind */
    bool last;    /* of its state */
};

enum batch_kind {
    BATCH_STEP,  /* to be stored */
    BATCH_KNOWN, /* the target is known, or there is none: only the edge is to be kept */
};

struct worker {
    struct step_sink sink; /* first, see model.h */
    struct search *search;
    void *scratch; /* the model's */
    bool ready;    /* all of it is there */
    struct store_cursor cursor;
    struct recents recents;
    struct limit_watch watch;
    bool initial;       /* the steps that come are initial states */
    uint32_t new_depth; /* of states that are added now */
    uint32_t state_steps;
    uint32_t batch_count;
    struct batch_entry batch[BATCH_SIZE];
    struct region fresh; /* ids of new states whose atoms are still to be looked at */
    uint32_t fresh_count;
    uint64_t *fired;
    uint64_t transitions, expanded, rests;
    uint64_t atoms_seen, marks_seen;
    struct edge_log log;
    struct label_known *labels_known; /* if edges are kept */
    char apart[CACHE_LINE];           /* from the next worker */
};

/* What the run knows about one property. */
struct property_state {
    atomic_bool hit;      /* a safety violation (or witness) was met in this level */
    bool decided;         /* and the verdict stands in the result */
    uint32_t path_length; /* steps of the shortest path to it */
};

struct search {
    const struct model *model;
    const struct explore_options *options;
    struct memory *memory;
    struct exploration *result;
    struct property_state *properties;

    struct store store;
    struct gate gate;
    struct team team;
    struct worker *workers;
    uint32_t worker_count;
    struct limits limits;

    /* Levels. */
    struct region ranges;
    uint32_t range_count;
    uint32_t level_first; /* index of the current level's first range ... */
    uint32_t level_last;  /* ... and of the first behind: of the next level */
    uint32_t next_begin;  /* ids of the next level begin here */
    uint32_t depth;       /* of the current level */
    uint64_t level_size;
    uint64_t level_done; /* states of it that were expanded: whole segments */
    uint64_t level_end;  /* of the segment in work */
    uint64_t state_count;
    uint32_t expanded_ids;  /* states below are expanded, those from here on are not */
    uint32_t level_threads; /* that work on it */
    uint32_t level_block;   /* so many ids of it one thread took at once */
    atomic_uint_fast64_t level_next;
    bool parallel;             /* several threads have had a part in it ... */
    bool shared;               /* ... since this run began */
    struct region checkpoints; /* until then */
    uint32_t checkpoint_count;
    uint64_t liveness_at; /* look for cycles when so many states are known */

    /* What to look at while searching; set anew for each level. */
    bool watch_states, watch_deadlock;
    uint64_t watch_marks;

    /* Kept for liveness. */
    bool keeps_edges;
    struct edges edges;
    struct region atoms; /* packed atoms by id */
    struct atom_packing packing;

    struct boundary *boundary; /* snapshot.c; NULL: nobody wants one */
    struct region node_gaps;   /* struct id_block: ids of nodes that stand for nothing */
    uint32_t node_gap_count;
};

static inline const struct level_range *search_range(const struct search *search, uint32_t index)
{
    return (const struct level_range *)search->ranges.base + index;
}

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

/* explore.c: the paths of all safety properties that are decided and have none yet. */
void explain_safety(struct search *search);

/* worker.c */
bool worker_init(struct worker *worker, struct search *search);
void worker_release(struct worker *worker);
void worker_add_initial(struct worker *worker);
/* Expands its share of the current level. */
void worker_run_level(struct worker *worker);
/* Makes room in one of the store's sets, or finds an id; false: the run is ending. */
bool worker_grow(struct worker *worker, struct pair_set *set, uint64_t slots_seen);

/* id_limit.c: how many ids the states of the next segment may have; before it begins. */
void search_limit_ids(struct search *search);
/* The limit leaves no id for the thread's next state. */
bool worker_lacks_ids(const struct worker *worker);
/* Finds it one; all other threads stand still (gate.h). False: there is no room for it. */
bool worker_obtain_ids(struct worker *worker);

/* bfs.c */
void bfs_run(struct search *search);
bool property_is_liveness(const struct property *property);

/* snapshot.c: what the search has come to with the last whole segment. */
bool search_snapshot_init(struct search *search);
void search_snapshot_release(struct search *search);
void search_snapshot_mark(struct search *search);
bool search_snapshot_is_possible(const struct search *search);
void search_snapshot_save(struct search *search, struct bytes_out *out);
/* Into a search that has just been set up. False: it does not fit (in->bad), or there
 * is no memory. */
bool search_snapshot_load(struct search *search, struct bytes_in *in);

/* cycle.c: decides liveness on the states expanded so far. A violation is final;
 * `complete` tells whether its absence is. */
void cycle_judge(struct search *search, bool complete);

/* The way to a violation, by ids of states: steps[i] leads from ids[i] to ids[i + 1]. The last id
 * is PAIR_SET_NONE if a limit ended the run before the state behind a bad step was stored. */
struct trail {
    struct memory *memory;
    uint32_t *ids;
    uint32_t *steps;
    uint32_t count; /* steps */
    uint32_t capacity;
    bool begun; /* it has a first state */
    uint32_t initial_index;
    bool loops, rests;
    uint32_t loop_from;
};

/* trail.c */
void trail_init(struct trail *trail, struct memory *memory);
void trail_release(struct trail *trail);
void trail_clear(struct trail *trail); /* empty again, the memory is kept */
bool trail_push(struct trail *trail, uint32_t step, uint32_t id); /* the first: step ignored */
/* The first shortest path to a violation of a safety property. False: out of memory. */
bool trail_find(struct search *search, uint32_t property_index, struct trail *trail);

/* replay.c: fills `path`; bug() if the trail does not hold up. False: out of memory. */
bool replay_trail(struct search *search, const struct property *property, const struct trail *trail,
                  struct path *path);
void path_release(struct path *path, struct memory *memory);

/* lossy.c: the whole run in the modes that do not store states. */
void lossy_run(struct search *search);

#endif
