/* SPDX-License-Identifier: Apache-2.0 */
/* All steps out of a state, in a fixed order. */
#ifndef FATHOM_CLUSTER_EXPAND_H
#define FATHOM_CLUSTER_EXPAND_H

#include "cluster/forward.h"
#include "cluster/state/actions.h"
#include "explore/model.h"

#include <stdint.h>

void population_expand(const struct model *model, void *own, const uint32_t *words, uint32_t length,
                       struct step_sink *sink);

/* The same for a caller who looks at steps of one action alone, and of one revision (UINT32_MAX: of
 * any): others are not handed over, and these have no marks. Once the sink answers false, none or
 * few more are. */
void population_expand_asked(struct worker *worker, const uint32_t *words, uint32_t length,
                             enum population_action action, uint32_t revision,
                             struct step_sink *sink);

/* Takes the first step that changes the state, outside events excepted. */
struct first_step {
    struct step_sink sink;
    const uint32_t *words; /* the state */
    uint32_t length;
    uint32_t *next;       /* what the step leads to; room for WORDS_MOST */
    uint32_t next_length; /* 0: there is no such step yet */
    uint32_t action;      /* of the step */
};

/* The `emit` of its sink. */
bool first_step_take(struct step_sink *sink, const struct step *step);

uint64_t population_atoms(const struct model *model, void *own, const uint32_t *words,
                          uint32_t length);

#endif
