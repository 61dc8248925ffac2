/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Questions about a state in which some objects are put back to what they were
 * before: would the step in hand be there, would the atoms be the same? From the
 * answers come the causes (story_causes.c).
 */
#ifndef FATHOM_CLUSTER_STORY_STORY_QUESTIONS_H
#define FATHOM_CLUSTER_STORY_STORY_QUESTIONS_H

#include "cluster/forward.h"
#include "cluster/story/story_internal.h"

#include <stdbool.h>
#include <stdint.h>

enum asking {
    ASK_STEP,  /* Is the step that is told possible? */
    ASK_ATOMS, /* Do the atoms have their present values? */
    ASK_END,   /* Will they have them once everything has come to rest? */
};

struct question {
    struct storyteller *teller;
    enum asking asking;
    const struct state *from;         /* the state, of which objects are varied */
    const struct story_value *values; /* by object: what it is like in that state */
    uint32_t steps;                   /* how many steps were taken before */
    /* of ASK_STEP */
    const struct state *to;
    const struct step *step;
    story_writes effect;
    /* of ASK_ATOMS and ASK_END */
    uint64_t atoms;
    uint64_t wanted;
};

/* What it takes to find all steps out of a state, beside the objects that are built for it. */
uint64_t question_effort(const struct storyteller *teller);

/* Would the answer be yes if the objects were like that? */
bool question_holds(const struct question *question, const struct story_value *values);

#endif
