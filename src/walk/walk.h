/* SPDX-License-Identifier: Apache-2.0 */
/*
 * One run of the model, step by step, by choice: forwards, and back again.
 *
 * A walk stands in a state and offers the steps out of it, in the model's order,
 * which is always the same; so a run is a list of numbers. The steps taken are
 * told with names (story.h).
 *
 *     walk_create(arena, worker, with_causes)
 *     walk->choices                        what may come next
 *     walk_take(walk, 2)                   walk->steps has one more
 *     walk_back(walk)
 *
 * The intents are judged on the way, as far as one run can tell: what must never
 * happen when it happens, what must happen in the end once nothing moves any
 * more. Everything lives in the arena; the worker outlives the walk.
 */
#ifndef FATHOM_WALK_WALK_H
#define FATHOM_WALK_WALK_H

#include "base/vec.h"
#include "cluster/story/story.h"
#include "explore/explore.h"

struct walk_choice {
    struct step step; /* with words of its own */
    bool changes;     /* the state; false: an attempt that fails */
};

struct walk_step {
    uint32_t choice;
    struct step step;
    struct story_step told;
    uint64_t violated; /* bit i: this step, or the state it leads to, violates property i */
};

struct walk {
    struct arena *arena;
    struct worker *worker; /* in whose numbers the states are */
    const struct model *model;
    struct storyteller *teller;
    VEC(struct walk_step) steps;
    VEC(struct walk_choice) choices; /* of the present state */
    const uint32_t *initial;
    uint32_t initial_length;
    bool with_causes;
};

struct walk *walk_create(struct arena *arena, struct worker *worker, bool with_causes);
/* From another one of the initial states, numbered from 0; NULL: there are not so many. */
struct walk *walk_create_at(struct arena *arena, struct worker *worker, uint32_t number,
                            bool with_causes);

/* The present state. */
const uint32_t *walk_state(const struct walk *walk, uint32_t *length);
/* After so many steps. */
const uint32_t *walk_state_at(const struct walk *walk, uint32_t step, uint32_t *length);

void walk_take(struct walk *walk, uint32_t choice);
/* Undoes the last step; false if there is none. */
bool walk_back(struct walk *walk);

/* How the choice would be told, in an arena of the caller's. */
void walk_peek(const struct walk *walk, struct arena *arena, uint32_t choice,
               struct story_step *told);

/* A step as it was told. */
struct walk_words {
    const char *actor;
    const char *action;
    const char *object;
    const char *detail;
};

/* The choice that would be told in these words, `first` if it is one; UINT32_MAX: there is none. */
uint32_t walk_find(const struct walk *walk, const struct walk_words *words, uint32_t first);

/* An attempt that fails changes nothing, and is worth telling once: was it taken since the state
 * last changed? */
bool walk_was_tried(const struct walk *walk, uint32_t choice);

/* Would no controller change anything in this state? Events may still come. */
bool walk_rests(const struct walk *walk);

/* Bit i: at rest in this state property i is violated for good. */
uint64_t walk_rest_violates(const struct walk *walk);

/* The earlier state (after so many steps) that the run has come back to;
 * UINT32_MAX: none. */
uint32_t walk_came_back(const struct walk *walk);

/* Is the walk a counterexample to property i? If it loops, the steps from
 * `loop_from` (from 0) on repeat for ever, or it rests in its last state. NULL if
 * it is one, or else why not. */
const char *walk_refutes(struct walk *walk, uint32_t property, bool loops, bool rests,
                         uint32_t loop_from);

#endif
