/* SPDX-License-Identifier: Apache-2.0 */
/* Results of syncs that are kept, because deciders are asked the same question many times. */
#ifndef FATHOM_CLUSTER_STATE_MEMOS_H
#define FATHOM_CLUSTER_STATE_MEMOS_H

#include "base/arena.h"
#include "base/vec.h"
#include "base/word_lists.h"
#include "cluster/forward.h"
#include "decide/view.h"

/* A sync is known by all that it depends on. */
enum { SYNC_WORDS_MOST = 28, SYNC_ANSWER_MOST = 9 };

/* The first word: whose sync it is. */
enum sync_kind { SYNC_OF_DEPLOYMENT, SYNC_OF_AUTOSCALER, SYNC_OF_METRICS };

struct sync_seen {
    uint32_t count; /* more than SYNC_WORDS_MOST: it does not fit */
    uint32_t words[SYNC_WORDS_MOST];
};

struct known_sync {
    struct sync_seen seen; /* nothing: the slot is free */
    uint32_t answer_count;
    uint32_t answer[SYNC_ANSWER_MOST];
};

struct known_syncs {
    struct known_sync *slots; /* NULL: none yet */
    uint32_t bits;
    uint32_t replaced;
};

/* What is known of states in which fast actors have something to do (rest.c). */
enum { REST_UNKNOWN, REST_NOT, REST_FIRST_LOOP };

struct rests {
    struct word_lists states;
    VEC(uint32_t) found; /* by state: one of the above, or REST_FIRST_LOOP + number of its loop */
    VEC(struct rest_loop *) loops;
};

static inline void sync_see(struct sync_seen *seen, uint32_t word)
{
    if (seen->count < SYNC_WORDS_MOST)
        seen->words[seen->count] = word;
    seen->count++;
}

#endif
