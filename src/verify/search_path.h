/* SPDX-License-Identifier: Apache-2.0 */
/* Runs of a search while they grow, and what of the model's properties they violate. */
#ifndef FATHOM_VERIFY_SEARCH_PATH_H
#define FATHOM_VERIFY_SEARCH_PATH_H

#include "base/vec.h"
#include "cluster/population.h"
#include "explore/explore.h"

/* One step of a run, with the state that it leads to. The first leads to where the run begins. */
struct taken {
    uint32_t *words;
    uint32_t length;
    struct path_step step;
};

struct taken_steps {
    struct taken *items;
    uint32_t count;
    uint32_t capacity;
};

bool taken_is(const struct taken *state, const uint32_t *words, uint32_t length);
/* What a path keeps of a step; `index`: in the order of the model's steps. */
struct path_step taken_step(const struct step *step, uint32_t index);
/* Adds a step that leaves the state as it is; of each fairness class one is enough. */
void taken_add_idle(struct arena *arena, struct taken_steps *idle, const struct taken *state,
                    const struct step *step, uint32_t index);
uint64_t taken_atoms(struct worker *worker, const struct taken *state);

/* The steps, and some more behind them, as a path. */
struct run_path taken_path(struct arena *arena, const struct taken *steps, uint32_t count,
                           const struct taken *more, uint32_t more_count);

/* The same for a run whose last state is that after `from` steps, and that goes on from there for
 * ever. Attempts that fail are made once in each round. */
struct run_path loop_path(struct arena *arena, struct worker *worker,
                          const struct taken_steps *steps, uint32_t from);

/* The atoms by which single states violate properties that are `open`, as bits. */
uint64_t atoms_asked(const struct model *model, uint64_t open);
bool step_violates(const struct property *property, uint64_t marks);
bool state_violates(const struct property *property, uint64_t atoms);
/* Can only a run that goes on for ever violate it? */
bool judges_loops(const struct property *property);
/* Does a run that repeats the steps of the path from `loop_from` on for ever violate it? */
bool loop_violates(struct worker *worker, const struct property *property,
                   const struct run_path *path);
/* Does anything change in the loop of the path? */
bool path_goes_round(const struct run_path *path);

#endif
