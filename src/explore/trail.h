/* SPDX-License-Identifier: Apache-2.0 */
/* A path to a violation, as ids of states. */
#ifndef FATHOM_EXPLORE_TRAIL_H
#define FATHOM_EXPLORE_TRAIL_H

#include "base/memory.h"

/* steps[i] leads from ids[i] to ids[i + 1]. The last id is PAIR_SET_NONE if a
 * limit ended the run before the state behind a bad step was stored. */
struct trail {
    struct memory *memory;
    uint32_t *ids;          /* of states */
    uint32_t *steps;        /* each the index of a step in the order of its state's steps */
    uint32_t count;         /* of steps; there is one state more, if any */
    uint32_t capacity;      /* of states */
    bool begun;             /* there is a first state */
    uint32_t initial_index; /* of the first state, in the order of initial states */
    bool loops;             /* the last state is the one at `loop_from` again */
    bool rests;             /* the run stays in the last state for ever */
    uint32_t loop_from;     /* index into `ids` */
};

void trail_init(struct trail *trail, struct memory *memory);
void trail_release(struct trail *trail);
/* Empty again; the memory is kept. */
void trail_clear(struct trail *trail);
/* Adds a step and the state behind it; of the first state the step is ignored. False:
 * out of memory. */
bool trail_push(struct trail *trail, uint32_t step, uint32_t id);

#endif
