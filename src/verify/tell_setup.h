/* SPDX-License-Identifier: Apache-2.0 */
/* Counterexamples of one setup, in words. */
#ifndef FATHOM_VERIFY_TELL_SETUP_H
#define FATHOM_VERIFY_TELL_SETUP_H

#include "verify/setup_query.h"

/* What the run does, in words: intent number `intent` of the worker's model. */
void setup_tell(struct arena *arena, struct worker *worker, uint32_t intent,
                const struct property *property, const struct run_path *path, bool pictures,
                struct verify_result *result);

/* A violation as a file keeps it: which steps were taken. */
struct told_path {
    uint32_t initial; /* which of the initial states */
    uint32_t step_count;
    uint32_t *choices;
    bool loops, rests;
    uint32_t loop_from;
};

/* Tells of it as the exploration did that found it; false: there is no such run. */
bool setup_retell(const struct setup_query *query, enum population_reductions reductions,
                  enum population_nodes nodes, uint32_t intent, const struct told_path *told,
                  struct memory *memory, struct arena *arena, struct verify_result *result);

#endif
