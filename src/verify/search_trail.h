/* SPDX-License-Identifier: Apache-2.0 */
/* The way of a run of a search: the steps it took, the states in which it has been, and what is
 * found there of the properties that are open. */
#ifndef FATHOM_VERIFY_SEARCH_TRAIL_H
#define FATHOM_VERIFY_SEARCH_TRAIL_H

#include "verify/search_path.h"
#include "verify/search_run.h"

struct search_trail {
    struct arena *arena;
    struct worker *worker;
    const struct model *model;
    struct search_findings *findings;
    uint64_t open; /* as bits; what is found is not open any more */
    struct taken_steps taken;

    /* The states so far: open addressing, by hash. */
    uint64_t *hashes;
    uint32_t *places; /* in `taken`, plus one; 0: free */
    uint32_t slot_count;
};

/* A run of at most so many steps, which has not begun. */
struct search_trail trail_of(struct arena *arena, struct worker *worker, uint64_t open,
                             uint64_t steps_most, struct search_findings *findings);

/* The state that the run has come to. */
const struct taken *trail_end(const struct search_trail *trail);
/* Where the run has been in the state, the last time; UINT32_MAX: never. */
uint32_t trail_place(const struct search_trail *trail, const uint32_t *words, uint32_t length);
/* Takes a copy of the step, and judges the state that it leads to, and the loop if it has been
 * there before. */
void trail_add(struct search_trail *trail, const struct taken *step);
/* Judges a step out of the state that it has come to; `index`: in the order of the model's steps.
 */
void trail_judge_step(struct search_trail *trail, const struct step *step, uint32_t index);
/* Nobody changes anything. What is tried in vain (`idle`) is tried for ever. */
void trail_judge_rest(struct search_trail *trail, const struct taken_steps *idle);

#endif
