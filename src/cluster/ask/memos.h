/* SPDX-License-Identifier: Apache-2.0 */
/* What was computed before and is not computed again: deciders are asked about the
 * same thing many times. */
#ifndef FATHOM_CLUSTER_ASK_MEMOS_H
#define FATHOM_CLUSTER_ASK_MEMOS_H

#include "base/arena.h"
#include "decide/view.h"

struct population;

/* ---- known_syncs.c ---- */
/* What came of syncs, by all that they went by. */
enum { SYNC_WORDS_MOST = 28, SYNC_ANSWER_MOST = 8 };

/* The first word: whose sync it is. */
enum sync_kind { SYNC_OF_DEPLOYMENT, SYNC_OF_AUTOSCALER };

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

static inline void sync_see(struct sync_seen *seen, uint32_t word)
{
    if (seen->count < SYNC_WORDS_MOST)
        seen->words[seen->count] = word;
    seen->count++;
}

/* What came of a sync that saw the same; NULL: it is not known. Until the next one is
 * remembered. */
const struct known_sync *sync_recall(const struct known_syncs *known, const struct sync_seen *seen);
void sync_remember(struct arena *arena, struct known_syncs *known, const struct sync_seen *seen,
                   const uint32_t *answer, uint32_t answer_count);

/* ---- known_placements.c ---- */
/* Is it known which entries of the view are the best for a pod of this class that
 * is nominated nowhere? `best` has a bit for each of them. */
bool placement_is_known(struct population *population, const struct view *view, uint32_t class,
                        uint32_t *best);
void placement_remember(struct population *population, const struct view *view, uint32_t class,
                        const uint32_t *entries, uint32_t count);

#endif
