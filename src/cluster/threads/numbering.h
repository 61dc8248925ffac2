/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Numbers that several workers have in common.
 *
 * A state has numbers of node configs, of what autoscalers remember and of cohorts. A worker
 * gives them as it meets these things; what was known when the model was finished has the
 * same number in every worker, what comes later has not. The numbering has one more table of
 * each, of which states that go from thread to thread bear the numbers. What a number stands
 * for is looked up there, with a lock, the first time that a worker meets it and never again.
 *
 * Node configs, of which every state has many, have their common numbers in every worker's
 * catalog, with gaps for what it has not met. The others are few and are translated.
 */
#ifndef FATHOM_CLUSTER_THREADS_NUMBERING_H
#define FATHOM_CLUSTER_THREADS_NUMBERING_H

#include "base/arena.h"
#include "base/vec.h"
#include "base/word_lists.h"
#include "cluster/forward.h"

#include <pthread.h>

struct word_list;

/* What a state has numbers of. */
enum number_table { TABLE_CONFIGS, TABLE_MEMORIES, TABLE_COHORTS, TABLE_NODE_COHORTS, TABLE_COUNT };

/* ---- one worker's numbers ---- */

/* How many numbers the worker has given. */
uint32_t numbers_given(struct worker *worker, enum number_table table);
/* What a number of the worker stands for, as words. They may lie in `arena`. */
struct word_list number_content(struct arena *arena, struct worker *worker, enum number_table table,
                                uint32_t number);
/* The worker's number of what the words stand for. */
uint32_t number_intern(struct worker *worker, enum number_table table,
                       const struct word_list *content);
/* Can the words, which come from a file, be those of a config of the worker's model? */
bool number_config_is_sound(const struct worker *worker, const struct word_list *content);

/* ---- numbers in common ---- */

struct numbering {
    pthread_mutex_t mutex; /* It guards the rest while several threads are at work. */
    struct arena arena;    /* It holds the tables. */
    struct word_lists tables[TABLE_COUNT];
};

typedef VEC(uint32_t) number_list;

/* A worker that takes part in the numbering, from the first call of numbered_share or numbered_join
 * on. */
struct numbered_worker {
    struct numbering *numbering;
    struct worker *worker;
    /* Of the tables but the configs', whose numbers are the common ones in every catalog. */
    number_list common[TABLE_COUNT]; /* This has the common number, by the worker's. */
    number_list own[TABLE_COUNT];    /* This has the worker's number, by the common one. */
};

void numbering_init(struct numbering *numbering, struct memory *memory);
void numbering_release(struct numbering *numbering);

/* All numbers that the worker, which is the first, has given are the common ones. */
void numbered_share(struct numbered_worker *numbered);
/* The worker is a further one: what it has numbered so far was known to the first. */
void numbered_join(struct numbered_worker *numbered);

/* A state that another worker may have given comes in: its configs are made known, and the
 * other numbers become the worker's, in place. */
void numbered_learn(struct numbered_worker *numbered, const uint32_t *words, uint32_t length);
void numbered_to_own(struct numbered_worker *numbered, uint32_t *words);
/* A state of the worker goes out: its numbers become the common ones, in place. */
void numbered_to_common(struct numbered_worker *numbered, uint32_t *words);

#endif
