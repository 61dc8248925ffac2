/* SPDX-License-Identifier: Apache-2.0 */
/*
 * One exploration on one rank, which all files of it work on:
 *
 *     rank_explore.c  the levels, and the result
 *     rank_expand.c   expands a state and takes its successors to their owners
 *     rank_snapshot.c the search at the end of a level in a file
 *     rank_order.c    the order of the new states of a level over all ranks
 *     rank_path.c     what was hit, and the way there
 *     rank_trim.c     which states may be on a cycle
 *     rank_gather.c   their steps on rank 0
 *     rank_graph.c    the gathered graph as a model
 *     rank_judge.c    liveness
 */
#ifndef FATHOM_RANKS_RANK_RUN_H
#define FATHOM_RANKS_RANK_RUN_H

#include "explore/region.h"
#include "explore/trail.h"
#include "ranks/rank_explore.h"
#include "ranks/state_table.h"

#define NO_RANK UINT32_MAX

/* Where a state was first met: a step of a state of some rank; of an initial state the index. */
struct origin {
    uint32_t rank, id, step;
};

/* The place of a step in the order of all steps out of a level. */
struct step_key {
    uint64_t order; /* of its state */
    uint32_t step;
};

/* The first violation (or witness) of a property. */
struct rank_hit {
    struct step_key key; /* order UINT64_MAX: none */
    uint32_t id;
};

/* What is known of a property on all ranks. */
struct rank_property {
    bool decided;
    uint32_t rank, id;   /* the state in which it was decided */
    uint32_t step;       /* of a step invariant: the bad step out of it */
    struct rank_hit hit; /* of the level in hand, on this rank */
};

/* What is done with successors that come in. */
enum rank_pass {
    PASS_SEARCH, /* they are stored */
    PASS_TRIM,   /* one arrival less */
    PASS_GATHER, /* the step goes to rank 0 */
};

enum record_kind {
    RECORD_TELL,   /* for the codec */
    RECORD_STEP,   /* a successor: head, words */
    RECORD_KEY,    /* rank_order.c */
    RECORD_NUMBER, /* rank_order.c */
    RECORD_EDGE,   /* rank_gather.c */
    RECORD_NODE,   /* rank_gather.c */
    RECORD_BEGIN,  /* rank_gather.c */
};

/* Before the words of a successor. */
struct step_head {
    uint32_t kind;
    uint32_t source; /* the number of its state; when gathering, its number among the gathered */
    uint32_t step;
    uint32_t fairness;
    uint64_t order; /* of its state in its level */
    uint64_t marks;
};
enum { HEAD_WORDS = sizeof(struct step_head) / sizeof(uint32_t) };

/* A record of the gathered graph. */
struct graph_edge {
    uint32_t source;
    uint32_t step; /* in the order of the source's steps */
    uint32_t target;
    uint32_t fairness;
    uint64_t marks;
};
enum {
    EDGE_WORDS = sizeof(struct graph_edge) / sizeof(uint32_t),
};
#define TARGET_ENABLES (UINT32_MAX - 1) /* no step: the class is enabled */
#define TARGET_OPENS   (UINT32_MAX - 2) /* no step: the gate (in `fairness`) is open */
#define TARGET_OUTSIDE (UINT32_MAX - 3) /* a state that was not gathered */

struct graph_node {
    uint32_t number, padding;
    uint64_t atoms;
};
enum { NODE_WORDS = sizeof(struct graph_node) / sizeof(uint32_t) };

struct graph_begin {
    uint32_t index, number;
};

/* Items of one size in a region. */
struct list {
    struct region items;
    uint32_t count;
};

struct rank_run {
    const struct model *model;
    const struct rank_options *options;
    struct link *link;
    struct memory *memory;
    struct exploration *result;
    void *scratch;       /* the model's worker */
    bool scratch_is_own; /* it has to be freed */
    enum rank_pass pass;
    enum explore_reason reason; /* what ended the run */
    int64_t started_ns, deadline_ns;
    int64_t saved_ns; /* when the search was saved last, or had begun */
    struct rank_property *properties;
    bool keeps_paths;  /* some property is about single states or steps */
    bool keeps_cycles; /* some property is about loops */

    struct state_table table;
    struct list origins;  /* struct origin by id, if paths are kept */
    struct list arrivals; /* uint32_t by id: steps into it, if cycles are kept */
    struct list rests;    /* uint8_t by id: a run may stay there, if cycles are kept */

    /* The level in hand, of which each rank has a range of ids. */
    uint32_t level_begin, level_end;
    uint64_t level_total; /* of all ranks */
    uint32_t depth;
    uint64_t states_total;
    struct list orders;     /* uint64_t by id in the level */
    struct list new_orders; /* the same of the next level */
    struct list new_keys;   /* struct step_key by id in the next level: the first step to it */
    struct list new_atoms;  /* uint64_t by id in the next level */
    uint32_t initial_count; /* initial states that the model emits */

    /* The state in hand. */
    uint32_t expanding;
    struct step_key expanding_key; /* of its first step */
    struct list emitted;           /* uint32_t: heads, lengths and words of its successors */
    uint32_t emitted_steps;
    uint32_t *from; /* its words; also a record that is sent */
    uint32_t *incoming;
    bool binds; /* it has a step, or a class enabled, that a run may not put off for ever */
    uint32_t polls;

    struct list keys; /* struct ordered_key: those that this rank puts into order */

    /* Trimming, gathering. */
    struct list queue, next_queue; /* uint32_t: states to be taken away */
    struct list numbers;           /* uint32_t by id: its number in the graph; STATE_NONE: none */
    struct list edges;             /* struct graph_edge: to be sent to rank 0 */
    struct list gathered_edges;    /* struct graph_edge, on rank 0 */
    struct list gathered_nodes;    /* struct graph_node */
    struct list gathered_begins;   /* struct graph_begin */
    uint32_t gathering_source;
};

static inline void list_init(struct list *list, struct memory *memory)
{
    region_init(&list->items, memory);
    list->count = 0;
}

static inline void list_release(struct list *list)
{
    region_release(&list->items);
    list->count = 0;
}

/* The place of one more item; NULL: there is no memory. */
void *list_push(struct list *list, size_t item_bytes);

#define LIST_AT(list, type, at) (&((type *)(list)->items.base)[at])

/* The first reason to end stands. */
static inline void rank_end(struct rank_run *run, enum explore_reason reason)
{
    if (run->reason == EXPLORE_DECIDED)
        run->reason = reason;
}

/* Has this rank a reason to end? It still takes in what others send. */
static inline bool rank_is_ending(const struct rank_run *run)
{
    return run->reason != EXPLORE_DECIDED || run->link->broken;
}

static inline uint64_t rank_atoms(struct rank_run *run, const uint32_t *words, uint32_t length)
{
    return run->model->atoms ? run->model->atoms(run->model, run->scratch, words, length) : 0;
}

static inline bool key_before(struct step_key left, struct step_key right)
{
    return left.order != right.order ? left.order < right.order : left.step < right.step;
}

/* ---- rank_explore.c ---- */
/* All learn of the reason of any; true: none has one. */
bool rank_agree(struct rank_run *run);
void rank_check_limits(struct rank_run *run);

/* ---- rank_snapshot.c ---- */
/* At the end of a level. */
void rank_snapshot_save(const struct rank_run *run, struct bytes_out *out);
/* Into a search that has just been set up. False: it does not fit (in->bad), or there is no
 * memory. */
bool rank_snapshot_load(struct rank_run *run, struct bytes_in *in);

/* ---- rank_expand.c ---- */
/* The link's receiver. */
void rank_receive(void *context, uint32_t from, const uint32_t *record, uint32_t words);
void rank_add_initial(struct rank_run *run);
/* `key.order` is that of the state in its level. */
void rank_expand(struct rank_run *run, uint32_t id, uint64_t order);
bool rank_property_is_open(const struct rank_run *run, uint32_t property, enum property_kind kind);

/* ---- rank_order.c ---- */
/* Orders the states that came in the level just expanded. False: ending. */
bool rank_order_new(struct rank_run *run);
void rank_take_key(struct rank_run *run, uint32_t from, const uint32_t *record);
void rank_take_number(struct rank_run *run, const uint32_t *record);

/* ---- rank_path.c ---- */
void rank_note_hit(struct rank_run *run, uint32_t property, struct step_key key, uint32_t id);
/* Decides what was hit in the level just expanded. False: broken. */
bool rank_gather_hits(struct rank_run *run);
void rank_explain(struct rank_run *run);
/* Executes the trail on the model. False: no memory. */
bool rank_replay(struct rank_run *run, uint32_t property, struct trail *trail);

/* ---- rank_trim.c ---- */
/* Afterwards no state that was taken away has arrivals. False: ending. */
bool rank_trim(struct rank_run *run);

/* ---- rank_gather.c ---- */
/* The steps out of the states that are left (or all) go to rank 0. False: ending. */
bool rank_gather(struct rank_run *run, bool all);
void rank_take_graph(struct rank_run *run, const uint32_t *record);
void rank_gather_step(struct rank_run *run, const struct step_head *head, const uint32_t *words,
                      uint32_t length);
void rank_gather_release(struct rank_run *run);

/* ---- rank_graph.c ---- */
/* Rank 0: judges one property on the gathered graph; NULL: no memory. If all states were gathered,
 * runs begin where the model's do, else anywhere. */
struct exploration *rank_judge_graph(struct rank_run *run, const struct property *property,
                                     bool all);

/* ---- rank_judge.c ---- */
void rank_judge_liveness(struct rank_run *run);

#endif
