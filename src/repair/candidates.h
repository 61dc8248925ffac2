/* SPDX-License-Identifier: Apache-2.0 */
/* Sets of edits in the order in which they are tried. */
#ifndef FATHOM_REPAIR_CANDIDATES_H
#define FATHOM_REPAIR_CANDIDATES_H

#include "repair/edit.h"

/* How far a candidate came before it was rejected; the farther, the more it is worth in a set. */
enum candidate_stage {
    STAGE_INVALID, /* the API server refuses it, or it narrows what is verified */
    STAGE_REPLAYED,
    STAGE_SETUP,
    STAGE_WHOLE,
    STAGE_KEPT, /* what held before is violated */
    STAGE_PASSED,
};

struct repair_candidate {
    const struct edit *edit;
    unsigned losses;
    enum candidate_stage stage;
    bool put_off;      /* it took too many states */
    uint64_t standing; /* counterexamples that it leaves as they are */
    uint64_t uncured;  /* those in whose setup their intent is violated with it */
    uint32_t runs;     /* so many counterexamples were looked at for this */
};

struct repair_candidates {
    struct repair_candidate *items;
    uint32_t count;
    uint32_t capacity;
};

/* What the losses weigh together. */
uint32_t candidates_weigh(unsigned losses);
/* By what is lost, whether violations go back to the field or are about the object, fields touched,
 * distance, and place in the table. */
void candidates_rank(struct repair_candidates *candidates);
/* Those that came farthest first, for sets of several; only the nearest values of each field. */
void candidates_rank_for_sets(struct arena *arena, const struct repair_candidates *singles,
                              struct repair_candidates *sets);

/* Do both change the same field of one object? */
bool candidates_clash(const struct edit *left, const struct edit *right);

#endif
