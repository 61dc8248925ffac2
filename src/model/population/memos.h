/* SPDX-License-Identifier: Apache-2.0 */
/* What was computed before and is not computed again: deciders are asked about the
 * same thing many times. */
#ifndef FATHOM_MODEL_POPULATION_MEMOS_H
#define FATHOM_MODEL_POPULATION_MEMOS_H

#include "base/arena.h"
#include "model/view.h"

struct population;
struct population_state;

/* All that a Deployment's sync goes by, as words. */
enum { SYNC_WORDS_MOST = 28 };

struct deployment_seen {
    uint32_t count; /* 0: nothing; more than SYNC_WORDS_MOST: it does not fit */
    uint32_t words[SYNC_WORDS_MOST];
};

/* ---- idle_syncs.c ---- */
/* What the Deployment's sync would see now. */
void deployment_see(const struct population *population, const struct population_state *state,
                    uint32_t workload, uint32_t old_pods_unfinished, struct deployment_seen *seen);
/* Is it known that nothing comes of a sync that sees this? */
bool sync_is_idle(const struct population *population, const struct deployment_seen *seen);
void sync_remember_idle(struct population *population, const struct deployment_seen *seen);

/* ---- known_placements.c ---- */
/* Is it known which entries of the view are the best for a pod of this class that
 * is nominated nowhere? `best` has a bit for each of them. */
bool placement_is_known(struct population *population, const struct view *view, uint32_t class,
                        uint32_t *best);
void placement_remember(struct population *population, const struct view *view, uint32_t class,
                        const uint32_t *entries, uint32_t count);

#endif
