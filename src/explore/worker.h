/* SPDX-License-Identifier: Apache-2.0 */
/* The part of a search that belongs to one thread: it expands states and stores their
 * successors in batches. */
#ifndef FATHOM_EXPLORE_WORKER_H
#define FATHOM_EXPLORE_WORKER_H

#include "explore/recents.h"
#include "explore/search.h"

enum { BATCH_SIZE = 64 };

/* A successor on its way into the store. */
struct batch_entry {
    uint64_t root;
    uint32_t hash;
    uint32_t length;
    uint32_t target; /* BATCH_KNOWN: the id of the successor, or EDGE_NO_TARGET */
    uint32_t recent; /* BATCH_STEP: 1 + the number of its entry in `recents`; 0: none */
    uint16_t label;  /* of the edge */
    uint8_t kind;    /* enum batch_kind */
    bool last;       /* the last record of the state that is expanded */
};

enum batch_kind {
    BATCH_STEP,  /* to be stored */
    BATCH_KNOWN, /* the target is known, or there is none: only the edge is to be kept */
};

struct search_worker {
    struct step_sink sink; /* first, see model.h */
    struct search *search; /* NULL: worker_init was never called */
    void *scratch;         /* what the model's worker_create gave */
    bool ready;            /* worker_init has succeeded */
    struct store_cursor cursor;
    struct recents recents;
    struct limit_watch watch;
    bool initial;         /* the model emits initial states at present */
    uint32_t state_steps; /* steps emitted since the current expansion began */
    uint32_t batch_count;
    struct batch_entry batch[BATCH_SIZE];
    struct region fresh; /* uint32_t: ids of new states whose atoms are not looked at yet */
    uint32_t fresh_count;
    uint64_t *fired;                  /* steps by action */
    uint64_t transitions;             /* all steps */
    uint64_t looked_up;               /* steps whose state was not recalled */
    uint64_t expanded;                /* states */
    uint64_t rests;                   /* states without steps */
    uint64_t atoms_seen, marks_seen;  /* in any state, on any step */
    struct edge_log log;              /* if edges are kept */
    struct labels_known labels_known; /* if edges are kept */
    char padding[CACHE_LINE]; /* so that the next worker, which another thread writes, is on another
                                 cache line */
};

/* False: out of memory; worker_release is called all the same. */
bool worker_init(struct search_worker *worker, struct search *search);
void worker_release(struct search_worker *worker);
/* Stores the initial states. */
void worker_add_initial(struct search_worker *worker);
/* Expands its share of the current level. */
void worker_run_level(struct search_worker *worker);
/* Makes room for a root or finds an id, unless another thread has done so since the roots had
 * changed so many times. False: the run is ending. */
bool worker_grow_roots(struct search_worker *worker, uint64_t root, uint64_t changes_seen);

#endif
